"""Explain how a person solves a puzzle: steps, each with a technique, a grade, and the reason in words."""

from nonocsp.grading.explain.catalogue import GRADES, Technique
from nonocsp.grading.explain.hints import Hint, hint
from nonocsp.grading.explain.steps import Change, Explanation, Step, Verdict
from nonocsp.grading.explain.walk import explain

__all__ = ["GRADES", "Change", "Explanation", "Hint", "Step", "Technique", "Verdict", "explain", "hint"]
