// Ctrl-C during long calls into the core: a look for a Watch.
#pragma once

#include <nanobind/nanobind.h>

namespace nonocsp {

// Throws what Python's signal handlers raise; to be called without the GIL. Does nothing outside the main
// thread.
inline void look_for_signals() {
    nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace nonocsp
