// A search that learns from its conflicts (Marques-Silva & Sakallah 1999; Moskewicz et al. 2001), over the
// open cells and the starts of blocks, with the lines as propagators: learning over cells alone leaves the
// heavy tail. Clauses are propagated first, then dirty lines are settled, one at a time. Restarts when the
// clauses learnt lately are worse than usual (Biere & Fröhlich 2015). Memory: what the learnt clauses take is
// bounded; the best ones are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "cdcl/activity.hpp"
#include "cdcl/conflict.hpp"
#include "cdcl/learnt_clauses.hpp"
#include "cdcl/line_reasons.hpp"
#include "cdcl/order_model.hpp"
#include "cdcl/trail.hpp"
#include "search/search.hpp"

namespace nonocsp {

class Learner {
  public:
    // From a board at the fixpoint of settle, with an open cell. `memory` is in bytes.
    Learner(const PuzzleClues& clues, const Board& root, std::size_t memory);

    const OrderModel& model() const { return model_; }
    const Board& board() const { return lines_.board(); }
    const Trail& trail() const { return trail_; }

    enum class End { kSolution, kExhausted, kSpent };

    // Searches until so many more conflicts. A solution is on the board then; after kSpent the search is at
    // level 0.
    End search(std::int64_t conflicts, Watch& watch);

    // Whether all cells are decided; after `propagate` the board is a solution then.
    bool is_solved() const { return board().candidate_count() == cells_; }

    // Takes back all decisions.
    void restart() { back_to(0); }
    // Everything that follows from the trail; false at a conflict.
    bool propagate(Watch& watch);
    // Learns from the conflict of `propagate`, and goes back to where it could have been foreseen; false if
    // nothing is left.
    bool learn_from_conflict();
    void decide(Lit lit);

    // Forbids the solution on the board for good; false if nothing is left.
    bool exclude_solution();
    // At level 0, forbids another board's solution for good; the search begins near it.
    void exclude(const Board& solution);

    // Which value of a variable to try first, from then on until it had another.
    void prefer(Lit lit) { preferred_[static_cast<std::size_t>(variable_of(lit))] = lit; }
    Activity& activity() { return activity_; }

    struct Counts {
        std::int64_t settles = 0, conflicts = 0, decisions = 0, restarts = 0;
        std::int64_t learnt = 0;           // clauses kept
        std::int64_t learnt_literals = 0;  // of all that were learnt
    };
    Counts counts() const;

  private:
    bool propagate_clauses();
    bool propagate_tables(Lit lit);
    void assign(Lit lit, Reason reason) {
        trail_.assign(lit, reason);
        lines_.apply(lit);
    }
    // At level 0; false if it is false already.
    bool assign_for_good(Lit lit);
    void back_to(std::int32_t level);
    void learn(std::span<const Lit> clause, std::int32_t lbd);
    void note_lbd(std::int32_t lbd);
    bool wants_restart() const;
    void tidy_up();
    Variable next_variable();

    OrderModel model_;
    std::size_t memory_, cells_;
    Trail trail_;
    LineReasons lines_;
    LearntClauses learnt_;
    ConflictAnalysis analysis_;
    Activity activity_;
    std::vector<Lit> preferred_;  // [variable]
    std::size_t propagated_ = 0;  // of the trail
    Conflict conflict_{Reason::none()};
    bool is_exhausted_ = false;
    double lbd_lately_ = 0, lbd_ever_ = 0;
    std::int64_t since_restart_ = 0;
    std::size_t tidy_at_;  // learnt clauses
    Counts counts_;
};

}  // namespace nonocsp
