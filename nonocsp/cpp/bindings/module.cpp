// The Python module nonocsp.engine._core. The docstrings of the bindings, the names of their arguments and
// their types are its reference; nanobind's stubgen makes _core.pyi of them.
#include "bindings/bindings.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The C++ core. Only `nonocsp.engine` imports it.";
#ifdef NDEBUG
    nanobind::set_leak_warnings(false);  // a traceback at exit keeps objects alive
#endif
    nonocsp::bind_propagation(m);
    nonocsp::bind_lines(m);
    nonocsp::bind_encoding(m);
    nonocsp::bind_placements(m);
    nonocsp::bind_search(m);
    nonocsp::bind_batch(m);
    nonocsp::bind_blocks(m);
    nonocsp::bind_gac(m);
    nonocsp::bind_segments(m);
    nonocsp::bind_twosat(m);
    nonocsp::bind_probing(m);
    nonocsp::bind_beliefs(m);
    nonocsp::bind_hybrid(m);
    nonocsp::bind_census(m);
    nonocsp::bind_counting(m);
    nonocsp::bind_images(m);
}
