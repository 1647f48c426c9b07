// Fully probing (FP1 of Wu et al., An efficient approach to solving nonograms, 2013), in any number of
// colours.
//
// PROBE(p) tries every candidate of cell p by propagating it, and replaces the board by the union of the
// boards that survive. The union of boards at the fixpoint of settle is at the fixpoint too: each remaining
// candidate has a placement that fits. FP1 probes until no cell narrows the board.
//
// Incremental and exact: a cell is probed again only if a line changed that its last probes looked at;
// otherwise they would have the same result. A cell's own result does not make it pending, since its probes
// lie within the union. FP2 and FP3 add implications between probes (implications.hpp); GP relations are a
// by-product (groups.hpp). Cost of a probe: a fixpoint of settle for each candidate, from two dirty lines. A
// probe changes a copy of the board and puts the lines that it changed back, so that its cost does not grow
// with the board; small boards are copied as a whole.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/small_board.hpp"
#include "grid/small_propagator.hpp"
#include "line/clue.hpp"
#include "probing/dependent_cells.hpp"
#include "probing/groups.hpp"
#include "probing/implications.hpp"
#include "probing/pending_cells.hpp"
#include "proofs/board_proof.hpp"

namespace nonocsp {

enum class ProbingLevel { kFp1, kFp2, kFp3 };

// Whether small boards can be probed: these have no relations between probes, so FP1 without groups only.
inline bool takes_small_boards(const PuzzleClues& clues, ProbingLevel level, bool groups) {
    return level == ProbingLevel::kFp1 && !groups &&
           SmallBoard::takes(clues.rows.size(), clues.columns.size(), clues.colours);
}

// A board at the fixpoint of settle, with the results of the last probe of every open cell. A copy is
// independent. Memory: 4 bytes a cell and 4 a candidate, besides dependents, groups and implications.
template <PartialGrid Grid>
struct ProbedBoard {
    explicit ProbedBoard(Grid board) : board(std::move(board)) {}

    std::size_t number(Cell cell) const { return cell.row * board.lines(Axis::kColumn) + cell.column; }
    std::size_t cells() const { return board.lines(Axis::kRow) * board.lines(Axis::kColumn); }

    // The number of candidates that the probe of a candidate removes.
    std::uint32_t gain(Cell cell, std::size_t colour) const {
        return gains[number(cell) * board.colours() + colour];
    }

    Grid board;
    PendingCells pending;
    DependentCells dependents;
    std::vector<std::uint32_t> gains;  // by cell and colour
    Groups groups;
    Implications implications;
};

// Probes boards of one puzzle. Owns the memory of the probes, so it serves one thread at a time.
template <PartialGrid Grid>
class Prober {
  public:
    // With `groups`, GP relations are collected. With `proof`, what is found is proved there.
    Prober(const PuzzleClues& clues, ProbingLevel level, bool groups, BoardProof* proof = nullptr);

    // Settles a board; false at a contradiction. All its open cells are pending afterwards.
    bool start(ProbedBoard<Grid>& probed, Watch& watch);

    // Removes candidates of some cells and settles; false at a contradiction.
    bool narrow(ProbedBoard<Grid>& probed, std::span<const Narrowing> narrowings, Watch& watch);

    // Probes pending cells until there is none; false if no solution is left. With `found`, which must be
    // empty, a probe that completes the grid is a solution: the call appends and excludes it and returns,
    // with pending cells left. Throws BudgetSpent; the board is sound then, and the next call goes on.
    bool to_fixpoint(ProbedBoard<Grid>& probed, std::vector<Grid>* found, Watch& watch);

    // Allows `probes` more probes, plus `earned` for each candidate removed; unlimited before the first call.
    void allow(std::int64_t probes, std::int64_t earned = 0) {
        assert(probes >= 0 && earned >= 0);
        most_probes_ = probes_ + probes;
        earned_ = earned;
    }

    std::int64_t probes() const { return probes_; }
    std::int64_t settles() const { return propagator_.settles(); }
    std::int64_t hits() const { return propagator_.hits(); }

  private:
    // Makes the cells pending whose probes would now complete the grid; whether there are any.
    static bool mark_completing(ProbedBoard<Grid>& probed);

    // PROBE(p); false if no candidate survives.
    bool probe(ProbedBoard<Grid>& probed, Cell cell, std::vector<Grid>* found, Watch& watch);

    // The board that the probe of a candidate leaves. Between probes it differs from the probed board in the
    // changed lines alone.
    struct Side {
        Grid board;
        LineSet<Grid> changed;  // maybe more than those
        std::size_t colour = 0;
        bool is_stale = true;    // it differs anywhere
        SettleTrail trail = {};  // of the last settle, for a proof
    };

    // Makes a side the same as the probed board.
    void reset(Side& side, const Grid& board);

    // Makes `side` the board that the probe of one candidate leaves; false at a contradiction.
    bool try_candidate(ProbedBoard<Grid>& probed, Cell cell, Side& side, Watch& watch);

    // Settles a side with all that its candidate is known to exclude, and records what else it excludes.
    bool settle_with_implications(ProbedBoard<Grid>& probed, Cell cell, Side& side, Watch& watch);

    // Settles the dirty lines of a side, which count as changed; false at a contradiction.
    bool settle(Side& side, Watch& watch);

    // Settles the dirty lines of a board and calls seen(line) for each; false at a contradiction.
    template <class Seen>
    bool settle(Grid& board, SettleTrail& trail, Watch& watch, Seen seen);
    // Apart, so that the compiler does not slow down the rest for it.
    template <class Seen>
    [[gnu::noinline]] bool settle_for_proof(Grid& board, SettleTrail& trail, Watch& watch, Seen seen);

    // Proves what the surviving sides agree on, once the board is narrowed to that.
    void prove_union(const Grid& board, Cell cell);

    // Narrows the board to the union of the surviving sides, and records the gains.
    void adopt_union(ProbedBoard<Grid>& probed, Cell cell);

    // Narrows the board to the union; cells whose probes looked at a line that changes become pending.
    void narrow_to_union(ProbedBoard<Grid>& probed);

    // Groups the cell with those that its two probes decide differently; false at a contradiction.
    bool join_groups(ProbedBoard<Grid>& probed, Cell cell);

    ProbingLevel level_;
    bool collect_groups_;
    BoardProof* proof_;
    PropagatorOf<Grid> propagator_;
    std::vector<Side> sides_;  // of the cell at hand; the surviving ones come first
    std::size_t survivors_ = 0;
    LineSet<Grid> seen_;    // by the probes of the cell at hand
    LineSet<Grid> common_;  // lines that all surviving sides changed
    LineSet<Grid> lost_;    // lines that the union narrows
    bool copies_all_;       // boards are so small that copying lines takes longer
    std::int64_t probes_ = 0;
    std::optional<std::int64_t> most_probes_;
    std::int64_t earned_ = 0;  // probes for each candidate removed
};

extern template class Prober<Board>;
extern template class Prober<SmallBoard>;

}  // namespace nonocsp
