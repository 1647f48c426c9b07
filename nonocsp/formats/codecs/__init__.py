"""One module for each file format, or family of formats: how to recognise, read and write it."""
