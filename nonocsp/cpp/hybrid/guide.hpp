// Guidance for the learning search: belief propagation tells how likely each cell has each colour, and each
// block has started, over all solutions as far as lines can see. The search tries likely values first, and
// begins with variables that are nearly certain. A dive goes further: it decides the most certain cells and
// updates the beliefs as it goes down (decimation, Mézard, Parisi & Zecchina 2002). It learns from conflicts
// as usual. Most hard puzzles have several solutions, and a search spends nearly all of its time before it
// finds the first one. Guidance shortens that time.
//
// A conflict on a large board concerns a small part of it. So a dive may have more conflicts there; it makes
// the decisions again that a conflict took back; and it decides many cells between two sweeps where little
// depends on a cell, as in photographs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "beliefs/beliefs.hpp"
#include "cdcl/solver.hpp"

namespace nonocsp {

class Guide {
  public:
    // `clues` and `solver` must outlive it.
    Guide(const PuzzleClues& clues, CdclSolver& solver, const SearchOptions& options, std::uint64_t seed);

    // Propagates beliefs at level 0, and has the search follow them.
    void start(Watch& watch);

    // Searches by the beliefs until so many conflicts, more of them on a large board; unlike
    // `CdclSolver::search` it stays where it is then. All dives but the first begin at level 0 with fresh
    // beliefs.
    CdclSolver::End dive(std::int64_t conflicts, Watch& watch);

    // What beliefs took so far, in propagated literals, as CdclSolver::work() counts.
    std::int64_t work() const;
    std::int64_t dives() const { return dives_; }
    std::int64_t sweeps() const { return sweeps_; }

  private:
    struct Choice {
        double certainty;
        Lit lit;
    };

    void refresh(Watch& watch);
    // Learns from a conflict; false if the search is exhausted.
    bool resolve_conflict();
    void set_likely_colours();
    void set_likely_starts();
    void set_phase(Variable variable, double probability);
    std::pair<std::size_t, double> likeliest(std::size_t cell) const;
    double certainty(std::size_t cell, double belief) const;
    // The cells to decide next, the most certain last.
    void choose();
    // Judges by the decisions since the last sweep how many cells to decide before the next one.
    void judge_looseness();
    // Of the decisions taken back and the cells chosen, the next one that is still open.
    std::optional<Lit> next_choice();

    const PuzzleClues& clues_;
    CdclSolver& solver_;
    SearchOptions options_;
    Beliefs beliefs_;
    Random random_;
    std::vector<double> certainty_;  // [variable]
    std::vector<double> started_;    // of one line: [block][position]
    std::vector<Choice> open_;       // cells
    std::vector<Lit> choices_;
    std::vector<Lit> undone_;  // decisions that conflicts took back, on a large board, the first one last
    bool is_nearly_blank_, is_large_ = false, is_loose_ = false;
    std::size_t swept_ = 0, enough_ = 0;  // candidates at the last sweep, and to remove before the next one
    std::int32_t level_ = 0;              // at the last sweep
    double removed_ = 0, decisions_ = 0;  // candidates removed by decisions, lately
    std::int64_t dives_ = 0, sweeps_ = 0;
};

}  // namespace nonocsp
