#include "grid/small_propagator.hpp"

namespace nonocsp {

SmallPropagator::SmallPropagator(const PuzzleClues& clues)
    : clues_(clues),
      number_(clues.rows.size()),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())} {}

void SmallPropagator::touch_all() {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        dirty_[index(axis)] = ~Word{0} >> (kWordBits - clues_.of(axis).size());
}

void SmallPropagator::settle(LineId id, const Line& line, Entry& entry) {
    ++misses_;
    const std::array<Word, 2> state{line.background, line.black};
    std::array<Word, 2> settled{};
    const bool fits = settlers_[index(id.axis)]->settle(clues_[id], state, settled);
    entry = {line, fits ? Line{settled[0], settled[1]} : Line{0, 0}};
}

Board as_board(const SmallBoard& small) {
    Board board(small.lines(Axis::kRow), small.lines(Axis::kColumn), small.colours());
    board.read(candidate_sets(small));
    return board;
}

}  // namespace nonocsp
