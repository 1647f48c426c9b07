// Proves what line solving and probing find on a board. It settles the lines once more, as the search did,
// and writes lemmas, in that order, for the candidates that they remove and unit propagation does not: it
// decides the cells that a block covers wherever it can start, and those between two blocks wherever these
// can. Only what came of something is proved: a candidate that a probe refuted, and what all others of the
// cell agree on. Cost: those fixpoints once more.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "grid/settle_cache.hpp"
#include "proofs/proof_log.hpp"

namespace nonocsp {

class BoardProof {
  public:
    // Both must outlive it.
    BoardProof(const PuzzleClues& clues, ProofLog& log);

    // Says which assumptions hold from now on: a lemma is true, or one of these literals is.
    void enter(std::span<const Literal> unless) { clause_.assign(unless.begin(), unless.end()); }
    // "The cell does not have the colour", one of the literals of enter() where it is assumed.
    Literal denies(const Narrowing& branch) const;

    // Settles all lines of the empty board.
    void settle_all(Watch& watch);
    // Settles a board on which a cell was narrowed.
    void settle(Board board, Cell cell, Watch& watch);
    // A board without a candidate of a cell: propagating the candidate leads to a contradiction, or to the
    // solution that is excluded.
    void refute(const Board& board, Cell cell, std::size_t colour, Watch& watch);
    // The board after the probes of a cell, of whose candidates `left` were not refuted.
    void adopt(const Board& before, const Board& after, Cell cell, Word left, Watch& watch);
    // No solution is left under the assumptions.
    void close() { keep(); }
    // Deletes all lemmas that have assumptions.
    void forget_branches() { branches_.erase_from(log_); }

  private:
    // A candidate that settling a line removed.
    struct Removed {
        Cell cell;
        std::size_t colour;
        LineId by;
        bool is_obvious;  // to unit propagation
    };

    // Settles the dirty lines, and lists what that removes; false at a contradiction, in `failed_`.
    bool propagate(Board& board, Watch& watch);
    // Leaves out of the list what neither the contradiction needs nor, with `after`, what that board lacks.
    void trim(const Board* after);
    // Sets `obvious_` to the cells that unit propagation decides on a line.
    void find_obvious(LineId id, std::span<const Word> line);
    // Adds a lemma for each that is listed and not obvious.
    void derive_all();
    void touch(Cell cell);
    void derive(Literal literal);
    // Adds the lemma for good, or until forget_branches().
    void keep();
    // Propagates a candidate with lemmas that are in the chain; the clause ends with its negation then.
    // With `after`, only what leads to what that board lacks.
    void suppose(Board board, Cell cell, std::size_t colour, Watch& watch, const Board* after = nullptr);

    const PuzzleClues& clues_;
    ProofLog& log_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    std::array<SettleCache, 2> caches_;
    DirtyLines dirty_;
    std::vector<Word> offsets_, obvious_;
    std::vector<Removed> removed_;
    LineId failed_{Axis::kRow, 0};
    std::vector<Literal> clause_;  // the literals of enter(), then those of the lemma at hand
    bool is_chained_ = false;      // whether lemmas are deleted soon
    ClauseList chain_, branches_;
};

}  // namespace nonocsp
