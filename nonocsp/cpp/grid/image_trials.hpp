// Which cell of an image to change? What line solving leaves open of the image's puzzle (FullSettle of
// Batenburg et al., simple Nonograms), and of the puzzle of every image that differs from it in one cell.
//
// What is known of the image, the cell itself apart, is true of the changed image as well. Settling from
// there, with two lines dirty, leaves at most as much open as settling from nothing does: a bound at a
// fraction of the cost, so that few changes have to be settled from nothing to find the best one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
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

    // Throws std::invalid_argument for an image without cells or with colours that there are not.
    ImageTrials(Image image, std::size_t columns, std::size_t colours, Watch& watch);

    // The fixpoint of the image's puzzle.
    const Board& known() const { return known_; }

    // How many cells are open after each change; with `least`, at least how many.
    std::vector<std::int32_t> open_after(std::span<const Change> changes, bool least, Watch& watch) const;

  private:
    class Trial;

    std::size_t rows() const { return image_.size() / columns_; }
    // A line's colours, changed or not.
    Image line(LineId id) const;
    Image line(LineId id, const Change& change) const;
    PuzzleClues clues() const;

    Image image_;
    std::size_t columns_, colours_;
    PuzzleClues clues_;
    Board known_;
};

}  // namespace nonocsp
