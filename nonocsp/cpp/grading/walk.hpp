// Walks through a puzzle as people do: always the cheapest deduction, until there is none. Techniques of one
// line go first, in the order of the catalogue; what-if questions start only at the fixpoint of settle.
// Without them the steps together are exactly line solving.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/coordinates.hpp"
#include "base/watch.hpp"
#include "grading/deductions.hpp"
#include "grading/trial.hpp"
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
    Walk(const PuzzleClues& clues, Deductions start, bool asks);

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

// The next step of a person from a grid that is filled in part, or the mistakes in it.

// A line that no placement fits, and its decided cells each of which would mend it if opened.
struct BrokenLine {
    LineId line;
    std::vector<std::size_t> suspects;
};

class Hint {
  public:
    // Looks for mistakes: `known` has what is known of the solution. `clues` must outlive it.
    Hint(const PuzzleClues& clues, const Board& grid, const Board& known, Watch& watch);

    // Looks for the steps, with about so many trials of what-if questions; true once they are known.
    bool advance(std::int64_t trials, Watch& watch);

    // Decided cells that have no candidate in common with what is known.
    const std::vector<Cell>& wrong() const { return wrong_; }
    const std::vector<BrokenLine>& broken() const { return broken_; }
    // The line where line solving from the grid ends in a contradiction, if nothing else is wrong.
    const std::optional<LineId>& clash() const { return clash_; }
    // In several colours, steps that narrow cells and then one that decides some; none if something is wrong,
    // the grid is full, or no technique helps.
    const std::vector<WalkStep>& steps() const { return steps_; }

  private:
    const PuzzleClues& clues_;
    Board grid_;
    std::vector<Cell> wrong_;
    std::vector<BrokenLine> broken_;
    std::optional<LineId> clash_;
    std::optional<Walk> walk_;  // until the steps are known
    std::vector<WalkStep> steps_;
};

}  // namespace nonocsp
