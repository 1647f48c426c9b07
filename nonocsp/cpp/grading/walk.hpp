// Walks through a puzzle as people do: always the cheapest deduction, until there is none. Techniques of one
// line go first, in the order of the catalogue; what-if questions start only at the fixpoint of settle.
// Without them the steps together are exactly line solving.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/watch.hpp"
#include "grading/deductions.hpp"
#include "grading/refuter.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

struct WalkStep {
    Technique technique;
    std::optional<LineId> line;  // that shows it; for a question the contradicting one, none for kColours
    std::vector<CellChange> changes;  // what it decides or, in several colours, narrows
    BlockList blocks;                 // of the line's clue that the reasons are about
    std::vector<StepReason> reasons;
    std::size_t more = 0;       // reasons besides
    std::vector<LineId> trail;  // of a question: the lines to its contradiction
};

class Walk {
  public:
    // Starts at a grid; `clues` must outlive it. With `asks`, it asks what-if questions where lines are
    // stuck.
    Walk(const PuzzleClues& clues, Board grid, bool asks);

    // Takes the next step, already applied: kFound; kNothing at the end. Questions may make `trials` trials
    // and a few more until it pauses.
    Progressed next(std::int64_t trials, Watch& watch);

    const WalkStep& step() const { return step_; }
    const Board& grid() const { return deductions_.grid(); }
    const std::optional<LineId>& contradiction() const { return deductions_.contradiction(); }

  private:
    void take(WalkStep step);

    bool asks_, has_begun_ = false;
    Deductions deductions_;
    Refuter refuter_;
    WalkStep step_{};
};

}  // namespace nonocsp
