// The Python module nonocsp.engine._core. The docstrings of the bindings, the names of their arguments and
// their types are its reference; nanobind's stubgen makes _core.pyi of them.
#include "base/leaver.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

void bind_leaver(nb::module_& m) {
    nb::class_<Leaver>(m, "Leaver", "Ends the process after a SIGINT that the interpreter does not handle.")
        .def(nb::init<int, int>(), "milliseconds"_a, "code"_a,
             "Wait for a SIGINT, give the interpreter `milliseconds`, and then exit with `code`.")
        .def_prop_ro("descriptor", &Leaver::descriptor, "For `signal.set_wakeup_fd`.")
        .def(
            "say", [](Leaver& leaver, const nb::bytes& words) { leaver.say({words.c_str(), words.size()}); },
            "words"_a, "Have `words` written to standard error at the end.")
        .def("end", &Leaver::end, nb::call_guard<nb::gil_scoped_release>(),
             "Leave a SIGINT to the interpreter from now on.");
}

constexpr const char* kDoc = R"(The C++ core. Only `nonocsp.engine` imports it.

Some arguments are the same everywhere; docstrings name the others. An argument of another shape or size, and
an unknown colour, is a ValueError.

Parameters
----------
clues
    A puzzle; of functions of lines, one flat clue or one for each line.
rows, columns
    Flat clues, as `nonocsp.model.FlatClues`: offsets, lengths and colours of the blocks. Of images, their size.
clue
    A single flat clue.
cells
    Candidate sets, 64 bits a cell, shape (rows, columns), or (count, length) of lines; None: all is possible.
    Results have the same form.
colours
    Number of colours, the background included, 1 to 64.
seed
    Seed of the random choices.
stop, wall
    A flag, and a number of seconds, that interrupt the call. It raises `Interrupted`, unless its result says
    whether it was interrupted. Calls release the GIL while they work.

A line in a result is a tuple of axis (0 row, 1 column) and position. A search raises `Unsupported` for a puzzle
beyond it.)";

}  // namespace
}  // namespace nonocsp

NB_MODULE(_core, m) {
    m.doc() = nonocsp::kDoc;
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
    nonocsp::bind_grading(m);
    nonocsp::bind_images(m);
    nonocsp::bind_judging(m);
    nonocsp::bind_reading(m);
}
