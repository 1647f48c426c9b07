#include "grid/propagator.hpp"

#include <algorithm>
#include <bit>
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

void Propagator::by_sweeps(Board& board, Watch& watch, Sweeps& sweeps, Axis first) {
    const std::size_t columns = clues_.columns.size();
    std::array<std::vector<std::uint8_t>, 2> dirty{std::vector<std::uint8_t>(clues_.rows.size(), 1),
                                                   std::vector<std::uint8_t>(columns, 1)};
    sweeps.decided_in.assign(clues_.rows.size() * columns, 0);
    Axis axis = first;
    const auto any_dirty = [&] {
        return std::ranges::find(dirty[index(axis)], 1) != dirty[index(axis)].end();
    };
    for (std::int32_t sweep = 1; any_dirty(); ++sweep, axis = crossing(axis)) {
        for (std::size_t i = 0; i < dirty[index(axis)].size(); ++i) {
            if (std::exchange(dirty[index(axis)][i], std::uint8_t{0}) == 0) continue;
            bool is_useful = false;
            const bool fits = settle(board, {axis, i}, watch, [&](std::size_t position) {
                const Cell cell = cell_of({axis, i}, position);
                dirty[index(crossing(axis))][position] = 1;
                sweeps.count = sweep;
                is_useful = true;
                if (std::has_single_bit(board.candidates(cell)))
                    sweeps.decided_in[cell.row * columns + cell.column] = sweep;
            });
            if (is_useful) ++sweeps.useful;
            if (fits) continue;
            sweeps.contradiction = {axis, i};
            return;
        }
    }
    assert(board.planes_agree());
}

std::optional<LineId> Propagator::sweep(Board& board, Axis axis, Watch& watch) {
    for (std::size_t i = 0; i < board.lines(axis); ++i)
        if (!settle(board, {axis, i}, watch, [](std::size_t) {})) return LineId{axis, i};
    return std::nullopt;
}

}  // namespace nonocsp
