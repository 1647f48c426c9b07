// Backtracking with line solving and nothing else: propagate, branch on a cell of the line that is closest to
// being decided, go back when a line fits no more. Where a puzzle falls into small independent parts, as most
// ambiguous ones do, that finds solutions in a fraction of the time that probing takes; elsewhere it fails at
// once. So it gives up, by BudgetSpent, after a few dead ends; solutions given by then stay given.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "grid/small_propagator.hpp"
#include "search/search.hpp"

namespace nonocsp {

template <class Board>
class BacktrackingTree {
  public:
    using Branch = Narrowing;
    struct Node {
        Board board;
        std::optional<Narrowing> assumed = {};  // not yet narrowed by; nothing at the root
    };

    BacktrackingTree(const PuzzleClues& clues, std::size_t dead_ends)
        : propagator_(clues), allowed_(dead_ends) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch);
    std::vector<Branch> branches(const Node& node, Watch& watch);
    void take(Node& node, const Branch& branch) { node.assumed = branch; }

    void add_to(Statistics& statistics) const { statistics.emplace_back("settles", propagator_.settles()); }

  private:
    PropagatorOf<Board> propagator_;
    std::size_t allowed_, dead_ends_ = 0;
};

// On boards of the type that the puzzle takes.
std::unique_ptr<Search> make_backtracking_search(const PuzzleClues& clues, std::size_t dead_ends);

}  // namespace nonocsp
