#include "judging/ambiguity.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace nonocsp {
namespace {

// Turns of the search over cells before the first one with starts, and conflicts of a turn. Tournament
// puzzles take half the time that they take with the 4 turns of backend hybrid, n-Dom no more.
constexpr std::int64_t kCellsFirst = 32, kTurn = 600;
constexpr std::size_t kMemory = std::size_t{64} << 20;  // bytes for clauses of a search

// Every decision asks for a difference; with saved phases the search would stay near the reference.
SearchOptions search_options() {
    SearchOptions options;
    options.phase = PhasePolicy::kFixed;
    return options;
}

std::uint8_t colour_of(Word candidates) { return static_cast<std::uint8_t>(std::countr_zero(candidates)); }

}  // namespace

// The search of one component.
class AmbiguitySearch::Part {
  public:
    explicit Part(Component component) : component_(std::move(component)) {
        const std::vector<Word> cells = candidate_sets(component_.board);
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
            if (!std::has_single_bit(cells[cell])) agreeing_.push_back(cell);
        assert(!agreeing_.empty());
    }

    const Component& component() const { return component_; }
    bool is_over() const { return is_over_; }
    // Candidates of all cells of the component; empty before they are known.
    const std::vector<Word>& reference() const { return reference_; }
    const std::vector<Word>& other() const { return other_; }

    void set_reference(std::vector<Word> solution) {
        reference_ = std::move(solution);
        ++version_;
    }

    // One turn of one search; returns the conflicts it took, at least 1. Call it until it is over.
    std::int64_t take_turn(std::int64_t conflicts, Watch& watch) {
        Member& member = members_[turn_];
        if (!member.solver)
            member.solver =
                std::make_unique<CdclSolver>(*component_.clues, component_.board,
                                             static_cast<Variables>(turn_), kMemory, search_options());
        if (member.version != version_) require_difference(member);
        const std::int64_t before = member.solver->statistics().conflicts;
        const CdclSolver::End end = member.solver->search(std::min(conflicts, member.left), watch);
        const std::int64_t taken = std::max<std::int64_t>(member.solver->statistics().conflicts - before, 1);
        if (end == CdclSolver::End::kExhausted) is_over_ = true;
        if (end == CdclSolver::End::kSolution) note(candidate_sets(member.solver->board()));
        member.left -= taken;
        if (member.left <= 0) end_turn();
        return taken;
    }

    // The ambiguous cells among those that were open, in the component; as far as is known.
    const std::vector<std::size_t>& ambiguous() const { return ambiguous_; }

  private:
    struct Member {
        std::unique_ptr<CdclSolver> solver;  // none before its first turn
        std::int64_t left = kTurn;           // conflicts of the present turn
        std::int64_t turns = 0;
        std::size_t version = 0;  // of what it was asked
    };

    void require_difference(Member& member) {
        std::vector<Lit> clause;
        for (const std::size_t cell : agreeing_)
            clause.push_back(negation(member.solver->model().giver(cell, colour_of(reference_[cell]))));
        member.solver->require(clause);
        member.version = version_;
    }

    void note(std::vector<Word> solution) {
        if (reference_.empty()) return set_reference(std::move(solution));
        const auto agrees = [&](std::size_t cell) { return solution[cell] == reference_[cell]; };
        const auto differing = std::stable_partition(agreeing_.begin(), agreeing_.end(), agrees);
        assert(differing != agreeing_.end());
        ambiguous_.insert(ambiguous_.end(), differing, agreeing_.end());
        agreeing_.erase(differing, agreeing_.end());
        other_ = std::move(solution);
        ++version_;
        is_over_ = agreeing_.empty();
    }

    void end_turn() {
        members_[turn_].left = kTurn;
        ++members_[turn_].turns;
        if (turn_ == 1 || members_[0].turns >= kCellsFirst) turn_ = 1 - turn_;
    }

    Component component_;
    std::array<Member, 2> members_;  // [Variables]
    std::size_t turn_ = 0, version_ = 0;
    std::vector<Word> reference_, other_;
    std::vector<std::size_t> agreeing_, ambiguous_;
    bool is_over_ = false;
};

AmbiguitySearch::~AmbiguitySearch() = default;
AmbiguitySearch::AmbiguitySearch(AmbiguitySearch&&) noexcept = default;

AmbiguitySearch::AmbiguitySearch(const PuzzleClues& clues, std::span<const std::uint8_t> solution,
                                 Watch& watch)
    : known_(clues.rows.size(), clues.columns.size(), clues.colours),
      ambiguous_(clues.rows.size() * clues.columns.size()) {
    assert(solution.empty() || solution.size() == ambiguous_.size());
    Propagator propagator(clues);
    const Sweeps swept = propagator.by_sweeps(known_, watch);
    sweeps_ = swept.count;
    is_refuted_ = swept.contradiction.has_value();
    if (!solution.empty()) {
        const std::vector<Word> known = candidate_sets(known_);
        for (std::size_t cell = 0; cell < known.size(); ++cell)
            if (is_refuted_ || (known[cell] >> solution[cell] & 1) == 0)
                throw std::invalid_argument("the solution does not have these clues");
    }
    if (is_refuted_ || known_.open_cells() == 0) return;
    for (Component& component : components_of(clues, known_)) {
        Part& part = parts_.emplace_back(std::move(component));
        if (solution.empty()) continue;
        std::vector<Word> cells = candidate_sets(part.component().board);
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = Word{1} << solution[part.component().number(i, clues.columns.size())];
        part.set_reference(std::move(cells));
    }
}

// Takes turns of the parts until it is `done` or has spent its conflicts; whether it is done.
template <class Done>
bool AmbiguitySearch::search(std::int64_t conflicts, Done done, Watch& watch) {
    // A solution of every part comes first: without one, no cell is ambiguous.
    for (const bool is_first : {true, false})
        for (Part& part : parts_)
            while (!done() && !part.is_over() && (!is_first || part.reference().empty())) {
                if (conflicts <= 0) return false;
                conflicts -= part.take_turn(conflicts, watch);
                if (part.is_over() && part.reference().empty()) is_refuted_ = true;
                if (!is_first) note(part);
            }
    assert(done());
    return true;
}

bool AmbiguitySearch::advance(std::int64_t conflicts, Watch& watch) {
    return search(conflicts, [this] { return is_complete(); }, watch);
}

bool AmbiguitySearch::decide(std::int64_t conflicts, Watch& watch) {
    return search(conflicts, [this] { return solutions() != Solutions::kUnknown; }, watch);
}

void AmbiguitySearch::note(const Part& part) {
    for (const std::size_t cell : part.ambiguous())
        ambiguous_[part.component().number(cell, known_.lines(Axis::kColumn))] = 1;
}

bool AmbiguitySearch::is_complete() const {
    return is_refuted_ || std::ranges::all_of(parts_, &Part::is_over);
}

Solutions AmbiguitySearch::solutions() const {
    if (is_refuted_) return Solutions::kNone;
    const bool is_solved =
        std::ranges::none_of(parts_, [](const Part& part) { return part.reference().empty(); });
    if (!is_solved) return Solutions::kUnknown;
    if (std::ranges::find(ambiguous_, 1) != ambiguous_.end()) return Solutions::kSeveral;
    return is_complete() ? Solutions::kOne : Solutions::kUnknown;
}

std::vector<std::uint8_t> AmbiguitySearch::joined(bool others) const {
    std::vector<std::uint8_t> colours;
    if (is_refuted_) return colours;
    for (const Word candidates : candidate_sets(known_)) colours.push_back(colour_of(candidates));
    for (const Part& part : parts_) {
        const std::vector<Word>& solution = others && !part.other().empty() ? part.other() : part.reference();
        if (solution.empty()) return {};
        for (std::size_t i = 0; i < solution.size(); ++i)
            colours[part.component().number(i, known_.lines(Axis::kColumn))] = colour_of(solution[i]);
    }
    return colours;
}

std::vector<std::uint8_t> AmbiguitySearch::reference() const { return joined(false); }

std::vector<std::uint8_t> AmbiguitySearch::other() const {
    if (solutions() != Solutions::kSeveral) return {};
    return joined(true);
}

}  // namespace nonocsp
