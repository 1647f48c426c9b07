// Depth-first search with fully probing at every node (Wu et al., An efficient approach to solving nonograms,
// 2013) and GP relations, whose groups grow down the path and are painted at once. FP1 would paint them too,
// so that groups save probes, not nodes. The probes of a node say on which cell to branch: seven scores are
// made of what its candidates gain.
//
// With a budget, a search whose root is probed gives up after that many probes more: the solutions that it
// has come upon are given first, then its next step throws BudgetSpent. The root is there for another method
// to go on from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "depth_first.hpp"
#include "probe.hpp"
#include "search.hpp"

namespace nonocsp {

enum class ProbingScore { kSum, kMin, kMax, kProduct, kSqrt, kMinLogM, kMinLogD };

// Which candidate of a cell first.
enum class ProbingOrder { kLarger, kSmaller, kBackground, kRandom };

struct ProbingOptions {
    ProbingLevel level;
    bool groups;
    std::size_t min_group;  // smaller groups are not painted at once
    ProbingScore score;
    ProbingOrder order;
    std::uint64_t seed;
    std::optional<std::int64_t> budget = {};  // of probes, those of the root not counted
};

class ProbingTree {
  public:
    struct Branch {
        Cell cell;
        Word candidates;
    };
    // Found solutions are nodes of which only the board is there.
    struct Node : ProbedBoard {
        using ProbedBoard::ProbedBoard;
        std::vector<Prober::Narrowing> assumed;  // not yet narrowed by
    };

    ProbingTree(const PuzzleClues& clues, const ProbingOptions& options)
        : options_(options), prober_(clues, options.level, options.groups), random_(options.seed) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch);
    std::vector<Branch> branches(const Node& node, Watch& watch);
    void take(Node& node, const Branch& branch);

    // What is left of the root after its probes, without the solutions that they completed; null before that,
    // and if nothing is left.
    const Board* root() const { return root_ ? &*root_ : nullptr; }

    void add_to(Statistics& statistics) const;

  private:
    bool narrow_root(Node& root, std::vector<Board>& found, Watch& watch);
    bool narrow_branch(Node& node, std::vector<Board>& found, Watch& watch);
    Cell best_cell(const Node& node) const;
    double score(const Node& node, Cell cell) const;
    void put_in_order(std::vector<Branch>& branches, const Node& node);
    std::uint64_t next_random();

    ProbingOptions options_;
    Prober prober_;
    std::uint64_t random_;
    bool at_root_ = true;
    bool is_budget_spent_ = false;
    std::optional<Board> root_;
    std::optional<std::size_t> painted_;
    std::vector<std::size_t> group_sizes_;  // at the root, the largest first
};

class ProbingSearch final : public Search {
  public:
    ProbingSearch(const PuzzleClues& clues, const ProbingOptions& options)
        : Search(clues),
          tree_(clues, options),
          depth_first_(tree_,
                       ProbingTree::Node(Board(clues.rows.size(), clues.columns.size(), clues.colours))) {}

    bool next(Watch& watch, std::span<Word> cells) override;
    Statistics statistics() const override;
    const Board* root() const { return tree_.root(); }

  private:
    ProbingTree tree_;
    DepthFirst<ProbingTree> depth_first_;
};

}  // namespace nonocsp
