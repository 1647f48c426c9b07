// The what-if technique: give a cell a colour; if line solving ends in a contradiction, it has another. This
// is half of probing (Wu et al., An efficient approach to solving nonograms, 2013); people do not see what
// both values of a cell agree on. A scan tries all candidates of all open cells. Of those that fail, the one
// that settles fewest lines comes first; the others stay for later, because they fail in every later grid
// too. Cost of a scan: a propagation for each candidate, in portions of counted trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/coordinates.hpp"
#include "base/watch.hpp"
#include "grading/trial.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// The proof that a cell does not have a colour: the lines to settle one after the other, each but once, and
// the line that no placement fits in the end.
struct Refutation {
    Cell cell;
    std::size_t colour;
    std::vector<LineId> trail;
    LineId contradiction;
};

class Refuter {
  public:
    // `clues` must outlive it.
    explicit Refuter(const PuzzleClues& clues) : trial_(clues) {}

    // Looks for a candidate that fails in a grid at the fixpoint of settle, which lies within the grid of the
    // call before and is the same one after kPaused. Takes the trials that it makes from `trials`.
    Progressed find(const Board& grid, std::int64_t& trials, Watch& watch);

    // What it has found.
    const Refutation& found() const { return found_; }

  private:
    struct Failure {
        std::int64_t settles;
        std::size_t cell, colour;
        auto operator<=>(const Failure&) const = default;
    };

    bool scan(const Board& grid, std::int64_t& trials, Watch& watch);

    Trial trial_;
    std::vector<Failure> failed_;  // the cheapest last
    bool is_scanning_ = false;
    std::size_t next_ = 0;  // the cell that the scan tries next
    Refutation found_{};
};

}  // namespace nonocsp
