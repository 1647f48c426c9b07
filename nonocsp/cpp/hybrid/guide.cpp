#include "hybrid/guide.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace nonocsp {
namespace {

constexpr std::size_t kSweeps = 15;       // before a dive
constexpr double kConverged = 1e-3;       // of a belief, from one sweep to the next
constexpr double kCertain = 0.9;          // so certain cells are decided together,
constexpr std::size_t kMostTogether = 5;  // so many at most
constexpr double kDiversity = 0.3;        // of certainties, from one dive to the next
constexpr double kTieBreak = 1e-3;        // of activities
constexpr double kActivityKept = 0.5;     // at a dive; the rest is certainty

}  // namespace

Guide::Guide(const PuzzleClues& clues, Learner& learner, std::uint64_t seed)
    : clues_(clues),
      learner_(learner),
      beliefs_(clues),
      random_(seed),
      certainty_(learner.model().variables()) {}

void Guide::start(Watch& watch) {
    refresh(watch);
    for (double& certainty : certainty_) certainty += kTieBreak * random_.uniform();
    learner_.activity().mix(0, certainty_);
}

void Guide::refresh(Watch& watch) {
    sweeps_ += static_cast<std::int64_t>(beliefs_.run(learner_.board(), kSweeps, kConverged, watch));
    std::ranges::fill(certainty_, 0.0);
    prefer_likely_colours();
    prefer_likely_starts();
}

void Guide::prefer(Variable variable, double probability) {
    learner_.prefer(literal_of(variable, probability > 0.5));
    certainty_[static_cast<std::size_t>(variable)] = std::abs(2 * probability - 1);
}

void Guide::prefer_likely_colours() {
    const OrderModel& model = learner_.model();
    for (std::size_t i = 0; i < model.cell_variables(); ++i) {
        const CellVariable& cell = model.cell_of(static_cast<Variable>(i));
        prefer(static_cast<Variable>(i),
               beliefs_.belief(static_cast<std::size_t>(cell.cell), static_cast<std::size_t>(cell.colour)));
    }
}

// Thresholds are numbered line by line.
void Guide::prefer_likely_starts() {
    const OrderModel& model = learner_.model();
    std::optional<LineId> line;
    bool fits = false;
    for (std::size_t i = model.cell_variables(); i < model.variables(); ++i) {
        const auto [of_line, block, position] = model.threshold_of(static_cast<Variable>(i));
        if (line != of_line) fits = beliefs_.starts(of_line, learner_.board(), started_);
        line = of_line;
        if (!fits) continue;
        const std::size_t at = block * clues_[of_line].length + static_cast<std::size_t>(position);
        prefer(static_cast<Variable>(i), started_[at]);
    }
}

Learner::End Guide::dive(std::int64_t conflicts, Watch& watch) {
    if (dives_++ > 0) {
        beliefs_.reset();
        refresh(watch);
        for (double& certainty : certainty_) certainty *= 1 - kActivityKept;
        learner_.activity().mix(kActivityKept, certainty_);
    }
    choices_.clear();
    while (conflicts > 0) {
        if (!learner_.propagate(watch)) {
            choices_.clear();
            if (!learner_.learn_from_conflict()) return Learner::End::kExhausted;
            --conflicts;
            continue;
        }
        if (learner_.is_solved()) return Learner::End::kSolution;
        std::optional<Lit> lit = next_choice();
        if (!lit) {
            ++sweeps_;
            beliefs_.sweep(learner_.board());
            choose();
            lit = next_choice();
        }
        learner_.decide(*lit);
    }
    return Learner::End::kSpent;
}

std::optional<Lit> Guide::next_choice() {
    while (!choices_.empty()) {
        const Lit lit = choices_.back().lit;
        choices_.pop_back();
        if (learner_.trail().is_open(variable_of(lit))) return lit;
    }
    return std::nullopt;
}

Guide::Choice Guide::likeliest(Cell cell) const {
    const Board& board = learner_.board();
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
    return {(count * best - 1) / (count - 1), learner_.model().giver(number, colour)};
}

void Guide::choose() {
    choices_.clear();
    learner_.board().for_each_open([&](Cell cell) {
        Choice choice = likeliest(cell);
        if (dives_ > 1) choice.certainty *= 1 - kDiversity * random_.uniform();
        choices_.push_back(choice);
    });
    const std::size_t kept = std::min(kMostTogether, choices_.size());
    const auto more_certain = [](const Choice& a, const Choice& b) { return a.certainty > b.certainty; };
    std::partial_sort(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(kept), choices_.end(),
                      more_certain);
    choices_.resize(kept);
    while (choices_.size() > 1 && choices_.back().certainty < kCertain) choices_.pop_back();
    std::ranges::reverse(choices_);
}

}  // namespace nonocsp
