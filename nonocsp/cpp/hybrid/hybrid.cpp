#include "hybrid/hybrid.hpp"

#include <algorithm>
#include <cassert>

namespace nonocsp {
namespace {

constexpr std::int64_t kCellsOfBudget = 2500;

// Adds the counts of another stage: those of a name that is there already become a sum.
void add(Statistics& statistics, const Statistics& more) {
    for (const auto& [name, value] : more) {
        const auto found = std::ranges::find(statistics, name, [](const auto& entry) { return entry.first; });
        if (found == statistics.end())
            statistics.emplace_back(name, value);
        else
            found->second = std::get<std::int64_t>(found->second) + std::get<std::int64_t>(value);
    }
}

}  // namespace

HybridSearch::HybridSearch(const PuzzleClues& clues, const HybridOptions& options)
    : Search(clues), options_(options) {
    if (options.proof) {
        options.proof->begin(clues);
        board_proof_.emplace(clues, *options.proof);
    }
    if (options.backtracking)
        backtracking_ = make_backtracking_search(clues, {static_cast<std::size_t>(options.search.dead_ends),
                                                         board_proof_ ? &*board_proof_ : nullptr});
    else
        start_probing();
}

bool HybridSearch::next(Watch& watch, std::span<Word> cells) {
    for (;;) {
        try {
            while (next_of_stage(watch, cells))
                if (is_new(cells)) return true;
            if (options_.proof) {
                options_.proof->add_before([&] { board_proof_->write(); });
                options_.proof->add({});
            }
            return false;
        } catch (const BudgetSpent&) {
            stage_ == Stage::kBacktracking ? start_probing() : start_learning();
        }
    }
}

bool HybridSearch::next_of_stage(Watch& watch, std::span<Word> cells) {
    watch.progress().begin(stage_);
    if (stage_ == Stage::kBacktracking) return backtracking_->next(watch, cells);
    return stage_ == Stage::kProbing ? probing_->next(watch, cells) : learning_->next(watch, cells);
}

bool HybridSearch::is_new(std::span<const Word> cells) {
    if (stage_ == Stage::kLearning) return true;
    return given_.emplace(cells.begin(), cells.end()).second;
}

void HybridSearch::start_probing() {
    stage_ = Stage::kProbing;
    if (board_proof_) board_proof_->clear();
    // On a smaller board learning is soon faster.
    const auto cells =
        std::min(static_cast<std::int64_t>(clues().rows.size() * clues().columns.size()), kCellsOfBudget);
    const std::int64_t budget = options_.budget * cells / kCellsOfBudget;
    probing_ = make_probing_search(
        clues(), ProbingOptions{ProbingLevel::kFp1, false, 0, ProbingScore::kMinLogD, ProbingOrder::kLarger,
                                options_.seed, budget, board_proof_ ? &*board_proof_ : nullptr});
}

void HybridSearch::start_learning() {
    stage_ = Stage::kLearning;
    assert(probing_ && probing_->root() != nullptr);
    if (board_proof_) board_proof_->forget_branches();
    std::vector<Board> given;
    for (const std::vector<Word>& solution : given_) {
        given.emplace_back(clues().rows.size(), clues().columns.size(), clues().colours);
        given.back().read(solution);
    }
    learning_ = std::make_unique<ProductSearch<Race>>(
        clues(), *probing_->root(), given,
        [this](const Component& part, const std::vector<Board>& known, bool is_alone) {
            ComponentProof* proof = nullptr;
            if (options_.proof)
                proof = component_proofs_
                            .emplace_back(std::make_unique<ComponentProof>(*options_.proof, part, is_alone))
                            .get();
            return std::make_unique<Race>(*part.clues, part.board, known, options_, proof);
        });
}

Statistics HybridSearch::statistics() const {
    Statistics statistics;
    if (backtracking_) add(statistics, backtracking_->statistics());
    if (probing_) add(statistics, probing_->statistics());
    LearningStatistics all;
    if (learning_) learning_->for_each_part([&](const Race& part) { all += part.statistics(); });
    const SolverStatistics& learning = all.search;
    const auto components = static_cast<std::int64_t>(learning_ ? learning_->components() : 0);
    add(statistics, {{"settles", learning.lines_settled},
                     {"hits", 0},
                     {"probes", 0},
                     {"handed_over", learning_ ? 1 : 0},
                     {"conflicts", learning.conflicts},
                     {"decisions", learning.decisions},
                     {"propagations", learning.propagations},
                     {"restarts", learning.restarts},
                     {"reductions", learning.reductions},
                     {"learnt", learning.learnt},
                     {"learnt_most", learning.most_learnt},
                     {"learnt_literals", learning.learnt_literals},
                     {"minimized_literals", learning.minimized_literals},
                     {"glue_fast", learning.fast_glue},
                     {"glue_slow", learning.slow_glue},
                     {"problem_clauses", learning.problem},
                     {"blocking_clauses", learning.blocking},
                     {"lines_settled", learning.lines_settled},
                     {"lines_explained", learning.lines_explained},
                     {"learning_bytes", learning.bytes},
                     {"dives", all.dives},
                     {"belief_sweeps", all.belief_sweeps},
                     {"turns_cells", all.turns[0]},
                     {"turns_starts", all.turns[1]},
                     {"components", components}});
    return statistics;
}

}  // namespace nonocsp
