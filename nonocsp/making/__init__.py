"""Puzzles made from pictures: reading, preparing, generating (Batenburg et al. 2009, section 5), output.

Named after what it does and not ``generate``, because `nonocsp.generate` is the function; `nonocsp.grading`
says why that matters.
"""
