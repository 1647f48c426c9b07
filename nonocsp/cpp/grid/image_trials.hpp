// Finds which cell of an image to change: counts the cells that line solving leaves open in the image's
// puzzle (FullSettle of Batenburg et al., simple Nonograms), and in the puzzle of each image that differs in
// one cell.
//
// What line solving knows of the image holds for the changed image too, except in that cell. Settling from
// there, with two lines dirty, leaves at most as many cells open as settling from an empty board. That is a
// lower bound at a fraction of the cost, which spares most trials of a search for the best change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"
#include "line/settler.hpp"

namespace nonocsp {

struct Change {
    Cell cell;
    std::uint8_t colour;
};

class ImageTrials {
  public:
    // An image is its cells' colours, row by row; `colours` counts the background.
    using Image = std::vector<std::uint8_t>;

    // Throws std::invalid_argument for an image without cells or with unknown colours.
    ImageTrials(Image image, std::size_t columns, std::size_t colours, Watch& watch);

    // The fixpoint of the image's puzzle.
    const Board& known() const { return known_; }

    // The number of open cells after each change; with `least`, a lower bound of it.
    std::vector<std::int32_t> open_after(std::span<const Change> changes, bool least, Watch& watch) const;

  private:
    class Trial;

    std::size_t rows() const { return image_.size() / columns_; }
    // A line's colours, changed or not.
    Image line(LineId id) const;
    Image line(LineId id, const Change& change) const;

    Image image_;
    std::size_t columns_, colours_;
    PuzzleClues clues_;
    Board known_;
};

}  // namespace nonocsp
