// Backtracking with line solving alone: propagate, branch on a cell of the line with the fewest open cells,
// go back when no placement fits a line. Where a puzzle falls into small independent parts, as most ambiguous
// puzzles do, it finds solutions in a fraction of the time of probing; elsewhere it fails early. So it throws
// BudgetSpent after a few dead ends.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "grid/small_propagator.hpp"
#include "search/search.hpp"

namespace nonocsp {

template <PartialGrid Grid>
class BacktrackingTree {
  public:
    using Branch = Narrowing;
    struct Node {
        Grid board;
        std::optional<Narrowing> assumed = {};  // the branch, until the node is narrowed; none at the root
    };

    BacktrackingTree(const PuzzleClues& clues, std::size_t dead_ends)
        : propagator_(clues), allowed_(dead_ends) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch);
    std::vector<Branch> branches(const Node& node, Watch& watch);
    void take(Node& node, const Branch& branch) { node.assumed = branch; }

    void add_to(Statistics& statistics) const { statistics.emplace_back("settles", propagator_.settles()); }

  private:
    PropagatorOf<Grid> propagator_;
    std::size_t allowed_, dead_ends_ = 0;
};

// A search on the fastest type of board for the puzzle.
std::unique_ptr<Search> make_backtracking_search(const PuzzleClues& clues, std::size_t dead_ends);

}  // namespace nonocsp
