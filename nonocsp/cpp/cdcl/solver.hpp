// Conflict-driven clause learning (Marques-Silva & Sakallah 1996, GRASP; Moskewicz et al. 2001, Chaff; Eén &
// Sörensson 2003, MiniSat) over the open cells, and the starts of blocks if the model has them, with the
// lines as propagators that explain themselves (Ohrimenko, Stuckey & Codish 2009, lazy clause generation).
// Clauses are propagated first, then dirty lines are settled, one at a time. Each part is a class with a file
// of its own: trail, vsids, phases, restart, clause_database, analyze, line_propagator, model (the variables
// and the short clauses), options. Memory: the learnt clauses and the explanations are bounded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/watch.hpp"
#include "cdcl/analyze.hpp"
#include "cdcl/clause_database.hpp"
#include "cdcl/clause_log.hpp"
#include "cdcl/line_propagator.hpp"
#include "cdcl/model.hpp"
#include "cdcl/options.hpp"
#include "cdcl/phases.hpp"
#include "cdcl/restart.hpp"
#include "cdcl/trail.hpp"
#include "cdcl/vsids.hpp"
#include "grid/board.hpp"

namespace nonocsp {

struct SolverStatistics {
    std::int64_t decisions = 0, propagations = 0;  // literals propagated through the clauses
    std::int64_t conflicts = 0, restarts = 0, reductions = 0;
    std::int64_t learnt = 0, most_learnt = 0;  // learnt clauses now, and at most so far
    std::int64_t blocking = 0, problem = 0;    // watched clauses of the other kinds, now
    std::int64_t learnt_literals = 0;          // of all clauses learnt, minimized
    std::int64_t minimized_literals = 0;       // left out of them
    std::int64_t lines_settled = 0, lines_explained = 0;
    std::int64_t bytes = 0;               // of the model, the trail, the clauses and the explanations, now
    double fast_glue = 0, slow_glue = 0;  // moving averages, of the search that has learnt more

    SolverStatistics& operator+=(const SolverStatistics& other);
};

class CdclSolver {
  public:
    // From a board at the fixpoint of settle, with an open cell. `memory` for clauses, in bytes. With
    // `proof`, writes there what it derives.
    CdclSolver(const PuzzleClues& clues, const Board& root, Variables variables, std::size_t memory,
               const SearchOptions& options, ComponentProof* proof = nullptr);
    // The parts refer to each other.
    CdclSolver(const CdclSolver&) = delete;
    CdclSolver& operator=(const CdclSolver&) = delete;

    const Model& model() const { return model_; }
    const Board& board() const { return board_; }
    const Trail& trail() const { return trail_; }

    enum class End { kSolution, kExhausted, kSpent };

    // Searches for at most `conflicts` more conflicts. After kSolution the board is the solution; after
    // kSpent the search is at level 0.
    End search(std::int64_t conflicts, Watch& watch);

    // Whether all cells are decided; after `propagate` the board is a solution then.
    bool is_solved() const { return board_.candidate_count() == cells_; }

    // Assigns everything that follows from the trail; false at a conflict.
    bool propagate(Watch& watch);
    // Analyzes the conflict of `propagate`, jumps back and asserts the clause learnt; false if the search is
    // exhausted.
    bool learn_from_conflict();
    // Begins a level with this literal.
    void decide(Lit lit);

    // Blocks the solution on the board for good; false if the search is exhausted.
    bool block_solution();
    // At level 0, blocks another board's solution for good; the search begins near it.
    void block(const Board& solution);

    // The clauses over cells that it has learnt since the last call, with two levels at most: worth telling
    // to another search of the same root.
    std::vector<std::vector<Lit>> take_shared() { return std::exchange(shared_, {}); }
    // At level 0, learns a clause that follows from the puzzle, of at most two levels in another search.
    void learn(std::span<const Lit> clause);
    // Leaves the present solution, if there is one, and asks of every later one that it satisfies a clause;
    // the search tries these literals first.
    void require(std::span<const Lit> clause);

    Phases& phases() { return phases_; }
    Vsids& vsids() { return vsids_; }

    SolverStatistics statistics() const;
    // What was done so far, in propagated literals: the same everywhere, unlike seconds.
    std::int64_t work() const { return statistics_.propagations + kSettleWork * lines_.settles(); }

  private:
    static constexpr std::int64_t kSettleWork = 10;
    static constexpr std::size_t kLongestShared = 12;

    bool propagate_clauses();
    bool propagate_short_clauses(Lit lit);
    void assign(Lit lit, Reason reason);
    // No solution is left; returns false.
    bool exhaust();
    // At level 0; false if the literal is false already.
    bool assign_unit(Lit lit);
    // The literals of a clause that level 0 leaves open, if there are several; assigns a single one. Empty
    // also if the clause is true already.
    std::vector<Lit> open_at_root(std::span<const Lit> clause);
    void backtrack(std::int32_t level);
    void restart();
    void reduce();
    Variable next_variable();
    bool is_over_cells(std::span<const Lit> clause) const;

    SearchOptions options_;
    Model model_;
    std::size_t memory_, cells_;
    Board board_;  // without the candidates that the trail's literals remove
    Trail trail_;
    LinePropagator lines_;
    ClauseDatabase clauses_;
    ConflictAnalysis analysis_;
    Vsids vsids_;
    Phases phases_;
    Restart restart_;
    std::optional<ClauseLog> log_;
    std::size_t propagated_ = 0;  // literals of the trail
    Conflict conflict_{Reason::none()};
    bool is_exhausted_ = false;
    std::vector<std::vector<Lit>> shared_;
    std::size_t reduce_at_;  // clauses
    SolverStatistics statistics_;
};

}  // namespace nonocsp
