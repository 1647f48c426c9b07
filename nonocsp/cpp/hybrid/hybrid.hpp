// The fastest of ours, in three stages: backtracking with line solving, as long as it does not get stuck;
// fully probing (Wu et al. 2013), as long as it pays; then a search that learns from its conflicts, guided by
// belief propagation, for each independent component of the root as the probes left it. A solution that a
// stage comes upon again is passed over, and learning is forbidden all that were given, so that every
// solution comes once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "hybrid/options.hpp"
#include "hybrid/race.hpp"
#include "probing/probing_search.hpp"
#include "proofs/board_proof.hpp"
#include "proofs/component_proof.hpp"
#include "search/backtracking.hpp"
#include "search/product_search.hpp"
#include "search/search.hpp"

namespace nonocsp {

class HybridSearch final : public Search {
  public:
    HybridSearch(const PuzzleClues& clues, const HybridOptions& options);

    bool next(Watch& watch, std::span<Word> cells) override;
    Statistics statistics() const override;

  private:
    // The stage's next solution; false if there is none left. Throws BudgetSpent if it gives up.
    bool next_of_stage(Watch& watch, std::span<Word> cells);
    void start_probing();
    void start_learning();
    // Writes down a solution; false if it was given before.
    bool is_new(std::span<const Word> cells);

    HybridOptions options_;
    Stage stage_ = Stage::kBacktracking;  // then kProbing, then kLearning
    std::unique_ptr<Search> backtracking_;
    std::unique_ptr<ProbingSearch> probing_;
    std::optional<BoardProof> board_proof_;  // of backtracking or the probes
    std::vector<std::unique_ptr<ComponentProof>> component_proofs_;
    std::unique_ptr<ProductSearch<Race>> learning_;
    std::set<std::vector<Word>> given_;  // before learning
};

}  // namespace nonocsp
