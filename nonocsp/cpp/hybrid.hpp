// The fastest of ours: fully probing first, which decides most puzzles by itself (Wu et al. 2013), then, once
// that has spent its budget of probes, a search that learns from its conflicts and is guided by belief
// propagation. What probing has found out about the root is where learning begins; solutions that were given
// are forbidden for good, so that every solution comes once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "guide.hpp"
#include "learner.hpp"
#include "probing.hpp"
#include "search.hpp"

namespace nonocsp {

enum class Guidance { kNone, kBeliefs, kDives };

struct HybridOptions {
    std::int64_t budget = 500;  // probes after those of the root
    Guidance guidance = Guidance::kDives;
    std::size_t memory = std::size_t{256} << 20;  // bytes for learnt clauses
    std::uint64_t seed = 0;
};

class HybridSearch final : public Search {
  public:
    HybridSearch(const PuzzleClues& clues, const HybridOptions& options);

    bool next(Watch& watch, std::span<Word> cells) override;
    Statistics statistics() const override;

  private:
    bool next_by_probing(Watch& watch, std::span<Word> cells);
    void hand_over(Watch& watch);
    // Forbids the solutions given so far.
    void exclude_given();
    bool next_by_learning(Watch& watch, std::span<Word> cells);
    // Alternates search and dives.
    Learner::End search_with_dives(Watch& watch);

    HybridOptions options_;
    std::unique_ptr<ProbingSearch> probing_;  // until it hands over
    Statistics probing_statistics_;
    std::unique_ptr<Learner> learner_;
    std::unique_ptr<Guide> guide_;
    std::vector<Board> given_;     // by probing
    bool has_learnt_one_ = false;  // a solution, which is on the board
};

}  // namespace nonocsp
