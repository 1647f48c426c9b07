// Binds the operations on single lines. Arrays come in C order; long calls release the GIL.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
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
}

}  // namespace nonocsp
