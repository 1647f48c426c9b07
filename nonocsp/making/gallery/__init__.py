"""The page that shows how puzzles came out of a picture."""
