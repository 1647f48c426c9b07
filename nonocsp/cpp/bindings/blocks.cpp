// Binds the search by enumeration of block positions.
#include "bindings/bindings.hpp"
#include "blocks/blocks_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

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

}  // namespace nonocsp
