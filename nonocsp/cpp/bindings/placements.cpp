// Binds the stream of a line's placements.
#include "line/placements.hpp"

#include <nanobind/stl/optional.h>

#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "line/planes.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

std::vector<Word> planes_of(const CellsIn& cells, std::size_t colours) {
    std::vector<Word> planes(words_for(cells.shape(1)) * colours);
    pack_line(cells.data(), 1, cells.shape(1), colours, planes.data());
    return planes;
}

// A stream with the clue that it reads.
class LinePlacements {
  public:
    LinePlacements(const Flat& flat, const CellsIn& cells, std::size_t colours)
        : clues_(checked(flat, cells, colours)), placements_(clues_[0], planes_of(cells, colours)) {}

    std::uint64_t count() const { return placements_.count(); }

    auto next() {
        if (!placements_.next()) throw nb::stop_iteration();
        auto starts = new_array<std::int32_t>(clues_[0].blocks.size());
        for (std::size_t block = 0; block < starts.size(); ++block)
            starts.data()[block] = static_cast<std::int32_t>(placements_.start(block));
        return starts;
    }

  private:
    static Clues checked(const Flat& flat, const CellsIn& cells, std::size_t colours) {
        if (cells.shape(0) != 1 || std::get<0>(flat).size() != 2)
            throw std::invalid_argument("there must be one clue, and one line");
        check_colours(flat, colours);
        return Clues(cells.shape(1), flat_of(flat));
    }

    Clues clues_;
    Placements placements_;
};

}  // namespace

void bind_placements(nb::module_& m) {
    nb::class_<LinePlacements>(m, "Placements",
                               "The placements of one line that fit, each as the starts of its blocks.")
        .def(nb::init<const Flat&, const CellsIn&, std::size_t>(), nb::arg("clue"), nb::arg("cells"),
             nb::arg("colours"),
             R"(Prepare the stream of the placements of one line.

Parameters
----------
clue
    One flat clue.
cells
    Candidate sets, shape (1, length).
colours
    Number of colours, the background included.

Raises
------
ValueError
    If there is another number of clues or lines, or a colour does not fit.)")
        .def_prop_ro("count", &LinePlacements::count,
                     "Number of placements; 2**64 - 1 stands for as many or more.")
        .def(
            "__iter__", [](nb::handle self) { return self; }, nb::sig("def __iter__(self) -> Placements"))
        .def("__next__", &LinePlacements::next,
             "Return the next placement in lexicographic order, shape (blocks,).");
}

}  // namespace nonocsp
