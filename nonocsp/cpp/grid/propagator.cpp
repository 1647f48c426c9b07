#include "grid/propagator.hpp"

#include <algorithm>
#include <utility>

namespace nonocsp {
Propagator::Propagator(const PuzzleClues& clues)
    : clues_(clues),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      dirty_(clues.rows.size(), clues.columns.size()),
      settled_(clues.colours * words_for(std::max(clues.rows.line_length(), clues.columns.line_length()))) {}

void Propagator::remember() {
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        const Clues& clues = clues_.of(axis);
        caches_[index(axis)].emplace(clues.size(), clues_.colours * words_for(clues.line_length()));
    }
}

void Propagator::narrow_cell(Board& board, Cell cell, Word candidates) {
    board.narrow_cell(cell, candidates);
    touch({Axis::kRow, cell.row});
    touch({Axis::kColumn, cell.column});
}

Sweeps Propagator::by_sweeps(Board& board, Watch& watch) {
    Sweeps result;
    std::array<std::vector<std::uint8_t>, 2> dirty{std::vector<std::uint8_t>(clues_.rows.size(), 1),
                                                   std::vector<std::uint8_t>(clues_.columns.size(), 1)};
    Axis axis = Axis::kRow;
    const auto any_dirty = [&] {
        return std::ranges::find(dirty[index(axis)], 1) != dirty[index(axis)].end();
    };
    for (std::int64_t sweep = 1; any_dirty(); ++sweep, axis = crossing(axis)) {
        for (std::size_t i = 0; i < dirty[index(axis)].size(); ++i) {
            if (std::exchange(dirty[index(axis)][i], std::uint8_t{0}) == 0) continue;
            const bool fits = settle(board, {axis, i}, watch, [&](std::size_t position) {
                dirty[index(crossing(axis))][position] = 1;
                result.count = sweep;
            });
            if (fits) continue;
            result.contradiction = {axis, i};
            return result;
        }
    }
    assert(board.planes_agree());
    return result;
}

std::optional<LineId> Propagator::sweep(Board& board, Axis axis, Watch& watch) {
    for (std::size_t i = 0; i < board.lines(axis); ++i)
        if (!settle(board, {axis, i}, watch, [](std::size_t) {})) return LineId{axis, i};
    return std::nullopt;
}

}  // namespace nonocsp
