"""Measurements of grading, of the census and of explanations."""
