#include "hybrid.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace nonocsp {
namespace {

constexpr std::int64_t kBeforeDives = 100, kBetweenDives = 600, kDive = 100;  // conflicts
constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max() / 2;

// Adds to a count that is there.
void add_to(Statistics& statistics, std::string_view name, std::int64_t more) {
    const auto found = std::ranges::find(statistics, name, [](const auto& entry) { return entry.first; });
    found->second = std::get<std::int64_t>(found->second) + more;
}

}  // namespace

HybridSearch::HybridSearch(const PuzzleClues& clues, const HybridOptions& options)
    : Search(clues),
      options_(options),
      probing_(std::make_unique<ProbingSearch>(
          clues, ProbingOptions{ProbingLevel::kFp1, false, 0, ProbingScore::kMinLogD, ProbingOrder::kLarger,
                                options.seed, options.budget})) {}

bool HybridSearch::next(Watch& watch, std::span<Word> cells) {
    if (probing_) {
        try {
            return next_by_probing(watch, cells);
        } catch (const BudgetSpent&) {
            hand_over(watch);
        }
    }
    return next_by_learning(watch, cells);
}

bool HybridSearch::next_by_probing(Watch& watch, std::span<Word> cells) {
    if (!probing_->next(watch, cells)) return false;
    given_.emplace_back(clues().rows.size(), clues().columns.size(), clues().colours).read(cells);
    return true;
}

void HybridSearch::hand_over(Watch& watch) {
    learner_ = std::make_unique<Learner>(clues(), *probing_->root(), options_.memory);
    probing_statistics_ = probing_->statistics();
    probing_.reset();
    if (!given_.empty()) return exclude_given();
    if (options_.guidance == Guidance::kNone) return;
    guide_ = std::make_unique<Guide>(clues(), *learner_, options_.seed);
    guide_->start(watch);
}

void HybridSearch::exclude_given() {
    for (const Board& solution : given_) learner_->exclude(solution);
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
    Statistics statistics = probing_ ? probing_->statistics() : probing_statistics_;
    if (learner_) add_to(statistics, "settles", learner_->settles());
    statistics.emplace_back("handed_over", std::int64_t{learner_ != nullptr});
    const Learner::Counts counts = learner_ ? learner_->counts() : Learner::Counts{};
    statistics.emplace_back("conflicts", counts.conflicts);
    statistics.emplace_back("decisions", counts.decisions);
    statistics.emplace_back("restarts", counts.restarts);
    statistics.emplace_back("learnt", counts.learnt);
    statistics.emplace_back("learnt_literals", counts.learnt_literals);
    statistics.emplace_back("dives", guide_ ? guide_->dives() : 0);
    statistics.emplace_back("belief_sweeps", guide_ ? guide_->sweeps() : 0);
    return statistics;
}

}  // namespace nonocsp
