"""Build the studio: the core as a WebAssembly module, and the page around it (``make studio``)."""
