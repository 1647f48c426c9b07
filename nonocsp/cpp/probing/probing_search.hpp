// Depth-first search with fully probing at every node (Wu et al., An efficient approach to solving nonograms,
// 2013) and GP relations, whose groups grow down the path and are painted at once. FP1 would paint them too,
// so groups save probes, not nodes. The cell to branch on is the one with the highest score, one of seven
// functions of the gains of its candidates.
//
// A budget limits the probes: at the root to `budget`, plus two for each candidate removed; in the branches
// to `budget` more. Both grow on boards of more than 2500 open cells; there, candidates removed earn nothing
// if line solving decided some cells. When it is spent, the search yields the solutions found so far and then
// throws BudgetSpent. The root stays for another method to continue from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "probing/prober.hpp"
#include "proofs/board_proof.hpp"
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
    BoardProof* proof = nullptr;              // of level FP1 without groups
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
