#include "cdcl/learner.hpp"

#include <algorithm>

namespace nonocsp {
namespace {

constexpr double kDecay = 0.95;
constexpr std::size_t kTidyFirst = 4000, kTidyNext = 300;  // learnt clauses
constexpr double kKept = 0.5;                              // of them
constexpr std::int64_t kLeastRun = 50;                     // conflicts before a restart
constexpr double kRestartMargin = 0.8, kLately = 32, kEver = 4096;

}  // namespace

Learner::Learner(const PuzzleClues& clues, const Board& root, std::size_t memory)
    : model_(clues, root),
      memory_(memory),
      cells_(clues.rows.size() * clues.columns.size()),
      trail_(model_.variables()),
      lines_(clues, model_, root),
      learnt_(2 * model_.variables()),
      analysis_(trail_, learnt_, lines_, model_.variables()),
      activity_(model_.variables(), kDecay),
      tidy_at_(kTidyFirst) {
    for (std::size_t i = 0; i < model_.variables(); ++i)
        preferred_.push_back(literal_of(static_cast<Variable>(i), false));
    for (const Lit lit : model_.units()) is_exhausted_ |= !assign_for_good(lit);
    for (const auto& clause : model_.long_clauses()) learnt_.add(clause, LearntClauses::kForEver);
}

bool Learner::assign_for_good(Lit lit) {
    if (trail_.value(lit) == 0) assign(lit, Reason::none());
    return trail_.value(lit) > 0;
}

Learner::End Learner::search(std::int64_t conflicts, Watch& watch) {
    const std::int64_t last = counts_.conflicts + conflicts;
    while (!is_exhausted_) {
        if (!propagate(watch)) {
            learn_from_conflict();
            continue;
        }
        if (is_solved()) return End::kSolution;
        if (trail_.level() == 0) tidy_up();
        if (counts_.conflicts >= last || wants_restart()) {
            restart();
            since_restart_ = 0;
            ++counts_.restarts;
            if (counts_.conflicts >= last) return End::kSpent;
            continue;
        }
        decide(preferred_[static_cast<std::size_t>(next_variable())]);
    }
    return End::kExhausted;
}

// There is one, since a cell is open.
Variable Learner::next_variable() {
    for (;;) {
        const Variable variable = activity_.pop();
        if (trail_.is_open(variable)) return variable;
    }
}

void Learner::decide(Lit lit) {
    ++counts_.decisions;
    trail_.begin_level();
    assign(lit, Reason::none());
}

void Learner::back_to(std::int32_t level) {
    if (trail_.level() <= level) return;
    trail_.back_to(level, [this](Lit lit) {
        prefer(lit);
        activity_.push(variable_of(lit));
        lines_.undo(lit);
    });
    propagated_ = trail_.size();
    lines_.forget_dirty();
}

bool Learner::propagate(Watch& watch) {
    while (propagate_clauses()) {
        if (!lines_.is_dirty()) return true;
        watch.check();
        const bool fits =
            lines_.settle_next([this](Lit lit, std::size_t line) { assign(lit, Reason::line(line)); });
        if (fits) continue;
        conflict_ = {Reason::line(lines_.line())};
        return false;
    }
    return false;
}

bool Learner::propagate_clauses() {
    while (propagated_ < trail_.size()) {
        const Lit lit = trail_[propagated_++];
        if (!propagate_tables(lit)) return false;
        const LearntClauses::Ref conflict = learnt_.propagate(
            negation(lit), trail_.values(),
            [this](Lit implied, LearntClauses::Ref ref) { assign(implied, Reason::clause(ref)); });
        if (conflict < 0) continue;
        conflict_ = {Reason::clause(conflict)};
        return false;
    }
    return true;
}

bool Learner::propagate_tables(Lit lit) {
    for (const Lit implied : model_.implied(lit)) {
        const std::int8_t value = trail_.value(implied);
        if (value > 0) continue;
        if (value < 0) {
            conflict_ = {Reason::one(negation(lit)), implied};
            return false;
        }
        assign(implied, Reason::one(negation(lit)));
    }
    for (const auto [first, second] : model_.eithers(lit)) {
        const std::int8_t a = trail_.value(first), b = trail_.value(second);
        if (a > 0 || b > 0 || a + b == 0) continue;
        if (a < 0 && b < 0) {
            conflict_ = {Reason::two(negation(lit), first), second};
            return false;
        }
        if (a < 0)
            assign(second, Reason::two(negation(lit), first));
        else
            assign(first, Reason::two(negation(lit), second));
    }
    return true;
}

bool Learner::learn_from_conflict() {
    ++counts_.conflicts;
    ++since_restart_;
    is_exhausted_ = trail_.level() == 0;
    if (is_exhausted_) return false;
    analysis_.analyse(conflict_);
    for (const Variable variable : analysis_.involved()) activity_.bump(variable);
    activity_.fade();
    back_to(analysis_.back_level());
    note_lbd(analysis_.lbd());
    counts_.learnt_literals += static_cast<std::int64_t>(analysis_.clause().size());
    learn(analysis_.clause(), analysis_.lbd());
    return true;
}

// Takes in a clause of which all but the first literal are false.
void Learner::learn(std::span<const Lit> clause, std::int32_t lbd) {
    if (clause.size() == 1)
        assign(clause[0], Reason::none());
    else
        assign(clause[0], Reason::clause(learnt_.add(clause, lbd)));
}

void Learner::note_lbd(std::int32_t lbd) {
    lbd_lately_ += (lbd - lbd_lately_) / kLately;
    lbd_ever_ += (lbd - lbd_ever_) / std::min(kEver, static_cast<double>(counts_.conflicts));
}

bool Learner::wants_restart() const {
    return since_restart_ >= kLeastRun && lbd_lately_ * kRestartMargin > lbd_ever_;
}

void Learner::tidy_up() {
    const bool is_large = learnt_.bytes() > memory_;
    if (learnt_.count() < tidy_at_ && !is_large) return;
    trail_.forget_reasons_at_root();
    learnt_.reduce(kKept, is_large ? LearntClauses::kForEver : LearntClauses::kGlue, trail_);
    tidy_at_ = std::max(tidy_at_ + kTidyNext, learnt_.count() + kTidyNext);
}

bool Learner::exclude_solution() {
    is_exhausted_ = trail_.level() == 0;
    if (is_exhausted_) return false;
    std::vector<Lit> clause;
    for (std::int32_t level = trail_.level(); level > 0; --level)
        clause.push_back(negation(trail_.decision(level)));
    back_to(trail_.level() - 1);
    learn(clause, LearntClauses::kForEver);
    return true;
}

void Learner::exclude(const Board& solution) {
    bool is_possible = true;
    board().for_each_disjoint(solution, [&](Cell) { is_possible = false; });
    if (!is_possible) return;
    const std::size_t columns = solution.lines(Axis::kColumn);
    std::vector<Lit> clause;
    for (std::size_t i = 0; i < model_.cell_variables(); ++i) {
        const auto variable = static_cast<Variable>(i);
        const CellVariable& cell = model_.cell_of(variable);
        const auto at = static_cast<std::size_t>(cell.cell);
        const bool has = (solution.candidates({at / columns, at % columns}) >> cell.colour & 1) != 0;
        prefer(literal_of(variable, has));
        if (trail_.is_open(variable)) clause.push_back(literal_of(variable, !has));
    }
    if (clause.empty()) is_exhausted_ = true;
    if (clause.size() == 1) assign(clause[0], Reason::none());
    if (clause.size() > 1) learnt_.add(clause, LearntClauses::kForEver);
}

Learner::Counts Learner::counts() const {
    Counts counts = counts_;
    counts.settles = lines_.settles();
    counts.learnt = static_cast<std::int64_t>(learnt_.count());
    return counts;
}

}  // namespace nonocsp
