// Binds the searches: one class for all, and a function for each method that makes one.
#include "search/search.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

std::optional<CellsOut> next(Search& search, const StopFlag* stop, std::optional<double> seconds) {
    CellsOut cells = new_array<Word>(search.clues().rows.size(), search.clues().columns.size());
    Watch watch(stop, seconds, look_for_signals);
    bool found = false;
    {
        nb::gil_scoped_release unlocked;
        found = search.next(watch, {cells.data(), cells.size()});
    }
    if (!found) return std::nullopt;
    return cells;
}

}  // namespace

void bind_search(nb::module_& m) {
    nb::exception<Interrupted>(m, "Interrupted");
    nb::exception<Unsupported>(m, "Unsupported");
    nb::class_<Search>(m, "Search")
        .def("next", &next, nb::arg("stop").none(), nb::arg("seconds").none())
        .def("statistics", &Search::statistics);
}

}  // namespace nonocsp
