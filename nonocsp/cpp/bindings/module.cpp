// The Python module nonocsp.engine._core. The docstrings of the bindings, the names of their arguments and
// their types are its reference; nanobind's stubgen makes _core.pyi of them.
#include "base/leaver.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

void bind_leaver(nb::module_& m) {
    nb::class_<Leaver>(m, "Leaver", "Ends the process after a SIGINT that the interpreter does not handle.")
        .def(nb::init<int, int>(), nb::arg("milliseconds"), nb::arg("code"),
             R"(Start to wait for a SIGINT.

Parameters
----------
milliseconds
    How long the interpreter may take to end the process.
code
    Exit code otherwise.)")
        .def_prop_ro("descriptor", &Leaver::descriptor, "For `signal.set_wakeup_fd`.")
        .def(
            "say", [](Leaver& leaver, const nb::bytes& words) { leaver.say({words.c_str(), words.size()}); },
            nb::arg("words"), "Have this written to standard error at the end.")
        .def("end", &Leaver::end, nb::call_guard<nb::gil_scoped_release>(),
             "Leave a SIGINT to the interpreter from now on.");
}

}  // namespace
}  // namespace nonocsp

NB_MODULE(_core, m) {
    m.doc() = "The C++ core. Only `nonocsp.engine` imports it.";
#ifdef NDEBUG
    nanobind::set_leak_warnings(false);  // a traceback at exit keeps objects alive
#endif
    nonocsp::bind_leaver(m);
    nonocsp::bind_propagation(m);
    nonocsp::bind_lines(m);
    nonocsp::bind_clues(m);
    nonocsp::bind_encoding(m);
    nonocsp::bind_search(m);
    nonocsp::bind_batch(m);
    nonocsp::bind_blocks(m);
    nonocsp::bind_gac(m);
    nonocsp::bind_segments(m);
    nonocsp::bind_twosat(m);
    nonocsp::bind_probing(m);
    nonocsp::bind_beliefs(m);
    nonocsp::bind_grading(m);
    nonocsp::bind_hybrid(m);
    nonocsp::bind_census(m);
    nonocsp::bind_counting(m);
    nonocsp::bind_images(m);
    nonocsp::bind_judging(m);
    nonocsp::bind_reading(m);
}
