// Forced cells by enumeration of block positions (Paddy McCarthy's nonovector and newforces, 2014): stream
// all placements of a line that fit its forced cells, and force what they share. Lines are visited by sweeps
// until nothing changes. Nothing is stored, so memory stays small, but time grows with the number of
// placements. A stream ends early once it has used every candidate of the line.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "line/placements.hpp"

namespace nonocsp {

// Forces cells of boards of one puzzle; serves one thread at a time.
class BlockForcing {
  public:
    // Sweeps begin with the lines of axis `first`; all lines are due at first.
    BlockForcing(const PuzzleClues& clues, Axis first);

    // Forces the cells of one placement.
    void force(Board& board, LineId id, const Placements& placement);

    // Visits the due lines, axis after axis, until no line is due; false if no placement fits some line.
    bool to_fixpoint(Board& board, Watch& watch);

    // The lines visited, and the placements streamed.
    std::int64_t lines() const { return lines_; }
    std::int64_t placements() const { return placements_; }

  private:
    bool sweep(Board& board, Axis axis, Watch& watch);
    bool visit(Board& board, LineId id, Watch& watch);
    void narrow(Board& board, LineId id);
    bool any_due() const;

    const PuzzleClues& clues_;
    Axis first_;
    std::array<std::vector<std::uint8_t>, 2> due_;  // [axis][position]
    std::vector<Word> used_;  // the candidates that placements have used, as planes of the line at hand
    std::int64_t lines_ = 0, placements_ = 0;
};

}  // namespace nonocsp
