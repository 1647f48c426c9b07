// Binds the search by enumeration of block positions.
#include <nanobind/stl/unique_ptr.h>

#include "bindings/bindings.hpp"
#include "blocks/blocks_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

std::unique_ptr<Search> search_by_blocks(const PuzzleClues& clues, bool rows_first) {
    return make_blocks_search(clues, rows_first ? Axis::kRow : Axis::kColumn);
}

}  // namespace

void bind_blocks(nb::module_& m) {
    m.def("search_by_blocks", &search_by_blocks, nb::keep_alive<0, 1>(), nb::arg("clues"),
          nb::arg("rows_first"),
          R"(Return a search by enumeration of block positions.

Parameters
----------
clues
    The puzzle.
rows_first
    Whether to lay rows; otherwise columns.)");
}

}  // namespace nonocsp
