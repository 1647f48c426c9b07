// Backtracking with line solving alone: propagate, branch on a cell of the line with the fewest open cells,
// go back when no placement fits a line. Where a puzzle falls into small independent parts, as most ambiguous
// puzzles do, it finds solutions in a fraction of the time of probing; elsewhere it fails early. So it throws
// BudgetSpent after a few dead ends.
#pragma once

#include <cstddef>
#include <memory>

#include "proofs/board_proof.hpp"
#include "search/search.hpp"

namespace nonocsp {

struct BacktrackingOptions {
    std::size_t dead_ends;
    BoardProof* proof = nullptr;
};

// A search on the fastest type of board for the puzzle.
std::unique_ptr<Search> make_backtracking_search(const PuzzleClues& clues,
                                                 const BacktrackingOptions& options);

}  // namespace nonocsp
