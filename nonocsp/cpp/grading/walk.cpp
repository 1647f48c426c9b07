#include "grading/walk.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "grid/propagator.hpp"
#include "line/planes.hpp"
#include "line/settler.hpp"

namespace nonocsp {
namespace {

std::vector<BrokenLine> broken_lines(const PuzzleClues& clues, const Board& grid) {
    std::vector<BrokenLine> broken;
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        const std::unique_ptr<Settler> settler = make_settler(clues.of(axis).line_length());
        const std::size_t words = words_for(clues.of(axis).line_length());
        for (std::size_t position = 0; position < grid.lines(axis); ++position) {
            const LineId id{axis, position};
            const std::span<const Word> line = grid.line(id);
            if (settler->feasible(clues[id], line)) continue;
            broken.push_back({id, {}});
            for (std::size_t cell = 0; cell < grid.length(axis); ++cell) {
                if (!std::has_single_bit(grid.candidates(cell_of(id, cell)))) continue;
                std::vector<Word> opened(line.begin(), line.end());
                for (std::size_t colour = 0; colour < grid.colours(); ++colour)
                    add_cells(&opened[colour * words], cell, cell + 1);
                if (settler->feasible(clues[id], opened)) broken.back().suspects.push_back(cell);
            }
        }
    }
    return broken;
}

// Whether line solving of its line shows what a step decides; a question shows it by its trail.
bool shows(const PuzzleClues& clues, Board board, const WalkStep& step) {
    if (!step.line) return true;
    if (!step.trail.empty()) return false;
    const std::span<const Word> line = board.line(*step.line);
    std::vector<Word> settled(line.size());
    make_settler(board.length(step.line->axis))->settle(clues[*step.line], line, settled);
    board.narrow(*step.line, settled, [](std::size_t) {});
    return std::ranges::all_of(step.changes, [&](const CellChange& change) {
        return (board.candidates(change.cell) & ~change.after) == 0;
    });
}

// Colours that both lines of a cell share need no hint, unless a later step does not follow without them.
void leave_out_colours(const PuzzleClues& clues, Board board, std::vector<WalkStep>& steps) {
    if (steps.size() < 2) return;
    std::vector<WalkStep> rest;
    for (const WalkStep& step : steps) {
        if (step.technique == Technique::kColours && decided(step.changes) == 0) continue;
        if (!shows(clues, board, step)) return;
        for (const CellChange& change : step.changes)
            board.narrow_cell(change.cell, board.candidates(change.cell) & change.after);
        rest.push_back(step);
    }
    steps = std::move(rest);
}

}  // namespace

Walk::Walk(const PuzzleClues& clues, Deductions start, bool asks)
    : asks_(asks), deductions_(std::move(start)), refuter_(clues) {}

Progressed Walk::next(std::int64_t trials, Watch& watch) {
    watch.check();
    if (contradiction()) return Progressed::kNothing;
    if (!std::exchange(has_begun_, true))
        if (std::vector<CellChange> changes = deductions_.unshared_colours(); !changes.empty()) {
            take({.technique = Technique::kColours,
                  .line = std::nullopt,
                  .changes = std::move(changes),
                  .blocks = {},
                  .reasons = {{.why = Why::kColours}},
                  .trail = {}});
            return Progressed::kFound;
        }
    if (const Deduction* one = deductions_.cheapest()) {
        take({one->technique, one->line, one->changes, one->blocks, one->reasons, one->more, {}});
        return Progressed::kFound;
    }
    if (!asks_) return Progressed::kNothing;
    const Progressed progressed = refuter_.find(grid(), trials, watch);
    if (progressed != Progressed::kFound) return progressed;
    const auto& [cell, colour, trail, line] = refuter_.found();
    const Word before = grid().candidates(cell);
    take({Technique::kProbe,
          line,
          {{cell, before, before & ~(Word{1} << colour)}},
          {},
          {{.why = Why::kProbe, .colour = colour}},
          0,
          trail});
    return Progressed::kFound;
}

void Walk::take(WalkStep step) {
    step_ = std::move(step);
    deductions_.apply(step_.changes);
}

Hint::Hint(const PuzzleClues& clues, const Board& grid, const Board& known, Watch& watch)
    : clues_(clues), grid_(grid), broken_(broken_lines(clues, grid)) {
    grid.for_each_disjoint(known, [&](Cell cell) {
        if (std::has_single_bit(grid.candidates(cell))) wrong_.push_back(cell);
    });
    if (!wrong_.empty() || !broken_.empty()) return;
    Propagator propagator(clues);
    propagator.touch_all();
    Board settled = grid;
    clash_ = propagator.to_fixpoint(settled, watch);
    if (!clash_) walk_.emplace(clues, Deductions(clues, grid), true);
}

bool Hint::advance(std::int64_t trials, Watch& watch) {
    while (walk_) {
        const Progressed progressed = walk_->next(trials, watch);
        if (progressed == Progressed::kPaused) return false;
        if (progressed == Progressed::kNothing) {
            walk_.reset();
            break;
        }
        steps_.push_back(walk_->step());
        if (decided(steps_.back().changes) > 0) walk_.reset();
    }
    leave_out_colours(clues_, grid_, steps_);
    return true;
}

}  // namespace nonocsp
