// Gives a cell of a grid at the fixpoint of settle a colour and follows what lines say. A line that has not
// changed is not settled; the fixpoint would leave it as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/coordinates.hpp"
#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "line/clue.hpp"
#include "line/settler.hpp"

namespace nonocsp {

// How a portion of trials ends.
enum class Progressed : std::uint8_t { kFound, kNothing, kPaused };

class Trial {
  public:
    explicit Trial(const PuzzleClues& clues);

    // The lines that propagation visits, all lines once and then those that change, until one has no
    // placement; 0 if each keeps one.
    std::int64_t settles_to_contradiction(const Board& grid, Cell cell, std::size_t colour, Watch& watch);

    // The sweeps until a line has no placement, rows or columns first, whichever is sooner; 0 if each keeps
    // one, or if it takes more than `most` sweeps.
    int sweeps_to_contradiction(const Board& grid, Cell cell, std::size_t colour, int most, Watch& watch);

    // The lines that a contradiction rests on, in order and each but once, and last the contradicting one.
    // The candidate must fail.
    std::vector<LineId> trail(const Board& grid, Cell cell, std::size_t colour, Watch& watch);

  private:
    using Flags = std::vector<std::uint8_t>;  // by number of the line

    // Settles a line; changed(crossing line) for each of its changes. False if no placement fits.
    template <class Changed>
    bool settle(Board& board, LineId id, Watch& watch, Changed changed);

    const PuzzleClues& clues_;
    LineNumbers number_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    DirtyLines queue_;
    std::vector<Word> settled_;
};

// The what-if technique: give a cell a colour; if line solving ends in a contradiction, it has another. This
// is half of probing (Wu et al., An efficient approach to solving nonograms, 2013); people do not see what
// both values of a cell agree on. A scan tries all candidates of all open cells. Of those that fail, the one
// that settles fewest lines comes first; the others stay for later, because they fail in every later grid
// too. Cost of a scan: a propagation for each candidate, in portions of counted trials.

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
