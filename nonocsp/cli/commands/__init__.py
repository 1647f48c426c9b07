"""The commands of ``nonocsp``, one module each: what it takes, and what it does with it."""
