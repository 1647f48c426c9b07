#include "hybrid/portfolio.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace nonocsp {
namespace {

// The search with starts is the prover: it restarts as often as CaDiCaL.
constexpr std::int64_t kProverInterval = 5;
constexpr double kProverMargin = 1.1;
// Starts prove faster where their clauses are shorter than this times those over cells. Random puzzles and
// tournaments have ratios from .8 to 1.9, n-Dom from .35 to .65.
constexpr double kShorter = 0.7;
// Turns of the prover for each turn over cells, then and otherwise.
constexpr double kOfShorter = 8, kOtherwise = 1;
// The search after a dive does at least this fraction of the dive's work.
constexpr std::int64_t kLargestDive = 2;

}  // namespace

Portfolio::Portfolio(const PuzzleClues& clues, const Board& root, const std::vector<Board>& given,
                     const HybridOptions& options, std::shared_ptr<Exchange> exchange, ComponentProof* proof)
    : clues_(clues),
      root_(root),
      options_(options),
      exchange_(std::move(exchange)),
      given_(given),
      proof_(proof) {
    if (proof_ != nullptr && !given.empty()) proof_->exclude(given[0]);
    if (options.starts_first || options.search.model == ModelPolicy::kStarts)
        turn_ = Variables::kCellsAndStarts;
}

double Portfolio::Member::clause_length() const {
    const SolverStatistics statistics = solver->statistics();
    return static_cast<double>(statistics.learnt_literals) /
           static_cast<double>(std::max<std::int64_t>(statistics.conflicts, 1));
}

bool Portfolio::next(Watch& watch, std::span<Word> cells) {
    if (!member().solver) begin_turn(turn_, watch);
    if (has_solution_ && !member().solver->block_solution()) return false;
    for (;;) {
        switch (take_turn(watch)) {
            case CdclSolver::End::kExhausted:
                return false;
            case CdclSolver::End::kSolution:
                assert(member().solver->is_solved());
                member().solver->board().write(cells);
                if (proof_ != nullptr) proof_->exclude(member().solver->board());
                if (given_.size() < kShared) given_.push_back(member().solver->board());
                member().blocked = given_.size();
                return has_solution_ = true;
            case CdclSolver::End::kSpent:
                exchange_->publish(member().solver->take_shared(), member().reader);
                begin_turn(next_turn(), watch);
        }
    }
}

CdclSolver::End Portfolio::take_turn(Watch& watch) {
    CdclSolver& solver = *member().solver;
    const SearchOptions& search = options_.search;
    ++member().turns;
    // Another solution is likely near the last one, where the search just was; and dives make proofs longer.
    const bool dives = member().guide && given_.empty() && options_.guidance == Guidance::kDives &&
                       (turn_ == Variables::kCells || search.model == ModelPolicy::kStarts);
    if (!dives) return solver.search(search.dive_interval, watch);
    if (member().turns == 1) return solver.search(search.dive_first, watch);
    const std::int64_t before = solver.work() + member().guide->work();
    CdclSolver::End end = member().guide->dive(search.dive_conflicts, watch);
    // On a large board the beliefs of a dive take far longer than its conflicts; the search gets its share.
    const std::int64_t least =
        solver.work() + (solver.work() + member().guide->work() - before) / kLargestDive;
    if (end == CdclSolver::End::kSpent) end = solver.search(search.dive_interval, watch);
    while (end == CdclSolver::End::kSpent && solver.work() < least)
        end = solver.search(search.dive_interval / 4 + 1, watch);
    return end;
}

Variables Portfolio::next_turn() const {
    const Member& cells = members_[index_of(Variables::kCells)];
    const Member& starts = members_[index_of(Variables::kCellsAndStarts)];
    if (options_.search.model != ModelPolicy::kBoth || given_.size() >= kShared) return turn_;
    if (!cells.solver) return starts.turns < options_.search.cells_first ? turn_ : Variables::kCells;
    if (!starts.solver) return cells.turns < options_.search.cells_first ? turn_ : Variables::kCellsAndStarts;
    const bool is_shorter = starts.clause_length() < kShorter * cells.clause_length();
    const double share = is_shorter ? kOfShorter : kOtherwise;
    const double due = static_cast<double>(cells.turns - options_.search.cells_first + 1) * share;
    return static_cast<double>(starts.turns) < due ? Variables::kCellsAndStarts : Variables::kCells;
}

void Portfolio::begin_turn(Variables variables, Watch& watch) {
    if (variables != turn_) has_solution_ = false;
    turn_ = variables;
    Member& now = member();
    if (!now.solver) {
        SearchOptions search = options_.search;
        if (variables == Variables::kCellsAndStarts && search.model == ModelPolicy::kBoth) {
            search.restart_interval = kProverInterval;
            search.restart_margin = kProverMargin;
        }
        now.solver = std::make_unique<CdclSolver>(clues_, root_, variables, options_.memory, search, proof_);
        if (given_.empty() && options_.guidance != Guidance::kNone) {
            now.guide = std::make_unique<Guide>(clues_, *now.solver, options_.search, options_.seed);
            now.guide->start(watch);
        }
    }
    for (const std::vector<Lit>& clause : exchange_->read(now.reader)) now.solver->learn(clause);
    for (; now.blocked < given_.size(); ++now.blocked) now.solver->block(given_[now.blocked]);
}

LearningStatistics& LearningStatistics::operator+=(const LearningStatistics& other) {
    search += other.search;
    dives += other.dives;
    belief_sweeps += other.belief_sweeps;
    for (std::size_t i = 0; i < turns.size(); ++i) turns[i] += other.turns[i];
    return *this;
}

LearningStatistics Portfolio::statistics() const {
    LearningStatistics sum;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const auto& [solver, guide, reader, blocked, turns] = members_[i];
        sum.turns[i] = turns;
        if (solver) sum.search += solver->statistics();
        if (!guide) continue;
        sum.dives += guide->dives();
        sum.belief_sweeps += guide->sweeps();
    }
    return sum;
}

}  // namespace nonocsp
