// Depth-first search with fully probing at every node (Wu et al., An efficient approach to solving nonograms,
// 2013) and GP relations, whose groups grow down the path and are painted at once. FP1 would paint them too,
// so groups save probes, not nodes. The cell to branch on is the one with the highest score, one of seven
// functions of the gains of its candidates.
//
// A budget limits the probes: at the root to `budget`, plus two for each candidate removed; in the branches
// to `budget` more. When it is spent, the search yields the solutions found so far and then throws
// BudgetSpent. The root stays for another method to continue from.
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
    std::size_t min_group;  // of the groups to paint at once
    ProbingScore score;
    ProbingOrder order;
    std::uint64_t seed;
    std::optional<std::int64_t> budget = {};  // of probes
};

template <PartialGrid Grid>
class ProbingTree {
  public:
    using Branch = Narrowing;
    // A solution has a board only.
    struct Node : ProbedBoard<Grid> {
        using ProbedBoard<Grid>::ProbedBoard;
        std::vector<Narrowing> assumed;  // the branch, until the node is narrowed
    };

    ProbingTree(const PuzzleClues& clues, const ProbingOptions& options)
        : options_(options), prober_(clues, options.level, options.groups), random_(options.seed) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch);
    std::vector<Branch> branches(const Node& node, Watch& watch);
    void take(Node& node, const Branch& branch);

    // As ProbingSearch::root.
    const Board* root() const { return root_ ? &*root_ : nullptr; }

    void add_to(Statistics& statistics) const;

  private:
    bool narrow_root(Node& root, std::vector<Grid>& found, Watch& watch);
    void leave_root(const Node& root, bool open);
    bool narrow_branch(Node& node, std::vector<Grid>& found, Watch& watch);
    Cell best_cell(const Node& node) const;
    double score(const Node& node, Cell cell) const;
    void put_in_order(std::vector<Branch>& branches, const Node& node);

    ProbingOptions options_;
    Prober<Grid> prober_;
    Random random_;
    bool is_started_ = false, at_root_ = true;
    bool is_budget_spent_ = false;
    std::optional<Board> root_;
    std::optional<std::size_t> painted_;
    std::vector<std::size_t> group_sizes_;  // at the root, the largest first
};

class ProbingSearch : public Search {
  public:
    using Search::Search;

    // The root after its probes, without the solutions that they completed; null before that, and if no
    // solution is left.
    virtual const Board* root() const = 0;
};

// A search on the fastest type of board for the puzzle and the options.
std::unique_ptr<ProbingSearch> make_probing_search(const PuzzleClues& clues, const ProbingOptions& options);

}  // namespace nonocsp
