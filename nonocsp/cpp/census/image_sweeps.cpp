#include "census/image_sweeps.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>

#include "grid/image_clues.hpp"
#include "grid/propagator.hpp"

namespace nonocsp {

ImageSweeps::ImageSweeps(std::size_t rows, std::size_t columns, bool tables)
    : rows_(rows), columns_(columns) {
    if (rows < 1 || columns < 1) throw std::invalid_argument("an image needs a row and a column");
    if (tables && std::max(rows, columns) <= SettledAxis::kMostLength &&
        rows * columns <= TinyAxis::kMostCells)
        tables_.emplace(SettledAxis(rows, columns), SettledAxis(columns, rows));
}

ImageSweeps::Figures ImageSweeps::grade(std::span<const std::uint8_t> image, Watch& watch) const {
    assert(image.size() == rows_ * columns_);
    if (std::ranges::any_of(image, [](std::uint8_t cell) { return cell > 1; }))
        throw std::invalid_argument("an image in black and white has cells of 0 and 1");
    watch.check();
    return tables_ ? grade_by_tables(image) : grade_by_propagation(image, watch);
}

ImageSweeps::Figures ImageSweeps::grade_by_tables(std::span<const std::uint8_t> image) const {
    const auto& [rows, columns] = *tables_;
    Word along = 0, across = 0;  // the image, in the order of rows and of columns
    for (std::size_t row = 0; row < rows_; ++row) {
        std::size_t content = 0;
        for (std::size_t column = 0; column < columns_; ++column)
            content |= std::size_t{image[row * columns_ + column]} << column;
        along |= rows.along(row, content);
        across |= rows.across(row, content);
    }
    const SettledAxis::AllSettled by_row = rows.settled_lines(along);
    const SettledAxis::AllSettled by_column = columns.settled_lines(across);
    Word known = 0;  // in the order of rows before an h-sweep, of columns after it
    std::int64_t useful = 0;
    for (std::int64_t sweep = 1;; ++sweep) {
        const int before = std::popcount(known);
        known = sweep % 2 == 1 ? rows.sweep(by_row, known) : columns.sweep(by_column, known);
        if (std::popcount(known) > before)
            useful = sweep;
        else if (sweep > 1)  // a useless h-sweep at the start says nothing about the columns
            return {useful, image.size() - static_cast<std::size_t>(before)};
    }
}

ImageSweeps::Figures ImageSweeps::grade_by_propagation(std::span<const std::uint8_t> image,
                                                       Watch& watch) const {
    const PuzzleClues clues = clues_of_image(image, columns_, 2);
    Board board(rows_, columns_, 2);
    Propagator propagator(clues);
    const Sweeps sweeps = propagator.by_sweeps(board, watch);
    assert(!sweeps.contradiction);  // the image fits its own clues
    return {sweeps.count, board.open_cells()};
}

}  // namespace nonocsp
