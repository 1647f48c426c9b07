"""Backends that act when they are imported."""
