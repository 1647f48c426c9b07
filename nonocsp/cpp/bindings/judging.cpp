// Binds the judgement of puzzles: the ambiguous cells, and the clue that is wrong.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "judging/ambiguity.hpp"
#include "judging/mend.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

// Whether two solutions differ in a cell, shape (rows, columns), and whether no other cell is ambiguous.
auto ambiguous_cells(const PuzzleClues& clues, std::optional<std::int64_t> conflicts, const StopFlag* stop,
                     std::optional<double> seconds) {
    const std::size_t rows = clues.rows.size(), columns = clues.columns.size();
    auto out = new_array<bool>(rows, columns);
    std::fill_n(out.data(), rows * columns, false);
    Watch watch(stop, seconds, look_for_signals);
    bool is_complete = false;
    {
        nb::gil_scoped_release unlocked;
        std::optional<AmbiguitySearch> search;
        try {
            search.emplace(clues, std::span<const std::uint8_t>(), watch);
            is_complete =
                search->advance(conflicts.value_or(std::numeric_limits<std::int64_t>::max()), watch);
        } catch (const Interrupted&) {
            is_complete = false;
        }
        if (search) std::ranges::copy(search->ambiguous(), out.data());
    }
    return std::pair(out, is_complete);
}

using PlainClue = std::vector<std::pair<std::int32_t, std::int32_t>>;
using PlainMend = std::tuple<std::string_view, std::vector<std::pair<PlacedLine, PlainClue>>,
                             nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>>;

PlainMend plain(const Mend& mend, const ClueDraft& draft) {
    std::vector<std::pair<PlacedLine, PlainClue>> lines;
    for (const auto& [line, clue] : changed_lines(draft, mend.change)) {
        PlainClue& blocks = lines.emplace_back(placed(line), PlainClue{}).second;
        for (const auto [length, colour] : clue) blocks.emplace_back(length, colour);
    }
    std::size_t rows = draft.lines[0].size(), columns = draft.lines[1].size();
    if (mend.change.kind == MendKind::kSizes) std::swap(rows, columns);
    auto cells = new_array<std::uint8_t>(rows, columns);
    std::ranges::copy(mend.solution, cells.data());
    return {kMendNames[static_cast<std::size_t>(mend.change.kind)], std::move(lines), std::move(cells)};
}

auto mend(const Flat& rows, const Flat& columns, std::size_t colours, const StopFlag* stop,
          std::optional<double> seconds) {
    check_colours(rows, colours);
    check_colours(columns, colours);
    Mender mender(ClueDraft(flat_of(rows), flat_of(columns), colours));
    Watch watch(stop, seconds, look_for_signals);
    {
        nb::gil_scoped_release unlocked;
        try {
            mender.advance(std::numeric_limits<std::size_t>::max(), watch);
        } catch (const Interrupted&) {  // what was found is still true
        }
    }
    std::vector<PlainMend> mends;
    for (const Mend& found : mender.found()) mends.push_back(plain(found, mender.draft()));
    return std::tuple(static_cast<int>(mender.solutions()), mender.is_complete(), std::move(mends),
                      all_placed(mender.contradiction().lines()), mender.contradiction().is_minimal());
}

}  // namespace

void bind_judging(nb::module_& m) {
    m.def("ambiguous_cells", &ambiguous_cells, nb::arg("clues"), nb::arg("conflicts").none(),
          nb::arg("stop").none(), nb::arg("wall").none(),
          R"(Find the cells in which two solutions of a puzzle differ.

Parameters
----------
clues
    The puzzle.
conflicts
    How many the search may have, about; None for any number. The same number gives the same cells everywhere.
stop, wall
    A flag, and a number of seconds, that end the search early.

Returns
-------
tuple
    Whether each cell is ambiguous, shape (rows, columns); and whether no other cell is.)");
    m.def(
        "mend", &mend, nb::arg("rows"), nb::arg("columns"), nb::arg("colours"), nb::arg("stop").none(),
        nb::arg("wall").none(),
        R"(Find the single changes of clues that leave exactly one solution, and lines that contradict each other.

Parameters
----------
rows, columns
    Offsets, lengths and colours of the blocks, as in `nonocsp.model.FlatClues`. Clues may be too long for
    their lines, and the sums of rows and columns may differ.
colours
    Number of colours, the background included, 1 to 64.
stop, wall
    A flag, and a number of seconds, that end the search early.

Returns
-------
tuple
    How many solutions the clues have (0 unknown, 1 none, 2 one, 3 several); whether all changes were decided;
    the changes, the likeliest first, each with its kind, its lines (axis and position) with their new clues
    (pairs of length and colour), and the only solution, shape (rows, columns); lines that contradict each
    other; and whether no line can be left out of these.

Raises
------
ValueError
    If a block has no cells or an unknown colour.)");
}

}  // namespace nonocsp
