#include "grid/small_propagator.hpp"

#include <algorithm>

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
    const std::size_t rows = small.lines(Axis::kRow), columns = small.lines(Axis::kColumn);
    std::vector<Word> cells(rows * columns);
    small.write(cells);
    Board board(rows, columns, small.colours());
    board.read(cells);
    return board;
}

}  // namespace nonocsp
