#include "hybrid/guide.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace nonocsp {
namespace {

// A dive may meet its conflicts once for each so many open cells.
constexpr std::size_t kCellsOfDive = 2500;

// A large board is loose where line solving decided some cells and a decision removes fewer than kLoose
// candidates: the mean over sweeps, whose weights shrink by kKeep. There, a sweep serves until a kShare of
// the open cells is decided, or kLeast.
constexpr double kLoose = 5, kKeep = 0.98;
constexpr std::size_t kShare = 100, kLeast = 20;

}  // namespace

Guide::Guide(const PuzzleClues& clues, CdclSolver& solver, const SearchOptions& options, std::uint64_t seed)
    : clues_(clues),
      solver_(solver),
      options_(options),
      beliefs_(clues),
      random_(seed),
      certainty_(solver.model().variables()),
      is_nearly_blank_(is_nearly_blank(solver.board())) {}

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
    if (solver_.model().has_starts()) set_likely_starts();
}

void Guide::set_phase(Variable variable, double probability) {
    assert(-1e-9 <= probability && probability <= 1 + 1e-9);
    solver_.phases().set(literal_of(variable, probability > 0.5));
    certainty_[static_cast<std::size_t>(variable)] = std::abs(2 * probability - 1);
}

void Guide::set_likely_colours() {
    const Model& model = solver_.model();
    for (std::size_t i = 0; i < model.cell_variables(); ++i) {
        const CellVariable& cell = model.cell_of(static_cast<Variable>(i));
        set_phase(static_cast<Variable>(i), beliefs_.belief(static_cast<std::size_t>(cell.cell),
                                                            static_cast<std::size_t>(cell.colour)));
    }
}

// Thresholds are numbered line by line.
void Guide::set_likely_starts() {
    const Model& model = solver_.model();
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

// Measured from 25x25 to 300x300: the marginals of a line take as long as five literals, and one more for
// each 200 cells of the board, whose literals are then near in memory.
std::int64_t Guide::work() const {
    const auto cells = static_cast<std::int64_t>(clues_.rows.size() * clues_.columns.size());
    return beliefs_.lines() * (5 + cells / 200);
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
    undone_.clear();
    swept_ = solver_.board().candidate_count();
    level_ = removed_ = decisions_ = 0;
    const std::size_t boards = solver_.board().open_cells() / kCellsOfDive;
    is_large_ = boards > 1;
    if (is_large_) conflicts *= static_cast<std::int64_t>(boards);
    while (conflicts > 0) {
        if (!solver_.propagate(watch)) {
            watch.progress().count_conflict();
            if (!resolve_conflict()) return CdclSolver::End::kExhausted;
            --conflicts;
            continue;
        }
        if (solver_.is_solved()) return CdclSolver::End::kSolution;
        std::optional<Lit> lit = next_choice();
        if (!lit) {
            ++sweeps_;
            beliefs_.sweep(solver_.board(), watch);
            choose();
            lit = next_choice();
            assert(lit);  // a cell is open
        }
        solver_.decide(*lit);
    }
    solver_.phases().forget_target();
    return CdclSolver::End::kSpent;
}

bool Guide::resolve_conflict() {
    choices_.clear();
    std::vector<Lit> decisions;
    if (is_large_)
        for (std::int32_t level = solver_.trail().level(); level > 0; --level)
            decisions.push_back(solver_.trail().decision(level));
    if (!solver_.learn_from_conflict()) return false;
    if (is_large_) decisions.resize(decisions.size() - static_cast<std::size_t>(solver_.trail().level()));
    undone_.insert(undone_.end(), decisions.begin(), decisions.end());
    return true;
}

std::optional<Lit> Guide::next_choice() {
    if (is_loose_ && solver_.board().candidate_count() + enough_ <= swept_) choices_.clear();
    for (std::vector<Lit>* lits : {&undone_, &choices_})
        while (!lits->empty()) {
            const Lit lit = lits->back();
            lits->pop_back();
            if (!solver_.trail().is_assigned(variable_of(lit))) return lit;
        }
    return std::nullopt;
}

// The likeliest colour of an open cell, with its belief.
std::pair<std::size_t, double> Guide::likeliest(std::size_t cell) const {
    if (clues_.colours == 2) {
        const double black = beliefs_.belief(cell, 1);
        return black > 0.5 ? std::pair{std::size_t{1}, black} : std::pair{std::size_t{0}, 1 - black};
    }
    const std::size_t columns = clues_.columns.size();
    std::pair<std::size_t, double> best{0, -1};
    for_each_cell(solver_.board().candidates({cell / columns, cell % columns}), 0, [&](std::size_t colour) {
        if (const double belief = beliefs_.belief(cell, colour); belief > best.second)
            best = {colour, belief};
    });
    return best;
}

// 0 if all candidates of a cell are as likely, 1 if one is sure.
double Guide::certainty(std::size_t cell, double belief) const {
    if (clues_.colours == 2) return 2 * belief - 1;
    const std::size_t columns = clues_.columns.size();
    const double count = std::popcount(solver_.board().candidates({cell / columns, cell % columns}));
    assert(count >= 2);
    return (count * belief - 1) / (count - 1);
}

// A sweep after a conflict that took more back than was decided since tells nothing.
void Guide::judge_looseness() {
    const std::size_t candidates = solver_.board().candidate_count();
    const std::int32_t level = solver_.trail().level();
    if (candidates < swept_ && level > level_) {
        removed_ = kKeep * removed_ + static_cast<double>(swept_ - candidates);
        decisions_ = kKeep * decisions_ + static_cast<double>(level - level_);
    }
    swept_ = candidates;
    level_ = level;
    is_loose_ = is_large_ && !is_nearly_blank_ && removed_ < kLoose * decisions_;
    enough_ = is_loose_ ? std::max(kLeast, solver_.board().open_cells() / kShare)
                        : static_cast<std::size_t>(options_.dive_cells);
}

void Guide::choose() {
    judge_looseness();
    open_.clear();
    const std::size_t columns = clues_.columns.size();
    solver_.board().for_each_open([&](Cell at) {
        const std::size_t cell = at.row * columns + at.column;
        const auto [colour, belief] = likeliest(cell);
        double certainty = this->certainty(cell, belief);
        if (dives_ > 1) certainty *= 1 - options_.dive_diversity * random_.uniform();
        open_.push_back({certainty, solver_.model().giver(cell, colour)});
    });
    const auto most = static_cast<std::ptrdiff_t>(std::min(enough_, open_.size()));
    std::partial_sort(open_.begin(), open_.begin() + most, open_.end(),
                      [](const Choice& a, const Choice& b) { return a.certainty > b.certainty; });
    auto kept = static_cast<std::size_t>(most);
    while (!is_loose_ && kept > 1 && open_[kept - 1].certainty < options_.dive_certainty) --kept;
    choices_.clear();
    while (kept > 0) choices_.push_back(open_[--kept].lit);
}

}  // namespace nonocsp
