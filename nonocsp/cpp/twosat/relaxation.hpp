// Solver0 and Solver1 of Batenburg & Kosters (Solving Nonograms by combining relaxations, 2009).
//
// Solver0 narrows a board by two relaxations in turn until neither goes further: the fixpoint of settle, each
// line by itself, and 2-SAT over the clauses of all lines together. Solver1 looks one cell ahead with
// Solver0. Both are sound, and their results depend neither on the order nor on earlier calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "twosat/line_clauses.hpp"
#include "twosat/two_sat.hpp"

namespace nonocsp {

// Narrows boards of one puzzle, all of which lie within the first one. Cost of a round: a settle for each
// literal of the open cells of each line that changed since its clauses were derived, and the 2-SAT.
class Solver0 {
  public:
    explicit Solver0(const PuzzleClues& clues) : clues_(clues), propagator_(clues) {}

    // As in Propagator.
    void touch_all() { propagator_.touch_all(); }
    void narrow_cell(Board& board, Cell cell, Word candidates) {
        propagator_.narrow_cell(board, cell, candidates);
    }

    // Narrows a board to another one, which lies within it; whether it changed.
    bool intersect(Board& board, const Board& other);

    // The first relaxation alone; false at a contradiction.
    bool settle(Board& board, Watch& watch) { return !propagator_.to_fixpoint(board, watch); }

    // Both; false at a contradiction. Throws Unsupported if there are too many clauses.
    bool narrow(Board& board, Watch& watch);

    // By candidate of each open cell of a narrowed board: the number of literals that it implies on its
    // lines.
    std::vector<std::int32_t> implications(const Board& board, Watch& watch);

    std::int64_t settles() const;
    std::int64_t rounds() const { return rounds_; }
    // The size of the last 2-SAT instance.
    std::int64_t variables() const;
    std::int64_t clauses() const;

  private:
    struct Relaxation {
        Relaxation(const PuzzleClues& clues, const Board& board)
            : lines(clues, board), two_sat(lines.literals().variables()) {}
        LineClauses lines;
        TwoSat two_sat;
    };

    std::optional<std::vector<Literal>> forced(const Board& board, Watch& watch);
    template <class Visit>
    void for_each_line(Visit visit) const;

    const PuzzleClues& clues_;
    Propagator propagator_;
    std::unique_ptr<Relaxation> relaxation_;  // made for the first board
    std::int64_t rounds_ = 0;
};

// Assumes every value of every open cell and narrows with Solver0. Removes values that contradict, and
// candidates that the other values all remove, until no cell narrows the board. Cost: Solver0 for each value
// of each open cell, times the rounds.
class Solver1 {
  public:
    explicit Solver1(Solver0& solver) : solver_(solver) {}

    // False at a contradiction.
    bool narrow(Board& board, Watch& watch);

  private:
    std::optional<Board> agreed(const Board& board, Cell cell, Watch& watch);

    Solver0& solver_;
};

}  // namespace nonocsp
