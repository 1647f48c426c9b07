// The parts of the Python module nonocsp.engine._core, one function and one file each.
#pragma once

#include <nanobind/nanobind.h>

namespace nonocsp {

void bind_batch(nanobind::module_& m);
void bind_beliefs(nanobind::module_& m);
void bind_blocks(nanobind::module_& m);
void bind_census(nanobind::module_& m);
void bind_clues(nanobind::module_& m);
void bind_counting(nanobind::module_& m);
void bind_encoding(nanobind::module_& m);
void bind_gac(nanobind::module_& m);
void bind_grading(nanobind::module_& m);
void bind_hybrid(nanobind::module_& m);
void bind_images(nanobind::module_& m);
void bind_judging(nanobind::module_& m);
void bind_lines(nanobind::module_& m);
void bind_probing(nanobind::module_& m);
void bind_propagation(nanobind::module_& m);
void bind_reading(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_segments(nanobind::module_& m);
void bind_twosat(nanobind::module_& m);

// An exception of the core as one of Python.
template <class Exception>
void bind_exception(nanobind::module_& m, const char* name, const char* doc) {
    nanobind::exception<Exception>(m, name).attr("__doc__") = doc;
}

// Ctrl-C during long calls into the core, a look for a Watch: throws what Python's signal handlers raise; to
// be called without the GIL. Does nothing outside the main thread.
inline void look_for_signals() {
    nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace nonocsp
