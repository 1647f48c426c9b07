// The sweeps of single images of a small size, by tables of all lines: some 100 ns an image.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "census/tiny_axis.hpp"

namespace nonocsp {

// The lines of one axis with the result of settling as a table. The content of a line is given and its known
// cells agree with it, so content and known cells determine the result. A sweep takes known cells in the
// order of this axis and returns them in that of the other one. Memory: 8 bytes for every content and set of
// known cells.
class SettledAxis : public TinyAxis {
  public:
    static constexpr std::size_t kMostLength = 10;

    // The results of settling a line with a given content, by its known cells: the cells known afterwards, in
    // the order of the other axis, for line 0.
    using Settled = const Word*;
    using AllSettled = std::array<Settled, kMostLength>;  // [line]

    // Throws std::invalid_argument for an image that is not small, or has more than kMostLength lines or
    // cells in a line.
    SettledAxis(std::size_t count, std::size_t length);

    AllSettled settled_lines(Word image) const;

    // Settles every line of an image from its known cells: the cells known afterwards, in the other order.
    Word sweep(const AllSettled& settled, Word known) const {
        Word result = 0;
        for (std::size_t i = 0; i < count(); ++i) result |= settled[i][line(known, i)] << i;
        return result;
    }

  private:
    // The cells of a line that are known after settling it.
    std::size_t settle(std::size_t content, std::size_t known) const;

    std::vector<Word> settled_;  // [content][known], for line 0
};

class ImageTables {
  public:
    struct Figures {
        std::int64_t sweeps;  // up to the last one that changed a cell, rows first (Batenburg et al.)
        std::size_t open;     // cells that line solving leaves open
    };

    // Throws std::invalid_argument for a size that is not small.
    ImageTables(std::size_t rows, std::size_t columns) : rows_(rows, columns), columns_(columns, rows) {}

    // Grades an image, row by row.
    Figures grade(Word image) const;

  private:
    SettledAxis rows_, columns_;
};

}  // namespace nonocsp
