// Binds the counting of solutions: by a sweep, and by decision diagrams.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "counting/solution_counter.hpp"
#include "mdd/mdd_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

nb::int_ whole_number(const Natural& number) {
    return nb::steal<nb::int_>(PyLong_FromString(number.hex().c_str(), nullptr, 16));
}

template <class Counter>
nb::int_ count_all(Counter& counter, const StopFlag* stop, std::optional<double> seconds) {
    Watch watch(stop, seconds, look_for_signals);
    Natural number;
    {
        nb::gil_scoped_release unlocked;
        number = counter.count(watch);
    }
    return whole_number(number);
}

template <class Counter>
nb::int_ at_least(const Counter& counter, bool solvable) {
    return whole_number(counter.at_least(solvable));
}

constexpr const char* kCountDoc = R"(Return the exact number of solutions.

Parameters
----------
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
TooManyStates
    If the memory does not suffice.)";

constexpr const char* kAtLeastDoc =
    R"(Return a lower bound of the number of solutions, also after `count` was cut off.

Parameters
----------
solvable
    Whether the caller knows a solution: then every part that was not counted has one, too.)";

}  // namespace

void bind_counting(nb::module_& m) {
    nb::exception<TooManyStates>(m, "TooManyStates", PyExc_MemoryError).attr("__doc__") =
        "A method that keeps states would need more memory than it may use.";
    nb::class_<SolutionCounter>(m, "SolutionCounter", "Counts all solutions by sweeps over the cells.")
        .def(nb::init<const PuzzleClues&, std::size_t>(), nb::keep_alive<1, 2>(), nb::arg("clues"),
             nb::arg("memory"), R"(Prepare the count.

Parameters
----------
clues
    The puzzle.
memory
    The most bytes of the states that are held at a time.)")
        .def("count", &count_all<SolutionCounter>, nb::arg("stop").none(), nb::arg("wall").none(), kCountDoc)
        .def("at_least", &at_least<SolutionCounter>, nb::arg("solvable"), kAtLeastDoc)
        .def("statistics", &SolutionCounter::statistics,
             "Return what was counted so far, as (name, value) pairs.");
    nb::class_<MddSearch, Search>(m, "MddSearch",
                                  "A stream of solutions from decision diagrams of all of them.")
        .def(nb::init<const PuzzleClues&, std::size_t>(), nb::keep_alive<1, 2>(), nb::arg("clues"),
             nb::arg("memory"), R"(Prepare the diagrams.

Parameters
----------
clues
    The puzzle.
memory
    The most bytes of all diagrams.)")
        .def("count", &count_all<MddSearch>, nb::arg("stop").none(), nb::arg("wall").none(), kCountDoc)
        .def("at_least", &at_least<MddSearch>, nb::arg("solvable"), kAtLeastDoc);
}

}  // namespace nonocsp
