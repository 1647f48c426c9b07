"""A backend that cannot be imported."""

raise ImportError("no licence")
