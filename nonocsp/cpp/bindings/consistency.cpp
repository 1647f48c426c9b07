// Binds the searches that keep more consistent than single lines: placements with each other (GAC), and the
// segments of lines.
#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "gac/gac_search.hpp"
#include "segments/segments_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

Method search_by_gac(VariableOrder variable_order, ValueOrder value_order, bool settle,
                     std::uint64_t max_placements, std::uint64_t seed) {
    return [=](const PuzzleClues& clues) {
        return make_gac_search(clues, {variable_order, value_order, settle, max_placements, seed});
    };
}

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

void bind_gac(nb::module_& m) {
    nb::enum_<VariableOrder>(m, "VariableOrder", "The line that `search_by_gac` branches on.")
        .value("DOMAIN", VariableOrder::kDomain, "The line with the fewest placements.")
        .value("DOM_WDEG", VariableOrder::kDomWdeg, "The line with the fewest placements over its weight.")
        .value("FIRST", VariableOrder::kFirst, "The first open line.");
    nb::enum_<ValueOrder>(m, "ValueOrder", "The placement of a line that `search_by_gac` tries first.")
        .value("FIRST", ValueOrder::kFirst, "The leftmost.")
        .value("SUPPORT", ValueOrder::kSupport, "The one that the crossing lines support most.")
        .value("RANDOM", ValueOrder::kRandom, "Any, by the seed.");
    m.def("search_by_gac", &search_by_gac, nb::arg("variable_order"), nb::arg("value_order"),
          nb::arg("settle"), nb::arg("max_placements"), nb::arg("seed"),
          R"(Return the search over lines that maintains generalised arc consistency.

Parameters
----------
variable_order, value_order
    Line to branch on, and its placement to try first.
settle
    Whether to settle lines before their placements are listed.
max_placements
    The most placements of a line; `Search.next` raises `Unsupported` for a puzzle with more.
seed
    Seed of the random choices.)");
}

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
