#include "grading/walk.hpp"

#include <utility>

namespace nonocsp {

Walk::Walk(const PuzzleClues& clues, Board grid, bool asks)
    : asks_(asks), deductions_(clues, std::move(grid)), refuter_(clues) {}

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

}  // namespace nonocsp
