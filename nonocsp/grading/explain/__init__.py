"""Explain how a person solves a puzzle: steps, each with a technique, a grade, and the reason in words."""

from nonocsp.grading.explain.catalogue import GRADES, Technique
from nonocsp.grading.explain.explanation import Explanation, Verdict, explain
from nonocsp.grading.explain.hints import Hint, hint
from nonocsp.grading.explain.steps import Change, Step

__all__ = ["GRADES", "Change", "Explanation", "Hint", "Step", "Technique", "Verdict", "explain", "hint"]
