// Propagator for small boards: the dirty lines are two words, all dirty rows are settled before all dirty
// columns, and results are kept in a table.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "grid/small_board.hpp"
#include "line/settler.hpp"

namespace nonocsp {

class SmallPropagator {
  public:
    explicit SmallPropagator(const PuzzleClues& clues);

    // Keeps results from now on.
    void remember() { table_.resize((clues_.rows.size() + clues_.columns.size()) << kEntryBits); }

    void narrow_cell(SmallBoard& board, Cell cell, Word candidates) {
        board.narrow_cell(cell, candidates);
        dirty_[index(Axis::kRow)] |= Word{1} << cell.row;
        dirty_[index(Axis::kColumn)] |= Word{1} << cell.column;
    }

    void touch_all();

    // Settles the dirty lines and those that get dirty; returns the first line that no placement fits. No
    // line is dirty afterwards. Calls seen(line) before it settles a line, and report(line, planes, planes
    // when settled) before the board is narrowed.
    template <class Seen, class Report = Ignore>
    std::optional<LineId> to_fixpoint(SmallBoard& board, Watch& watch, Seen seen, Report report = {});
    std::optional<LineId> to_fixpoint(SmallBoard& board, Watch& watch) {
        return to_fixpoint(board, watch, [](LineId) {});
    }

    std::int64_t settles() const { return settles_; }
    std::int64_t hits() const { return settles_ - misses_; }

  private:
    using Line = SmallBoard::Line;

    struct Entry {
        Line state, settled;
    };

    static constexpr unsigned kEntryBits = 7;  // 2^7 entries a line: 4 KiB

    // The settled line, without candidates if no placement fits.
    const Line& settled(LineId id, const Line& line) {
        if (table_.empty()) {
            settle(id, line, only_);
            return only_.settled;
        }
        const Word hash = (line.background * 0x9e3779b97f4a7c15U ^ line.black) * 0xc2b2ae3d27d4eb4fU;
        Entry& entry = table_[number_(id) << kEntryBits | hash >> (kWordBits - kEntryBits)];
        if (entry.state != line) settle(id, line, entry);
        assert((entry.settled.background & ~line.background) == 0 &&
               (entry.settled.black & ~line.black) == 0);
        return entry.settled;
    }

    void settle(LineId id, const Line& line, Entry& entry);

    const PuzzleClues& clues_;
    LineNumbers number_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    std::vector<Entry> table_;  // [line][entry]; empty if results are not kept
    Entry only_{};              // the last result, if they are not
    std::array<Word, 2> dirty_{};
    std::int64_t settles_ = 0, misses_ = 0;
};

template <class Seen, class Report>
std::optional<LineId> SmallPropagator::to_fixpoint(SmallBoard& board, Watch& watch, Seen seen,
                                                   Report report) {
    watch.check();
    assert(board.lines(Axis::kRow) == clues_.rows.size() &&
           board.lines(Axis::kColumn) == clues_.columns.size());
    for (Axis axis = Axis::kRow; (dirty_[0] | dirty_[1]) != 0; axis = crossing(axis)) {
        Word narrowed = dirty_[index(crossing(axis))];
        for (Word lines = dirty_[index(axis)]; lines != 0; lines &= lines - 1) {
            const LineId id{axis, static_cast<std::size_t>(std::countr_zero(lines))};
            assert(id.position < board.lines(axis));
            seen(id);
            ++settles_;
            const Line& line = settled(id, board.line(id));
            if ((line.background | line.black) == 0) {
                dirty_ = {};
                return id;
            }
            report(id, board.line(id).words(), line.words());
            narrowed |= board.narrow(axis, id.position, line);
        }
        dirty_[index(axis)] = 0;
        dirty_[index(crossing(axis))] = narrowed;
    }
    assert(board.planes_agree());
    return std::nullopt;
}

// The same candidates.
inline const Board& as_board(const Board& board) { return board; }
Board as_board(const SmallBoard& small);

template <PartialGrid Grid>
inline constexpr bool kIsSmall = std::is_same_v<Grid, SmallBoard>;

// The propagator for a type of board.
template <PartialGrid Grid>
using PropagatorOf = std::conditional_t<kIsSmall<Grid>, SmallPropagator, Propagator>;

}  // namespace nonocsp
