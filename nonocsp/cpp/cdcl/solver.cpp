#include "cdcl/solver.hpp"

#include <algorithm>
#include <cassert>

namespace nonocsp {

CdclSolver::CdclSolver(const PuzzleClues& clues, const Board& root, Variables variables, std::size_t memory,
                       const SearchOptions& options, ComponentProof* proof)
    : options_(options),
      model_(clues, root, variables),
      memory_(memory),
      cells_(clues.rows.size() * clues.columns.size()),
      board_(root),
      trail_(model_.variables()),
      lines_(clues, model_, board_),
      clauses_(2 * model_.variables()),
      analysis_(trail_, clauses_, lines_),
      vsids_(model_.variables(), options.decay),
      phases_(model_.variables(), options),
      restart_(options),
      reduce_at_(static_cast<std::size_t>(options.reduce_first)) {
    assert(board_.open_cells() > 0);
    if (proof != nullptr) lines_.log_to(log_.emplace(*proof, model_));
    for (const Lit lit : model_.units())
        if (!assign_unit(lit)) exhaust();
    for (const auto& clause : model_.long_clauses()) clauses_.add_problem(clause);
}

bool CdclSolver::exhaust() {
    if (log_) log_->add({});
    is_exhausted_ = true;
    return false;
}

bool CdclSolver::assign_unit(Lit lit) {
    assert(trail_.level() == 0);
    if (trail_.value(lit) == 0) assign(lit, Reason::none());
    return trail_.value(lit) > 0;
}

CdclSolver::End CdclSolver::search(std::int64_t conflicts, Watch& watch) {
    const std::int64_t last = statistics_.conflicts + conflicts;
    while (!is_exhausted_) {
        if (!propagate(watch)) {
            learn_from_conflict();
            watch.progress().count_conflict();
            continue;
        }
        if (is_solved()) return End::kSolution;
        if (trail_.level() == 0) {
            watch.progress().note_open_cells(board_.open_cells());
            reduce();
        }
        const bool is_spent = statistics_.conflicts >= last;
        if (is_spent || restart_.is_due() || lines_.is_full()) {
            restart();
            if (is_spent) return End::kSpent;
            continue;
        }
        decide(phases_.pick(next_variable()));
    }
    return End::kExhausted;
}

// There is one, since a cell is open.
Variable CdclSolver::next_variable() {
    for (;;) {
        const Variable variable = vsids_.pop();
        if (!trail_.is_assigned(variable)) return variable;
    }
}

void CdclSolver::decide(Lit lit) {
    assert(propagated_ == trail_.size() && !lines_.is_dirty());
    ++statistics_.decisions;
    trail_.new_level();
    assign(lit, Reason::none());
    assert(trail_.decision(trail_.level()) == lit);
}

void CdclSolver::assign(Lit lit, Reason reason) {
    trail_.assign(lit, reason);
    const Removal removal = model_.removal(lit);
    if (removal.is_nothing()) return;
    board_.remove(removal.cell(), removal.colour);
    lines_.note_removal(lit, removal);
}

void CdclSolver::backtrack(std::int32_t level) {
    if (trail_.level() <= level) return;
    trail_.backtrack(level, [this](Lit lit) {
        phases_.save(lit);
        vsids_.push(variable_of(lit));
        const Removal removal = model_.removal(lit);
        if (removal.is_nothing()) return;
        board_.restore(removal.cell(), removal.colour);
        lines_.forget_removal(removal);
    });
    propagated_ = trail_.size();
    lines_.forget_dirty();
    if (level == 0) lines_.forget_explanations();
    assert(trail_.level() == level);
}

void CdclSolver::restart() {
    backtrack(0);
    restart_.note_restart();
    ++statistics_.restarts;
}

bool CdclSolver::propagate(Watch& watch) {
    while (propagate_clauses()) {
        if (!lines_.is_dirty()) return true;
        watch.check();
        const bool fits = lines_.settle_next([this](Lit lit, std::size_t line) {
            assign(lit, Reason::line(line));
            if (log_ && trail_.level() == 0) log_->add_root(trail_);
        });
        if (fits) continue;
        conflict_ = {Reason::line(lines_.line())};
        return false;
    }
    return false;
}

bool CdclSolver::propagate_clauses() {
    while (propagated_ < trail_.size()) {
        const Lit lit = trail_[propagated_++];
        ++statistics_.propagations;
        if (model_.has_short_clauses() && !propagate_short_clauses(lit)) return false;
        const ClauseRef conflict =
            clauses_.propagate(negation(lit), trail_.values(),
                               [this](Lit implied, ClauseRef ref) { assign(implied, Reason::clause(ref)); });
        if (conflict == kNoClause) continue;
        conflict_ = {Reason::clause(conflict)};
        return false;
    }
    return true;
}

bool CdclSolver::propagate_short_clauses(Lit lit) {
    for (const Lit implied : model_.binaries(lit)) {
        const std::int8_t value = trail_.value(implied);
        if (value > 0) continue;
        if (value < 0) {
            conflict_ = {Reason::binary(negation(lit)), implied};
            return false;
        }
        assign(implied, Reason::binary(negation(lit)));
    }
    for (const auto [first, second] : model_.ternaries(lit)) {
        const std::int8_t a = trail_.value(first), b = trail_.value(second);
        if (a > 0 || b > 0 || a + b == 0) continue;
        if (a < 0 && b < 0) {
            conflict_ = {Reason::ternary(negation(lit), first), second};
            return false;
        }
        if (a < 0)
            assign(second, Reason::ternary(negation(lit), first));
        else
            assign(first, Reason::ternary(negation(lit), second));
    }
    return true;
}

bool CdclSolver::learn_from_conflict() {
    ++statistics_.conflicts;
    if (trail_.level() == 0) return exhaust();
    phases_.note_conflict(trail_);
    analysis_.analyze(conflict_);
    if (log_) log_->add(analysis_.clause());
    for (const Variable variable : analysis_.involved()) vsids_.bump(variable);
    vsids_.decay();
    clauses_.decay();
    backtrack(analysis_.backjump_level());
    restart_.note_conflict(analysis_.glue());
    const std::span<const Lit> clause = analysis_.clause();
    statistics_.learnt_literals += static_cast<std::int64_t>(clause.size());
    assert(trail_.value(clause[0]) == 0);
    if (clause.size() <= kLongestShared && analysis_.glue() <= ClauseDatabase::kCoreGlue &&
        is_over_cells(clause)) {
        if (log_) log_->add(clause);  // once more, in case that this search deletes it
        shared_.emplace_back(clause.begin(), clause.end());
    }
    if (clause.size() == 1)
        assign(clause[0], Reason::none());
    else
        assign(clause[0], Reason::clause(clauses_.add_learnt(clause, analysis_.glue())));
    return true;
}

bool CdclSolver::is_over_cells(std::span<const Lit> clause) const {
    return std::ranges::all_of(clause, [&](Lit lit) {
        return static_cast<std::size_t>(variable_of(lit)) < model_.cell_variables();
    });
}

std::vector<Lit> CdclSolver::open_at_root(std::span<const Lit> clause) {
    assert(trail_.level() == 0);
    std::vector<Lit> open;
    for (const Lit lit : clause) {
        if (trail_.value(lit) > 0) return {};
        if (trail_.value(lit) == 0) open.push_back(lit);
    }
    if (open.empty()) exhaust();
    if (!open.empty() && log_) log_->add(open);
    if (open.size() > 1) return open;
    if (open.size() == 1) assign(open[0], Reason::none());
    return {};
}

void CdclSolver::learn(std::span<const Lit> clause) {
    const std::vector<Lit> open = open_at_root(clause);
    if (!open.empty()) clauses_.add_learnt(open, ClauseDatabase::kCoreGlue);
}

void CdclSolver::require(std::span<const Lit> clause) {
    backtrack(0);
    phases_.forget_target();
    for (const Lit lit : clause) phases_.set(lit);
    const std::vector<Lit> open = open_at_root(clause);
    if (!open.empty()) clauses_.add_blocking(open);
}

void CdclSolver::reduce() {
    const bool is_short_of_memory = clauses_.bytes() > memory_;
    if (clauses_.size() < reduce_at_ && !is_short_of_memory) return;
    ++statistics_.reductions;
    trail_.clear_root_reasons();
    if (log_) log_->add_root(trail_);
    clauses_.reduce(options_.reduce_fraction, is_short_of_memory, trail_, log_ ? &*log_ : nullptr);
    const auto interval = static_cast<std::size_t>(options_.reduce_interval);
    reduce_at_ = std::max(reduce_at_, clauses_.size()) + interval;
}

bool CdclSolver::block_solution() {
    assert(is_solved() && propagated_ == trail_.size());
    if (trail_.level() == 0) return exhaust();
    std::vector<Lit> clause;
    for (std::int32_t level = trail_.level(); level > 0; --level)
        clause.push_back(negation(trail_.decision(level)));
    if (log_) {
        analysis_.explain_all();  // so that the decisions imply the solution one clause after the other
        log_->add(clause);
    }
    backtrack(trail_.level() - 1);
    const bool is_unit = clause.size() == 1;
    assign(clause[0], is_unit ? Reason::none() : Reason::clause(clauses_.add_blocking(clause)));
    return true;
}

void CdclSolver::block(const Board& solution) {
    assert(trail_.level() == 0);
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
        phases_.set(literal_of(variable, has));
        if (!trail_.is_assigned(variable)) clause.push_back(literal_of(variable, !has));
    }
    if (clause.empty()) exhaust();
    if (!clause.empty() && log_) log_->add(clause);
    if (clause.size() == 1) assign(clause[0], Reason::none());
    if (clause.size() > 1) clauses_.add_blocking(clause);
}

SolverStatistics& SolverStatistics::operator+=(const SolverStatistics& other) {
    if (other.conflicts > conflicts) {
        fast_glue = other.fast_glue;
        slow_glue = other.slow_glue;
    }
    for (const auto count :
         {&SolverStatistics::decisions, &SolverStatistics::propagations, &SolverStatistics::conflicts,
          &SolverStatistics::restarts, &SolverStatistics::reductions, &SolverStatistics::learnt,
          &SolverStatistics::most_learnt, &SolverStatistics::blocking, &SolverStatistics::problem,
          &SolverStatistics::learnt_literals, &SolverStatistics::minimized_literals,
          &SolverStatistics::lines_settled, &SolverStatistics::lines_explained, &SolverStatistics::bytes})
        this->*count += other.*count;
    return *this;
}

SolverStatistics CdclSolver::statistics() const {
    SolverStatistics statistics = statistics_;
    const auto count = [](std::size_t size) { return static_cast<std::int64_t>(size); };
    statistics.learnt = count(clauses_.learnt());
    statistics.most_learnt = count(clauses_.most_learnt());
    statistics.blocking = count(clauses_.blocking());
    statistics.problem = count(clauses_.problem());
    statistics.minimized_literals = analysis_.minimized_literals();
    statistics.lines_settled = lines_.settles();
    statistics.lines_explained = lines_.explained();
    statistics.bytes =
        count(model_.bytes() + model_.variables() * Trail::kBytes + clauses_.bytes() + lines_.bytes());
    statistics.fast_glue = restart_.fast_glue();
    statistics.slow_glue = restart_.slow_glue();
    return statistics;
}

}  // namespace nonocsp
