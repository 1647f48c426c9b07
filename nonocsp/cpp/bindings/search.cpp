// Binds the searches: one class for all, and a function for each method that makes one; and the search by
// enumeration of block positions.
#include "search/search.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "blocks/blocks_search.hpp"
#include "probing/probing_search.hpp"

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

// Python sees the class of a search by probing: it has more methods.
nb::object start(const Method& method, const PuzzleClues& clues) {
    std::unique_ptr<Search> search = method(clues);
    if (dynamic_cast<ProbingSearch*>(search.get()) == nullptr) return nb::cast(std::move(search));
    return nb::cast(std::unique_ptr<ProbingSearch>(static_cast<ProbingSearch*>(search.release())));
}

Method search_by_blocks(bool rows_first) {
    return [=](const PuzzleClues& clues) {
        return make_blocks_search(clues, rows_first ? Axis::kRow : Axis::kColumn);
    };
}

}  // namespace

void bind_blocks(nb::module_& m) {
    m.def("search_by_blocks", &search_by_blocks, nb::arg("rows_first"),
          R"(Return the search by enumeration of block positions.

Parameters
----------
rows_first
    Whether to lay rows; otherwise columns.)");
}

void bind_search(nb::module_& m) {
    bind_exception<Interrupted>(m, "Interrupted", "A stop flag was set, or the time is over.");
    bind_exception<Unsupported>(m, "Unsupported",
                                "A puzzle is beyond a method; the message says which limit.");
    nb::class_<Search>(m, "Search", "A stream of the solutions of a puzzle; `Method.search` makes one.")
        .def("next", &next, nb::arg("stop").none(), nb::arg("wall").none(),
             R"(Return the next solution as candidate sets, shape (rows, columns); None after the last.

Parameters
----------
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
Unsupported
    If the puzzle is beyond the method.)")
        .def("statistics", &Search::statistics, "Return what was counted so far, as (name, value) pairs.");
    nb::class_<Method>(m, "Method",
                       "A way to search, with its options; the ``search_by_…`` functions make one.")
        .def("search", &start, nb::keep_alive<0, 2>(), nb::arg("clues"),
             nb::sig("def search(self, clues: PuzzleClues) -> Search"),
             "Return a search of a puzzle, at its start.");
}

}  // namespace nonocsp
