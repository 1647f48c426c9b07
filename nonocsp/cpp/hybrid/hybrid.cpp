#include "hybrid/hybrid.hpp"

#include <algorithm>
#include <limits>

namespace nonocsp {
namespace {

constexpr std::size_t kDeadEnds = 2;                                          // of backtracking
constexpr std::int64_t kBeforeDives = 100, kBetweenDives = 600, kDive = 100;  // conflicts
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
        backtracking_ = make_backtracking_search(clues, kDeadEnds);
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
    switch (stage_) {
        case Stage::kBacktracking:
            return backtracking_->next(watch, cells);
        case Stage::kProbing:
            return probing_->next(watch, cells);
        case Stage::kLearning:
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
    learner_ = std::make_unique<Learner>(clues(), *probing_->root(), options_.memory);
    for (const std::vector<Word>& solution : given_) {
        Board board(clues().rows.size(), clues().columns.size(), clues().colours);
        board.read(solution);
        learner_->exclude(board);
    }
    if (!given_.empty() || options_.guidance == Guidance::kNone) return;
    guide_ = std::make_unique<Guide>(clues(), *learner_, options_.seed);
    guide_->start(watch);
}

bool HybridSearch::next_by_learning(Watch& watch, std::span<Word> cells) {
    if (has_learnt_one_ && !learner_->exclude_solution()) return false;
    // Another solution is likely near the last one, where the search just was.
    const bool is_first = given_.empty() && !has_learnt_one_;
    const Learner::End end = is_first && options_.guidance == Guidance::kDives
                                 ? search_with_dives(watch)
                                 : learner_->search(kNoEnd, watch);
    if (end == Learner::End::kExhausted) return false;
    learner_->board().write(cells);
    return has_learnt_one_ = true;
}

Learner::End HybridSearch::search_with_dives(Watch& watch) {
    Learner::End end = learner_->search(kBeforeDives, watch);
    while (end == Learner::End::kSpent) {
        end = guide_->dive(kDive, watch);
        if (end == Learner::End::kSpent) end = learner_->search(kBetweenDives, watch);
    }
    return end;
}

Statistics HybridSearch::statistics() const {
    Statistics statistics;
    if (backtracking_) add(statistics, backtracking_->statistics());
    if (probing_) add(statistics, probing_->statistics());
    const Learner::Counts counts = learner_ ? learner_->counts() : Learner::Counts{};
    add(statistics, {{"settles", counts.settles},
                     {"hits", 0},
                     {"probes", 0},
                     {"handed_over", learner_ ? 1 : 0},
                     {"conflicts", counts.conflicts},
                     {"decisions", counts.decisions},
                     {"restarts", counts.restarts},
                     {"learnt", counts.learnt},
                     {"learnt_literals", counts.learnt_literals},
                     {"dives", guide_ ? guide_->dives() : 0},
                     {"belief_sweeps", guide_ ? guide_->sweeps() : 0}});
    return statistics;
}

}  // namespace nonocsp
