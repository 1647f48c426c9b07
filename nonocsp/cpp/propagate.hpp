// Line propagation (Batenburg & Kosters 2009): settle dirty lines until nothing changes. The fixpoint does
// not depend on the order; alternating sweeps, rows first, count the difficulty of a puzzle (Batenburg et
// al., simple Nonograms).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "board.hpp"
#include "clue.hpp"
#include "settler.hpp"
#include "stop_flag.hpp"

namespace nonocsp {

// The clues of a puzzle. Immutable; threads share it and bring their own Propagator.
struct PuzzleClues {
    PuzzleClues(const FlatClues& row_clues, const FlatClues& column_clues, std::size_t colour_count);

    const Clues& of(Axis axis) const { return axis == Axis::kRow ? rows : columns; }

    Clues rows, columns;
    std::size_t colours;  // the background included
};

struct Fixpoint {
    std::optional<LineId> contradiction;  // the first line that no placement fits
    std::int64_t settles = 0;
    std::int64_t sweeps = 0;  // until nothing changed any more
    bool interrupted = false;
};

// Settles lines of a board. Holds the settlers' memory and the dirty lines; one thread at a time.
class Propagator {
  public:
    Propagator(const PuzzleClues& clues, Board& board);

    // Settles every line and whatever gets dirty, first dirty, first settled.
    Fixpoint by_queue(const StopFlag* stop);

    // The same in alternating sweeps, rows first. A sweep settles the dirty lines only: the others would not
    // change.
    Fixpoint by_sweeps(const StopFlag* stop);

    // Settles all lines of one axis, each from the board as it was: lines of one axis share no cell.
    Fixpoint sweep(Axis axis, const StopFlag* stop);

  private:
    // Settles one line, passes its changes on to changed(crossing line) and returns whether to go on.
    template <class Changed>
    bool settle(LineId id, const StopFlag* stop, Fixpoint& result, Changed changed);

    const PuzzleClues& clues_;
    Board& board_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    std::array<std::vector<std::uint8_t>, 2> dirty_;
    std::vector<Word> settled_;
};

}  // namespace nonocsp
