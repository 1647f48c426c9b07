// The Python module nonocsp._core; its typed face is nonocsp/_core.pyi.
#include "bindings/bindings.hpp"

NB_MODULE(_core, m) {
#ifdef NDEBUG
    nanobind::set_leak_warnings(false);  // a traceback at exit keeps objects alive
#endif
    nonocsp::bind_lines(m);
    nonocsp::bind_encoding(m);
    nonocsp::bind_placements(m);
    nonocsp::bind_search(m);
    nonocsp::bind_blocks(m);
    nonocsp::bind_gac(m);
    nonocsp::bind_segments(m);
    nonocsp::bind_twosat(m);
    nonocsp::bind_probing(m);
    nonocsp::bind_beliefs(m);
    nonocsp::bind_hybrid(m);
    nonocsp::bind_census(m);
    nonocsp::bind_trials(m);
}
