// Binds the operations on single lines and the stream of a line's placements.
#include <chrono>
#include <memory>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "line/placements.hpp"
#include "line/planes.hpp"
#include "line/settler.hpp"
#include "line/start_lists.hpp"
#include "segments/segments_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

// A clue with many lines of its length, or many clues with one line each, as planes.
struct PackedLines {
    PackedLines(const Flat& flat, const CellsIn& cells, std::size_t colours)
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
        nb::gil_scoped_release released;
        PackedLines packed(flat, cells, colours);
        std::vector<Word> settled(packed.stride);
        for (std::size_t i = 0; i < cells.shape(0); ++i) {
            fits.data()[i] = packed.settler->settle(packed.clue(i), packed.line(i), settled);
            if (!fits.data()[i]) std::fill(settled.begin(), settled.end(), Word{0});
            unpack_line(settled.data(), cells.shape(1), colours, out.data() + i * cells.shape(1));
        }
    }
    return std::tuple(out, fits);
}

auto feasible_lines(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    auto fits = new_array<bool>(cells.shape(0));
    nb::gil_scoped_release released;
    PackedLines packed(flat, cells, colours);
    for (std::size_t i = 0; i < cells.shape(0); ++i)
        fits.data()[i] = packed.settler->feasible(packed.clue(i), packed.line(i));
    return fits;
}

double time_settle(const Flat& flat, const CellsIn& cells, std::size_t colours, std::size_t repeats) {
    nb::gil_scoped_release released;
    PackedLines packed(flat, cells, colours);
    std::vector<Word> settled(packed.stride);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t round = 0; round < repeats; ++round)
        for (std::size_t i = 0; i < packed.size(); ++i)
            packed.settler->settle(packed.clue(i), packed.line(i), settled);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

CellsOut eliminate(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    CellsOut out = new_array<Word>(cells.shape(0), cells.shape(1));
    nb::gil_scoped_release released;
    eliminate_lines(one_clue(flat, cells.shape(1), colours), colours, span_of(cells),
                    {out.data(), out.size()});
    return out;
}

PackedLines one_line(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    if (cells.shape(0) != 1) throw std::invalid_argument("there must be one line");
    return PackedLines(flat, cells, colours);
}

// One array of cells a block, or None.
auto starts(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    const PackedLines packed = one_line(flat, cells, colours);
    StartLists lists;
    std::optional<std::vector<decltype(array_of(std::vector<std::int32_t>()))>> blocks;
    if (const BlockStarts* starts = lists.find(packed.clue(0), packed.line(0), *packed.settler)) {
        blocks.emplace();
        for (const std::vector<std::int32_t>& found : *starts) blocks->push_back(array_of(found));
    }
    return blocks;
}

// A stream with the clue that it reads.
class LinePlacements {
  public:
    LinePlacements(const Flat& flat, const CellsIn& cells, std::size_t colours)
        : line_(one_line(flat, cells, colours)), placements_(line_.clue(0), line_.line(0)) {}

    std::uint64_t count() const { return placements_.count(); }

    auto next() {
        if (!placements_.next()) throw nb::stop_iteration();
        auto starts = new_array<std::int32_t>(line_.clue(0).blocks.size());
        for (std::size_t block = 0; block < starts.size(); ++block)
            starts.data()[block] = static_cast<std::int32_t>(placements_.start(block));
        return starts;
    }

  private:
    PackedLines line_;
    Placements placements_;
};

}  // namespace

void bind_lines(nb::module_& m) {
    m.def("settle_lines", &settle_lines, "clues"_a, "cells"_a, "colours"_a,
          "Return the settled lines, zeros where no placement fits; and whether one fits, shape (count,).");
    m.def("feasible_lines", &feasible_lines, "clues"_a, "cells"_a, "colours"_a,
          "Return whether some placement fits, for each line; shape (count,).");
    m.def("starts", &starts, "clue"_a, "cells"_a, "colours"_a,
          "Return the sorted starts of every block of one line; None if no placement fits.");
    m.def("time_settle", &time_settle, "clues"_a, "cells"_a, "colours"_a, "repeats"_a,
          "Return the seconds that settling every line `repeats` times takes, without packing and "
          "unpacking.");
    m.def("eliminate_lines", &eliminate, "clue"_a, "cells"_a, "colours"_a,
          "Return what messages of pixels and segments leave of lines that share one clue, zeros where "
          "nothing fits.");
    nb::class_<LinePlacements>(m, "Placements",
                               "The placements of one line that fit, each as the starts of its blocks.")
        .def(nb::init<const Flat&, const CellsIn&, std::size_t>(), "clue"_a, "cells"_a, "colours"_a)
        .def_prop_ro("count", &LinePlacements::count,
                     "Number of placements; 2**64 - 1 stands for as many or more.")
        .def(
            "__iter__", [](nb::handle self) { return self; }, nb::sig("def __iter__(self) -> Placements"))
        .def("__next__", &LinePlacements::next,
             "Return the next placement in lexicographic order, shape (blocks,).");
}

}  // namespace nonocsp
