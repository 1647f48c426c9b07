#include "grading/trial.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <deque>
#include <functional>
#include <utility>

namespace nonocsp {

Trial::Trial(const PuzzleClues& clues)
    : clues_(clues),
      number_(clues.rows.size()),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      queue_(clues.rows.size(), clues.columns.size()) {}

template <class Changed>
bool Trial::settle(Board& board, LineId id, Watch& watch, Changed changed) {
    watch.check();
    const std::span<const Word> line = board.line(id);
    settled_.resize(line.size());
    if (!settlers_[index(id.axis)]->settle(clues_[id], line, settled_)) return false;
    board.narrow(id, settled_, [&](std::size_t position) { changed(LineId{crossing(id.axis), position}); });
    return true;
}

std::int64_t Trial::settles_to_contradiction(const Board& grid, Cell cell, std::size_t colour, Watch& watch) {
    Board board = grid;
    board.narrow_cell(cell, Word{1} << colour);
    Flags has_changed(clues_.rows.size() + clues_.columns.size());
    has_changed[number_({Axis::kRow, cell.row})] = 1;
    has_changed[number_({Axis::kColumn, cell.column})] = 1;
    queue_.push_all();
    for (std::int64_t settles = 1; !queue_.empty(); ++settles) {
        const LineId id = queue_.pop();
        if (std::exchange(has_changed[number_(id)], 0) == 0) continue;
        const bool fits = settle(board, id, watch, [&](LineId changed) {
            has_changed[number_(changed)] = 1;
            queue_.push(changed);
        });
        if (fits) continue;
        queue_.clear();
        return settles;
    }
    return 0;
}

int Trial::sweeps_to_contradiction(const Board& grid, Cell cell, std::size_t colour, int most, Watch& watch) {
    struct Way {
        Board board;
        Axis axis;
        std::array<Flags, 2> has_changed;
    };
    Board start = grid;
    start.narrow_cell(cell, Word{1} << colour);
    std::array<Flags, 2> changed{Flags(clues_.rows.size()), Flags(clues_.columns.size())};
    changed[0][cell.row] = changed[1][cell.column] = 1;
    std::array<Way, 2> ways{Way{start, Axis::kRow, changed}, Way{start, Axis::kColumn, changed}};
    const auto is_over = [](const Way& way) {
        return std::ranges::none_of(
            way.has_changed, [](const Flags& flags) { return std::ranges::find(flags, 1) != flags.end(); });
    };
    for (int length = 1; length <= most; ++length) {
        for (auto& [board, axis, has_changed] : ways) {
            Flags lines(has_changed[index(axis)].size());
            lines.swap(has_changed[index(axis)]);
            for (std::size_t position = 0; position < lines.size(); ++position)
                if (lines[position] != 0 && !settle(board, {axis, position}, watch, [&](LineId crossed) {
                        has_changed[index(crossed.axis)][crossed.position] = 1;
                    }))
                    return length;
            axis = crossing(axis);
        }
        if (std::ranges::any_of(ways, is_over)) return 0;  // so does the other way, at the same fixpoint
    }
    return 0;
}

std::vector<LineId> Trial::trail(const Board& grid, Cell cell, std::size_t colour, Watch& watch) {
    struct Followed {
        LineId line;
        std::vector<LineId> changed;
    };
    Board board = grid;
    board.narrow_cell(cell, Word{1} << colour);
    std::vector<Followed> followed;
    queue_.push({Axis::kRow, cell.row});
    queue_.push({Axis::kColumn, cell.column});
    LineId id = queue_.pop();
    for (;; id = queue_.pop()) {
        Followed next{id, {}};
        if (!settle(board, id, watch, [&](LineId changed) { next.changed.push_back(changed); })) break;
        for (const LineId changed : next.changed) queue_.push(changed);
        if (!next.changed.empty()) followed.push_back(std::move(next));
        assert(!queue_.empty());
    }
    queue_.clear();
    // Only the lines that the contradiction can rest on.
    Flags is_needed(clues_.rows.size() + clues_.columns.size());
    is_needed[number_(id)] = 1;
    std::deque<LineId> needed;
    for (std::size_t i = followed.size(); i-- > 0;) {
        const auto& [line, changed] = followed[i];
        if (std::ranges::none_of(changed, [&](LineId one) { return is_needed[number_(one)] != 0; })) continue;
        is_needed[number_(line)] = 1;
        needed.push_front(line);
    }
    std::vector<LineId> trail;
    for (const LineId line : needed)
        if (line != id && std::ranges::find(trail, line) == trail.end()) trail.push_back(line);
    trail.push_back(id);
    return trail;
}

Progressed Refuter::find(const Board& grid, std::int64_t& trials, Watch& watch) {
    const std::size_t columns = grid.lines(Axis::kColumn);
    for (;;) {
        while (!is_scanning_ && !failed_.empty()) {
            const Failure failure = failed_.back();
            failed_.pop_back();
            const Cell cell{failure.cell / columns, failure.cell % columns};
            const Word left = grid.candidates(cell);
            if ((left >> failure.colour & 1) == 0 || std::has_single_bit(left)) continue;
            std::vector<LineId> trail = trial_.trail(grid, cell, failure.colour, watch);
            const LineId contradiction = trail.back();
            trail.pop_back();
            found_ = {cell, failure.colour, std::move(trail), contradiction};
            return Progressed::kFound;
        }
        if (!scan(grid, trials, watch)) return Progressed::kPaused;
        if (failed_.empty()) return Progressed::kNothing;
        std::ranges::sort(failed_, std::greater());
    }
}

// Tries every candidate of every open cell; false if it paused before the end.
bool Refuter::scan(const Board& grid, std::int64_t& trials, Watch& watch) {
    const std::size_t columns = grid.lines(Axis::kColumn), cells = grid.lines(Axis::kRow) * columns;
    if (!is_scanning_) next_ = 0;
    is_scanning_ = true;
    for (; next_ < cells; ++next_) {
        const Cell cell{next_ / columns, next_ % columns};
        const Word left = grid.candidates(cell);
        if (std::has_single_bit(left)) continue;
        if (trials <= 0) return false;
        for_each_cell(left, 0, [&](std::size_t colour) {
            --trials;
            if (const std::int64_t settles = trial_.settles_to_contradiction(grid, cell, colour, watch))
                failed_.push_back({settles, next_, colour});
        });
    }
    is_scanning_ = false;
    return true;
}

}  // namespace nonocsp
