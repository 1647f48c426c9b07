"""Measurements of the engine, the backends and the harness. Bars are ratios within one run."""
