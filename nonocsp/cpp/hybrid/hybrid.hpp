// The fastest of ours, in three stages: backtracking with line solving, as long as it does not get stuck;
// fully probing (Wu et al. 2013), as long as it pays; then a search that learns from its conflicts, guided by
// belief propagation, from the root as the probes left it. A solution that a stage comes upon again is passed
// over, and learning is forbidden all that were given, so that every solution comes once.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "cdcl/solver.hpp"
#include "hybrid/guide.hpp"
#include "probing/probing_search.hpp"
#include "search/backtracking.hpp"
#include "search/search.hpp"

namespace nonocsp {

enum class Guidance { kNone, kBeliefs, kDives };

struct HybridOptions {
    bool backtracking = true;
    std::int64_t budget = 100;  // of probes
    Guidance guidance = Guidance::kDives;
    std::size_t memory = std::size_t{256} << 20;  // bytes for learnt clauses
    std::uint64_t seed = 0;
    SearchOptions search = {};  // for experiments
};

class HybridSearch final : public Search {
  public:
    HybridSearch(const PuzzleClues& clues, const HybridOptions& options);

    bool next(Watch& watch, std::span<Word> cells) override;
    Statistics statistics() const override;

  private:
    // The stage's next solution; false if there is none left. Throws BudgetSpent if it gives up.
    bool next_of_stage(Watch& watch, std::span<Word> cells);
    void start_probing();
    void start_learning(Watch& watch);
    bool next_by_learning(Watch& watch, std::span<Word> cells);
    // Alternates search and dives.
    CdclSolver::End search_with_dives(Watch& watch);
    // Writes down a solution; false if it was given before.
    bool is_new(std::span<const Word> cells);

    HybridOptions options_;
    Stage stage_ = Stage::kBacktracking;  // then kProbing, then kLearning
    std::unique_ptr<Search> backtracking_;
    std::unique_ptr<ProbingSearch> probing_;
    std::unique_ptr<CdclSolver> solver_;
    std::unique_ptr<Guide> guide_;
    std::set<std::vector<Word>> given_;  // before learning
    bool has_solution_ = false;          // a solution, which is on the board
};

}  // namespace nonocsp
