#include "grid/board.hpp"

#include <algorithm>
#include <functional>

namespace nonocsp {
namespace {

// The set of the first `length` cells, `words` words.
void fill_cells(Word* plane, std::size_t words, std::size_t length) {
    for (std::size_t i = 0; i < words; ++i) {
        const std::size_t before = i * kWordBits;
        const std::size_t cells = length > before ? std::min(length - before, kWordBits) : 0;
        plane[i] = cells == 0 ? 0 : ~Word{0} >> (kWordBits - cells);
    }
}

}  // namespace

static_assert(PartialGrid<Board>);

Board::Board(std::size_t rows, std::size_t columns, std::size_t colours) : colours_(colours) {
    assert(rows > 0 && columns > 0 && 0 < colours && colours <= kWordBits);
    const auto make_side = [&](std::size_t lines, std::size_t length) {
        const std::size_t words = words_for(length);
        Side side{lines, words, words * colours, std::vector<Word>(lines * words * colours)};
        for (std::size_t plane = 0; plane < lines * colours; ++plane)
            fill_cells(&side.planes[plane * words], words, length);
        return side;
    };
    sides_ = {make_side(rows, columns), make_side(columns, rows)};
    candidate_count_ = rows * columns * colours;
}

Word Board::candidates(Cell cell) const {
    assert(cell.row < lines(Axis::kRow) && cell.column < lines(Axis::kColumn));
    const Side& rows = side(Axis::kRow);
    Word candidates = 0;
    for (std::size_t colour = 0; colour < colours_; ++colour) {
        const Word plane = rows.planes[rows.at(cell.row, colour, cell.column)];
        candidates |= (plane >> cell.column % kWordBits & 1) << colour;
    }
    return candidates;
}

std::size_t Board::open_cells() const {
    const Side& rows = side(Axis::kRow);
    std::size_t count = 0;
    for (std::size_t row = 0; row < rows.lines; ++row)
        for (std::size_t word = 0; word < rows.words; ++word)
            count += static_cast<std::size_t>(std::popcount(open_in_row(row, word)));
    return count;
}

void Board::count_candidates() {
    candidate_count_ = 0;
    for (const Word plane : side(Axis::kRow).planes)
        candidate_count_ += static_cast<std::size_t>(std::popcount(plane));
}

void Board::unite(const Board& other) {
    assert(has_shape_of(other));
    for (std::size_t axis = 0; axis < sides_.size(); ++axis) {
        std::vector<Word>& planes = sides_[axis].planes;
        const std::vector<Word>& others = other.sides_[axis].planes;
        std::ranges::transform(planes, others, planes.begin(), std::bit_or());
    }
    count_candidates();
    assert(planes_agree());
}

void Board::copy_line(const Board& from, LineId id) {
    assert(has_shape_of(from));
    std::ranges::copy(from.line(id), &side(id.axis).planes[id.position * side(id.axis).stride]);
    candidate_count_ = from.candidate_count_;
}

bool Board::narrow_to_union(LineId id, std::span<const Board* const> others) {
    const std::size_t begin = id.position * side(id.axis).stride;
    bool has_changed = false;
    for (std::size_t i = begin; i < begin + side(id.axis).stride; ++i) {
        Word& plane = side(id.axis).planes[i];
        Word any = 0;
        for (const Board* other : others) any |= other->side(id.axis).planes[i];
        const Word removed = plane & ~any;
        plane ^= removed;
        if (id.axis == Axis::kRow) candidate_count_ -= static_cast<std::size_t>(std::popcount(removed));
        has_changed |= removed != 0;
    }
    return has_changed;
}

bool Board::planes_agree() const {
    const Side &rows = side(Axis::kRow), &columns = side(Axis::kColumn);
    std::size_t in_rows = 0, in_columns = 0;
    for (const Word plane : columns.planes) in_columns += static_cast<std::size_t>(std::popcount(plane));
    bool agree = true;
    for (std::size_t row = 0; row < rows.lines; ++row)
        for (std::size_t at = 0; at < rows.stride; ++at)
            for_each_cell(rows.planes[row * rows.stride + at], at % rows.words * kWordBits,
                          [&](std::size_t column) {
                              const Word plane = columns.planes[columns.at(column, at / rows.words, row)];
                              agree = agree && (plane >> row % kWordBits & 1) != 0;
                              ++in_rows;
                          });
    return agree && in_rows == candidate_count_ && in_columns == candidate_count_;
}

void Board::narrow_cell(Cell cell, Word candidates) {
    assert(cell.row < lines(Axis::kRow) && cell.column < lines(Axis::kColumn));
    Side &rows = side(Axis::kRow), &columns = side(Axis::kColumn);
    const Word in_row = Word{1} << cell.column % kWordBits, in_column = Word{1} << cell.row % kWordBits;
    for (std::size_t colour = 0; colour < colours_; ++colour) {
        Word& row = rows.word(cell.row, colour, cell.column);
        if ((candidates >> colour & 1) != 0 || (row & in_row) == 0) continue;
        row &= ~in_row;
        --candidate_count_;
        columns.word(cell.column, colour, cell.row) &= ~in_column;
    }
}

void Board::read(std::span<const Word> cells) {
    const std::size_t columns = lines(Axis::kColumn);
    assert(cells.size() == lines(Axis::kRow) * columns);
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        Side& own = side(axis);
        const std::size_t step = axis == Axis::kRow ? columns : 1, stride = axis == Axis::kRow ? 1 : columns;
        for (std::size_t i = 0; i < own.lines; ++i)
            pack_line(&cells[i * step], stride, length(axis), colours_, &own.planes[i * own.stride]);
    }
    count_candidates();
    assert(planes_agree());
}

void Board::write(std::span<Word> cells) const {
    const std::size_t columns = lines(Axis::kColumn);
    assert(cells.size() == lines(Axis::kRow) * columns);
    for (std::size_t row = 0; row < lines(Axis::kRow); ++row)
        unpack_line(line({Axis::kRow, row}).data(), columns, colours_, &cells[row * columns]);
}

}  // namespace nonocsp
