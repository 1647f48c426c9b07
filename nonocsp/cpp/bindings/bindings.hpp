// The parts of the Python module nonocsp.engine._core, one function and one file each; and how its calls run.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "base/watch.hpp"

namespace nonocsp {

void bind_batch(nanobind::module_& m);
void bind_clues(nanobind::module_& m);
void bind_encoding(nanobind::module_& m);
void bind_grading(nanobind::module_& m);
void bind_images(nanobind::module_& m);
void bind_judging(nanobind::module_& m);
void bind_lines(nanobind::module_& m);
void bind_propagation(nanobind::module_& m);
void bind_reading(nanobind::module_& m);
void bind_search(nanobind::module_& m);

// An exception of the core as one of Python.
template <class Exception>
void bind_exception(nanobind::module_& m, const char* name, const char* doc,
                    PyObject* base = PyExc_Exception) {
    nanobind::exception<Exception>(m, name, base).attr("__doc__") = doc;
}

// Ctrl-C during long calls into the core, a look for a Watch: throws what Python's signal handlers raise; to
// be called without the GIL. Does nothing outside the main thread.
inline void look_for_signals() {
    nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// Returns work(watch), done without the GIL under a watch of the flag, the time and Ctrl-C.
template <class Work>
auto unlocked(const StopFlag* stop, std::optional<double> seconds, Work work) {
    Watch watch(stop, seconds, look_for_signals);
    nanobind::gil_scoped_release released;
    return work(watch);
}

// The same; whether the flag or the time interrupted it.
template <class Work>
bool is_interrupted(const StopFlag* stop, std::optional<double> seconds, Work work) {
    return unlocked(stop, seconds, [&](Watch& watch) {
        try {
            work(watch);
            return false;
        } catch (const Interrupted&) {
            return true;
        }
    });
}

}  // namespace nonocsp
