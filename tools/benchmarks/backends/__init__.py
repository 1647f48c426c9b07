"""Measurements of single backends."""
