// Binds the operations on single lines and the stream of a line's placements. Arrays come in C order; long
// calls release the GIL.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "line/placements.hpp"
#include "line/planes.hpp"
#include "line/settler.hpp"
#include "line/start_lists.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using StartsOut = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

// A clue with many lines of its length, or many clues with one line each, as planes.
struct Batch {
    Batch(const Flat& flat, const CellsIn& cells, std::size_t colours)
        : clues(cells.shape(1), flat_of(flat)),
          stride(words_for(cells.shape(1)) * colours),
          planes(cells.shape(0) * stride),
          settler(make_settler(cells.shape(1))) {
        if (clues.size() != 1 && clues.size() != cells.shape(0))
            throw std::invalid_argument("there must be one clue, or one for each line");
        check_colours(flat, colours);
        for (std::size_t i = 0; i < cells.shape(0); ++i)
            pack_line(cells.data() + i * cells.shape(1), 1, cells.shape(1), colours, &planes[i * stride]);
    }

    std::size_t size() const { return planes.size() / stride; }
    const Clue& clue(std::size_t i) const { return clues[clues.size() == 1 ? 0 : i]; }
    std::span<const Word> line(std::size_t i) const { return std::span(planes).subspan(i * stride, stride); }

    Clues clues;
    std::size_t stride;
    std::vector<Word> planes;
    std::unique_ptr<Settler> settler;
};

auto settle_lines(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    CellsOut out = new_array<Word>(cells.shape(0), cells.shape(1));
    auto fits = new_array<bool>(cells.shape(0));
    {
        nb::gil_scoped_release unlocked;
        Batch batch(flat, cells, colours);
        std::vector<Word> settled(batch.stride);
        for (std::size_t i = 0; i < cells.shape(0); ++i) {
            fits.data()[i] = batch.settler->settle(batch.clue(i), batch.line(i), settled);
            if (!fits.data()[i]) std::fill(settled.begin(), settled.end(), Word{0});
            unpack_line(settled.data(), cells.shape(1), colours, out.data() + i * cells.shape(1));
        }
    }
    return std::tuple(out, fits);
}

auto feasible_lines(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    auto fits = new_array<bool>(cells.shape(0));
    {
        nb::gil_scoped_release unlocked;
        Batch batch(flat, cells, colours);
        for (std::size_t i = 0; i < cells.shape(0); ++i)
            fits.data()[i] = batch.settler->feasible(batch.clue(i), batch.line(i));
    }
    return fits;
}

// Seconds that `repeats` rounds of settling every line take, packing and unpacking left out.
double time_settle(const Flat& flat, const CellsIn& cells, std::size_t colours, std::size_t repeats) {
    nb::gil_scoped_release unlocked;
    Batch batch(flat, cells, colours);
    std::vector<Word> settled(batch.stride);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t round = 0; round < repeats; ++round)
        for (std::size_t i = 0; i < batch.size(); ++i)
            batch.settler->settle(batch.clue(i), batch.line(i), settled);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One array of cells a block, or None.
auto starts(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    Batch batch(flat, cells, colours);
    StartLists lists;
    std::optional<std::vector<StartsOut>> blocks;
    if (const BlockStarts* starts = lists.find(batch.clue(0), batch.line(0), *batch.settler)) {
        blocks.emplace();
        for (const std::vector<std::int32_t>& found : *starts) {
            blocks->push_back(new_array<std::int32_t>(found.size()));
            std::copy(found.begin(), found.end(), blocks->back().data());
        }
    }
    return blocks;
}

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

void bind_lines(nb::module_& m) {
    m.def("settle_lines", &settle_lines, nb::arg("clues"), nb::arg("cells"), nb::arg("colours"),
          R"(Settle lines that share one clue, or have one clue each.

Parameters
----------
clues
    One flat clue, or one for each line.
cells
    Candidate sets, shape (count, length).
colours
    Number of colours, the background included.

Returns
-------
tuple
    The settled lines, shape (count, length), zeros where no placement fits; and whether one fits, shape (count,).

Raises
------
ValueError
    If the number of clues or a colour does not fit.)");
    m.def("feasible_lines", &feasible_lines, nb::arg("clues"), nb::arg("cells"), nb::arg("colours"),
          R"(Return whether some placement fits, for each line; shape (count,).

The parameters are those of `settle_lines`.)");
    m.def("starts", &starts, nb::arg("clue"), nb::arg("cells"), nb::arg("colours"),
          R"(Return the sorted starts of every block of one line; None if no placement fits.

The parameters are those of `settle_lines`, with one clue and one line.)");
    m.def("time_settle", &time_settle, nb::arg("clues"), nb::arg("cells"), nb::arg("colours"),
          nb::arg("repeats"),
          R"(Return the seconds that settling every line `repeats` times takes, without packing and unpacking.

The other parameters are those of `settle_lines`.)");
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
