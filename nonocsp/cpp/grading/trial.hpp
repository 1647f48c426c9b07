// Gives a cell of a grid at the fixpoint of settle a colour and follows what lines say. A line that has not
// changed is not settled; the fixpoint would leave it as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

}  // namespace nonocsp
