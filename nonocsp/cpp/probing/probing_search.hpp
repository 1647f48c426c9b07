// Depth-first search with fully probing at every node (Wu et al., An efficient approach to solving nonograms,
// 2013) and GP relations, whose groups grow down the path and are painted at once. FP1 would paint them too,
// so that groups save probes, not nodes. The probes of a node say on which cell to branch: seven scores are
// made of what its candidates gain.
//
// With a budget, probing goes on at the root while it pays: for that many probes, and two more for each
// candidate that they remove; then, in branches, for that many. After that the solutions that it has come
// upon are given first, then its next step throws BudgetSpent. The root is there for another method to go on
// from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "probing/prober.hpp"
#include "search/search.hpp"

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
    std::optional<std::int64_t> budget = {};  // of probes
};

template <class Board>
class ProbingTree {
  public:
    struct Branch {
        Cell cell;
        Word candidates;
    };
    // Found solutions are nodes of which only the board is there.
    struct Node : ProbedBoard<Board> {
        using ProbedBoard<Board>::ProbedBoard;
        std::vector<Narrowing> assumed;  // not yet narrowed by
    };

    ProbingTree(const PuzzleClues& clues, const ProbingOptions& options)
        : options_(options), prober_(clues, options.level, options.groups), random_(options.seed) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch);
    std::vector<Branch> branches(const Node& node, Watch& watch);
    void take(Node& node, const Branch& branch);

    // As ProbingSearch::root.
    const nonocsp::Board* root() const { return root_ ? &*root_ : nullptr; }

    void add_to(Statistics& statistics) const;

  private:
    bool narrow_root(Node& root, std::vector<Board>& found, Watch& watch);
    void leave_root(const Node& root, bool open);
    bool narrow_branch(Node& node, std::vector<Board>& found, Watch& watch);
    Cell best_cell(const Node& node) const;
    double score(const Node& node, Cell cell) const;
    void put_in_order(std::vector<Branch>& branches, const Node& node);

    ProbingOptions options_;
    Prober<Board> prober_;
    Random random_;
    bool is_started_ = false, at_root_ = true;
    bool is_budget_spent_ = false;
    std::optional<nonocsp::Board> root_;
    std::optional<std::size_t> painted_;
    std::vector<std::size_t> group_sizes_;  // at the root, the largest first
};

class ProbingSearch : public Search {
  public:
    using Search::Search;

    // What is left of the root after its probes, without the solutions that they completed; null before that,
    // and if nothing is left.
    virtual const Board* root() const = 0;
};

// On boards of the type that puzzle and options take.
std::unique_ptr<ProbingSearch> make_probing_search(const PuzzleClues& clues, const ProbingOptions& options);

}  // namespace nonocsp
