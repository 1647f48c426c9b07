// The next step of a person from a grid that is filled in part, or the mistakes in it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/coordinates.hpp"
#include "base/watch.hpp"
#include "grading/walk.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

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
