// Binds the search by messages between pixels and segments.
#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "segments/segments_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

CellsOut eliminate(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    CellsOut out = new_array<Word>(cells.shape(0), cells.shape(1));
    nb::gil_scoped_release unlocked;
    const Clues clue(cells.shape(1), flat_of(flat));
    if (clue.size() != 1) throw std::invalid_argument("there must be one clue");
    check_colours(flat, colours);
    eliminate_lines(clue, colours, span_of(cells), {out.data(), out.size()});
    return out;
}

Method search_by_segments(PixelChoice pixel) {
    return [=](const PuzzleClues& clues) { return make_segments_search(clues, pixel); };
}

}  // namespace

void bind_segments(nb::module_& m) {
    nb::enum_<PixelChoice>(m, "PixelChoice", "The open pixel that `search_by_segments` gives a colour.")
        .value("FEWEST", PixelChoice::kFewest, "The one with the fewest candidates.")
        .value("FIRST", PixelChoice::kFirst, "The first in reading order.");
    m.def("search_by_segments", &search_by_segments, nb::arg("pixel"),
          R"(Return the search by messages between pixels and segments.

Parameters
----------
pixel
    The open pixel to branch on.)");
    m.def("eliminate_lines", &eliminate, nb::arg("clue"), nb::arg("cells"), nb::arg("colours"),
          R"(Return what messages leave of lines that share one clue, zeros where nothing fits.

Parameters
----------
clue
    One flat clue.
cells
    Candidate sets, shape (count, length).
colours
    Number of colours, the background included.

Raises
------
ValueError
    If there is another number of clues, or a colour does not fit.)");
}

}  // namespace nonocsp
