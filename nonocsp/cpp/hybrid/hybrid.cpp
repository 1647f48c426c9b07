#include "hybrid/hybrid.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace nonocsp {
namespace {

constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max() / 2;

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
    if (options.backtracking)
        backtracking_ = make_backtracking_search(clues, static_cast<std::size_t>(options.search.dead_ends));
    else
        start_probing();
}

bool HybridSearch::next(Watch& watch, std::span<Word> cells) {
    for (;;) {
        try {
            while (next_of_stage(watch, cells))
                if (is_new(cells)) return true;
            return false;
        } catch (const BudgetSpent&) {
            stage_ == Stage::kBacktracking ? start_probing() : start_learning(watch);
        }
    }
}

bool HybridSearch::next_of_stage(Watch& watch, std::span<Word> cells) {
    watch.progress().begin(stage_);
    switch (stage_) {
        case Stage::kBacktracking:
            return backtracking_->next(watch, cells);
        case Stage::kProbing:
            return probing_->next(watch, cells);
        default:
            break;
    }
    return next_by_learning(watch, cells);
}

bool HybridSearch::is_new(std::span<const Word> cells) {
    if (stage_ == Stage::kLearning) return true;
    return given_.emplace(cells.begin(), cells.end()).second;
}

void HybridSearch::start_probing() {
    stage_ = Stage::kProbing;
    probing_ =
        make_probing_search(clues(), ProbingOptions{ProbingLevel::kFp1, false, 0, ProbingScore::kMinLogD,
                                                    ProbingOrder::kLarger, options_.seed, options_.budget});
}

void HybridSearch::start_learning(Watch& watch) {
    stage_ = Stage::kLearning;
    assert(probing_ && probing_->root() != nullptr);
    solver_ = std::make_unique<CdclSolver>(clues(), *probing_->root(), options_.memory, options_.search);
    for (const std::vector<Word>& solution : given_) {
        Board board(clues().rows.size(), clues().columns.size(), clues().colours);
        board.read(solution);
        solver_->block(board);
    }
    if (!given_.empty() || options_.guidance == Guidance::kNone) return;
    guide_ = std::make_unique<Guide>(clues(), *solver_, options_.search, options_.seed);
    guide_->start(watch);
}

bool HybridSearch::next_by_learning(Watch& watch, std::span<Word> cells) {
    if (has_solution_ && !solver_->block_solution()) return false;
    // Another solution is likely near the last one, where the search just was.
    const bool is_first = given_.empty() && !has_solution_;
    const CdclSolver::End end = is_first && options_.guidance == Guidance::kDives
                                    ? search_with_dives(watch)
                                    : solver_->search(kNoEnd, watch);
    if (end == CdclSolver::End::kExhausted) return false;
    assert(solver_->is_solved());
    solver_->board().write(cells);
    return has_solution_ = true;
}

CdclSolver::End HybridSearch::search_with_dives(Watch& watch) {
    CdclSolver::End end = solver_->search(options_.search.dive_first, watch);
    while (end == CdclSolver::End::kSpent) {
        end = guide_->dive(options_.search.dive_conflicts, watch);
        if (end == CdclSolver::End::kSpent) end = solver_->search(options_.search.dive_interval, watch);
    }
    return end;
}

Statistics HybridSearch::statistics() const {
    Statistics statistics;
    if (backtracking_) add(statistics, backtracking_->statistics());
    if (probing_) add(statistics, probing_->statistics());
    const SolverStatistics learning = solver_ ? solver_->statistics() : SolverStatistics{};
    add(statistics, {{"settles", learning.lines_settled},
                     {"hits", 0},
                     {"probes", 0},
                     {"handed_over", solver_ ? 1 : 0},
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
                     {"dives", guide_ ? guide_->dives() : 0},
                     {"belief_sweeps", guide_ ? guide_->sweeps() : 0}});
    return statistics;
}

}  // namespace nonocsp
