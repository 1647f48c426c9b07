#include "hybrid/guide.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace nonocsp {
Guide::Guide(const PuzzleClues& clues, CdclSolver& solver, const SearchOptions& options, std::uint64_t seed)
    : clues_(clues),
      solver_(solver),
      options_(options),
      beliefs_(clues),
      random_(seed),
      certainty_(solver.model().variables()) {}

void Guide::start(Watch& watch) {
    refresh(watch);
    for (double& certainty : certainty_) certainty += options_.dive_tie_break * random_.uniform();
    solver_.vsids().mix(0, certainty_);
}

void Guide::refresh(Watch& watch) {
    sweeps_ += static_cast<std::int64_t>(beliefs_.run(
        solver_.board(), static_cast<std::size_t>(options_.belief_sweeps), options_.belief_tolerance, watch));
    std::ranges::fill(certainty_, 0.0);
    set_likely_colours();
    set_likely_starts();
}

void Guide::set_phase(Variable variable, double probability) {
    assert(-1e-9 <= probability && probability <= 1 + 1e-9);
    solver_.phases().set(literal_of(variable, probability > 0.5));
    certainty_[static_cast<std::size_t>(variable)] = std::abs(2 * probability - 1);
}

void Guide::set_likely_colours() {
    const OrderModel& model = solver_.model();
    for (std::size_t i = 0; i < model.cell_variables(); ++i) {
        const CellVariable& cell = model.cell_of(static_cast<Variable>(i));
        set_phase(static_cast<Variable>(i), beliefs_.belief(static_cast<std::size_t>(cell.cell),
                                                            static_cast<std::size_t>(cell.colour)));
    }
}

// Thresholds are numbered line by line.
void Guide::set_likely_starts() {
    const OrderModel& model = solver_.model();
    std::optional<LineId> line;
    bool fits = false;
    for (std::size_t i = model.cell_variables(); i < model.variables(); ++i) {
        const auto [of_line, block, position] = model.threshold_of(static_cast<Variable>(i));
        if (line != of_line) fits = beliefs_.starts(of_line, solver_.board(), started_);
        line = of_line;
        if (!fits) continue;
        const std::size_t at = block * clues_[of_line].length + static_cast<std::size_t>(position);
        set_phase(static_cast<Variable>(i), started_[at]);
    }
}

CdclSolver::End Guide::dive(std::int64_t conflicts, Watch& watch) {
    if (dives_++ > 0) {
        assert(solver_.trail().level() == 0);
        beliefs_.reset();
        refresh(watch);
        for (double& certainty : certainty_) certainty *= 1 - options_.dive_keep_activity;
        solver_.vsids().mix(options_.dive_keep_activity, certainty_);
    }
    choices_.clear();
    while (conflicts > 0) {
        if (!solver_.propagate(watch)) {
            choices_.clear();
            watch.progress().count_conflict();
            if (!solver_.learn_from_conflict()) return CdclSolver::End::kExhausted;
            --conflicts;
            continue;
        }
        if (solver_.is_solved()) return CdclSolver::End::kSolution;
        std::optional<Lit> lit = next_choice();
        if (!lit) {
            ++sweeps_;
            beliefs_.sweep(solver_.board());
            choose();
            lit = next_choice();
            assert(lit);  // a cell is open
        }
        solver_.decide(*lit);
    }
    return CdclSolver::End::kSpent;
}

std::optional<Lit> Guide::next_choice() {
    while (!choices_.empty()) {
        const Lit lit = choices_.back().lit;
        choices_.pop_back();
        if (!solver_.trail().is_assigned(variable_of(lit))) return lit;
    }
    return std::nullopt;
}

Guide::Choice Guide::likeliest(Cell cell) const {
    const Board& board = solver_.board();
    const std::size_t number = cell.row * board.lines(Axis::kColumn) + cell.column;
    const Word candidates = board.candidates(cell);
    double best = -1;
    std::size_t colour = 0;
    for_each_cell(candidates, 0, [&](std::size_t candidate) {
        const double belief = beliefs_.belief(number, candidate);
        if (belief <= best) return;
        best = belief;
        colour = candidate;
    });
    const double count = std::popcount(candidates);
    assert(count >= 2 && solver_.model().giver(number, colour) != kNoLit);
    return {(count * best - 1) / (count - 1), solver_.model().giver(number, colour)};
}

void Guide::choose() {
    choices_.clear();
    solver_.board().for_each_open([&](Cell cell) {
        Choice choice = likeliest(cell);
        if (dives_ > 1) choice.certainty *= 1 - options_.dive_diversity * random_.uniform();
        choices_.push_back(choice);
    });
    const std::size_t kept = std::min(static_cast<std::size_t>(options_.dive_cells), choices_.size());
    const auto more_certain = [](const Choice& a, const Choice& b) { return a.certainty > b.certainty; };
    std::partial_sort(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(kept), choices_.end(),
                      more_certain);
    choices_.resize(kept);
    while (choices_.size() > 1 && choices_.back().certainty < options_.dive_certainty) choices_.pop_back();
    std::ranges::reverse(choices_);
}

}  // namespace nonocsp
