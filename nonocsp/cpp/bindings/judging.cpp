// Binds the judgement of puzzles: the ambiguous cells, and the clue that is wrong.
#include <nanobind/stl/string_view.h>

#include <limits>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "judging/ambiguity.hpp"
#include "judging/mend.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

auto ambiguous_cells(const PuzzleClues& clues, std::optional<std::int64_t> conflicts, const StopFlag* stop,
                     std::optional<double> seconds) {
    std::vector<std::uint8_t> cells(clues.rows.size() * clues.columns.size());
    const bool is_complete = unlocked(stop, seconds, [&](Watch& watch) {
        std::optional<AmbiguitySearch> search;
        bool is_over = false;
        try {
            search.emplace(clues, std::span<const std::uint8_t>(), watch);
            is_over = search->advance(conflicts.value_or(std::numeric_limits<std::int64_t>::max()), watch);
        } catch (const Interrupted&) {  // what was found is still true
        }
        if (search) std::ranges::copy(search->ambiguous(), cells.begin());
        return is_over;
    });
    return std::pair(array_of<bool>(cells, clues.rows.size(), clues.columns.size()), is_complete);
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
    return {kMendNames[static_cast<std::size_t>(mend.change.kind)], std::move(lines),
            array_of<std::uint8_t>(mend.solution, rows, columns)};
}

auto mend(const Flat& rows, const Flat& columns, std::size_t colours, const StopFlag* stop,
          std::optional<double> seconds) {
    check_colours(rows, colours);
    check_colours(columns, colours);
    Mender mender(ClueDraft(flat_of(rows), flat_of(columns), colours));
    is_interrupted(stop, seconds,
                   [&](Watch& watch) { mender.advance(std::numeric_limits<std::size_t>::max(), watch); });
    std::vector<PlainMend> mends;
    for (const Mend& found : mender.found()) mends.push_back(plain(found, mender.draft()));
    return std::tuple(static_cast<int>(mender.solutions()), mender.is_complete(), std::move(mends),
                      all_placed(mender.contradiction().lines()), mender.contradiction().is_minimal());
}

}  // namespace

void bind_judging(nb::module_& m) {
    m.def("ambiguous_cells", &ambiguous_cells, "clues"_a, "conflicts"_a.none(), "stop"_a.none(),
          "wall"_a.none(),
          R"(Find the cells in which two solutions of a puzzle differ.

The search may have about so many `conflicts`, or any number: the same number gives the same cells everywhere.

Returns
-------
tuple
    Whether each cell is ambiguous, shape (rows, columns); and whether no other cell is. `stop` and `wall` end
    the search early.)");
    m.def(
        "mend", &mend, "rows"_a, "columns"_a, "colours"_a, "stop"_a.none(), "wall"_a.none(),
        R"(Find the single changes of clues that leave exactly one solution, and lines that contradict each other.

Returns how many solutions the clues have (0 unknown, 1 none, 2 one, 3 several); whether all changes were decided;
the changes, the likeliest first, each with its kind, its lines with their new clues, and the only solution; lines
that contradict each other; and whether no line can be left out of these.)");
}

}  // namespace nonocsp
