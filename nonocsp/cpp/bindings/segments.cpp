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

}  // namespace

void bind_segments(nb::module_& m) {
    nb::enum_<PixelChoice>(m, "PixelChoice")
        .value("FEWEST", PixelChoice::kFewest)
        .value("FIRST", PixelChoice::kFirst);
    m.def("search_by_segments", &search_by_segments, nb::keep_alive<0, 1>());
    m.def("eliminate_lines", &eliminate);
}

}  // namespace nonocsp
