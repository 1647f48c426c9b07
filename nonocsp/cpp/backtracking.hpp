// Backtracking with line solving and nothing else: propagate, branch on a cell of the line that is closest to
// being decided, go back when a line fits no more. Where a puzzle falls into small independent parts, as most
// ambiguous ones do, that finds solutions in a fraction of the time that probing takes; elsewhere it fails at
// once. So it gives up, by BudgetSpent, after a few dead ends; solutions given by then stay given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "depth_first.hpp"
#include "probe.hpp"
#include "search.hpp"

namespace nonocsp {

template <class Board>
class BacktrackingTree {
  public:
    using Branch = Narrowing;
    struct Node {
        Board board;
        std::optional<Narrowing> assumed = {};  // not yet narrowed by
    };

    BacktrackingTree(const PuzzleClues& clues, std::size_t dead_ends)
        : propagator_(clues), cells_(clues.rows.size() * clues.columns.size()), allowed_(dead_ends) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch);
    std::vector<Branch> branches(const Node& node, Watch& watch);
    void take(Node& node, const Branch& branch) { node.assumed = branch; }

    std::int64_t settles() const { return propagator_.settles(); }

  private:
    PropagatorOf<Board> propagator_;
    std::size_t cells_, allowed_, dead_ends_ = 0;
    bool is_started_ = false;
};

class BacktrackingSearch final : public Search {
  public:
    BacktrackingSearch(const PuzzleClues& clues, std::size_t dead_ends);
    ~BacktrackingSearch() override;

    bool next(Watch& watch, std::span<Word> cells) override;
    Statistics statistics() const override;

  private:
    class Way;
    template <class Board>
    class WayOf;

    std::unique_ptr<Way> way_;  // chosen by the size of the board
};

}  // namespace nonocsp
