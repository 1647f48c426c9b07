#include "census/image_sweeps.hpp"

#include <algorithm>
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
        tables_.emplace(rows, columns);
}

ImageSweeps::Figures ImageSweeps::grade(std::span<const std::uint8_t> image, Watch& watch) const {
    assert(image.size() == rows_ * columns_);
    if (std::ranges::any_of(image, [](std::uint8_t cell) { return cell > 1; }))
        throw std::invalid_argument("an image in black and white has cells of 0 and 1");
    watch.check();
    if (!tables_) return grade_by_propagation(image, watch);
    Word cells = 0;
    for (std::size_t i = 0; i < image.size(); ++i) cells |= Word{image[i]} << i;
    return tables_->grade(cells);
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
