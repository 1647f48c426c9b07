"""Measurements of runner, campaigns, reports and tests."""
