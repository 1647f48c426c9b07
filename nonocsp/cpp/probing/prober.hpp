// Fully probing (FP1 of Wu et al., An efficient approach to solving nonograms, 2013), in any number of
// colours.
//
// PROBE(p) tries every candidate of cell p by propagating it, and replaces the board by the union of what
// survives. The union of boards at the fixpoint of settle is at it too: each candidate left has a placement
// that fits. FP1 probes until no cell narrows the board any more.
//
// Incremental and exact: a cell is probed again only if a line has changed that its last probes looked at;
// otherwise they would do again what they did. Nor does a cell's own result make it pending: its probes lie
// within the union. FP2 and FP3 add implications between probes (implications.hpp), GP relations come as a
// by-product (groups.hpp). Cost of a probe: a fixpoint of settle for each candidate, from two dirty lines.
#pragma once

#include <array>
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
#include "probing/groups.hpp"
#include "probing/implications.hpp"
#include "probing/pending_cells.hpp"

namespace nonocsp {

// A set of lines, or one that contains it: neighbours share a bit on an axis of more than 64.
struct LineSet {
    std::array<Word, 2> bits{};
    bool operator==(const LineSet&) const = default;

    bool meets(const LineSet& other) const {
        return ((bits[0] & other.bits[0]) | (bits[1] & other.bits[1])) != 0;
    }
};

enum class ProbingLevel { kFp1, kFp2, kFp3 };

// Whether probes of a puzzle can take place on small boards: these have no relations between probes, so no
// groups, and FP1 only.
inline bool takes_small_boards(const PuzzleClues& clues, ProbingLevel level, bool groups) {
    return level == ProbingLevel::kFp1 && !groups &&
           SmallBoard::takes(clues.rows.size(), clues.columns.size(), clues.colours);
}

// A board at the fixpoint of settle, and what the last probe of every open cell has shown. A copy goes its
// own way from there. Memory: 16 bytes a cell and 4 a candidate, and what groups and implications take.
template <class Board>
struct ProbedBoard {
    explicit ProbedBoard(Board board) : board(std::move(board)) {}

    std::size_t number(Cell cell) const { return cell.row * board.lines(Axis::kColumn) + cell.column; }

    // How many candidates the probe of a candidate removes beyond those of the board.
    std::uint32_t gain(Cell cell, std::size_t colour) const {
        return gains[number(cell) * board.colours() + colour];
    }

    Board board;
    PendingCells pending;
    std::vector<LineSet> seen;         // by cell: the lines that its probes looked at
    std::vector<std::uint32_t> gains;  // by cell and colour
    Groups groups;
    Implications implications;
};

// Probes boards of one puzzle. Holds the memory of the probes; one thread at a time.
template <class Board>
class Prober {
  public:
    // With `groups`, GP relations are collected.
    Prober(const PuzzleClues& clues, ProbingLevel level, bool groups);

    // Settles a board; false at a contradiction. All its cells are pending then.
    bool start(ProbedBoard<Board>& probed, Watch& watch);

    // Removes candidates of some cells and settles; false at a contradiction.
    bool narrow(ProbedBoard<Board>& probed, std::span<const Narrowing> narrowings, Watch& watch);

    // Probes pending cells until there is none; false if nothing is left. With `found`, which is empty, a
    // probe that completes the grid is a solution, appended and excluded, and ends this call; pending cells
    // may be left then. Throws BudgetSpent.
    bool to_fixpoint(ProbedBoard<Board>& probed, std::vector<Board>* found, Watch& watch);

    // Allows that many more probes, and so many again for each candidate that they remove; any number before
    // it is called.
    void allow(std::int64_t probes, std::int64_t earned = 0) {
        most_probes_ = probes_ + probes;
        earned_ = earned;
    }

    std::int64_t probes() const { return probes_; }
    std::int64_t settles() const { return propagator_.settles(); }
    std::int64_t hits() const { return propagator_.hits(); }

  private:
    // Makes the cells pending of which a probe would complete the grid, now that the rest of it is decided;
    // whether there are any.
    static bool mark_completing(ProbedBoard<Board>& probed);

    // PROBE(p); false if no candidate survives.
    bool probe(ProbedBoard<Board>& probed, Cell cell, std::vector<Board>* found, Watch& watch);

    // Makes `side` what the probe of one candidate leaves; false at a contradiction.
    bool try_candidate(ProbedBoard<Board>& probed, Cell cell, std::size_t colour, Board& side, Watch& watch);

    // Settles a side with whatever its candidate is known to imply, and learns what else it does.
    bool settle_with_implications(ProbedBoard<Board>& probed, Cell cell, std::size_t colour, Board& side,
                                  Watch& watch);

    // Settles the dirty lines of a board and adds them to `seen`; false at a contradiction.
    bool settle(Board& board, LineSet& seen, Watch& watch);

    // Narrows to the union of what survived, and notes the gains.
    void adopt_union(ProbedBoard<Board>& probed, Cell cell);

    // Cells whose probes looked at a line that changes become pending.
    void narrow_to_union(ProbedBoard<Board>& probed, const Board& a, const Board& b);

    // Notes which cells both probes of a cell decided, differently; false at a contradiction.
    bool join_groups(ProbedBoard<Board>& probed, Cell cell);

    void add(LineSet& set, LineId id) const {
        set.bits[index(id.axis)] |= Word{1} << (id.position >> shift_[index(id.axis)]);
    }

    struct Side {
        std::size_t colour, candidate_count;
        Board board;
    };

    ProbingLevel level_;
    bool collect_groups_;
    PropagatorOf<Board> propagator_;
    std::array<unsigned, 2> shift_;  // from the position of a line to its bit
    std::vector<Side> sides_;        // the probes of one cell that survive come first
    std::size_t survivors_ = 0;
    std::int64_t probes_ = 0;
    std::optional<std::int64_t> most_probes_;
    std::int64_t earned_ = 0;  // probes, by a candidate that is removed
};

extern template class Prober<Board>;
extern template class Prober<SmallBoard>;

}  // namespace nonocsp
