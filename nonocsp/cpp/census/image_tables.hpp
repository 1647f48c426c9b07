// The sweeps of single images of a small size, by tables of all lines: some 100 ns an image.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "census/shard.hpp"
#include "census/tiny_lines.hpp"

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

// The sweeps of black and white images of one size, for searches that grade millions of them: by tables up to
// 64 cells and 10 in a line, otherwise by propagation.

class ImageSweeps {
  public:
    using Figures = ImageTables::Figures;

    // Without `tables`, always by propagation. Throws std::invalid_argument for no cells.
    ImageSweeps(std::size_t rows, std::size_t columns, bool tables);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }

    // Grades an image: 0 or 1 for each cell, row by row. Throws std::invalid_argument for other numbers.
    Figures grade(std::span<const std::uint8_t> image, Watch& watch) const;

  private:
    Figures grade_by_propagation(std::span<const std::uint8_t> image, Watch& watch) const;

    std::size_t rows_, columns_;
    std::optional<ImageTables> tables_;
};

// A stratified sample of the census of a size by difficulty: random images of every shard, each by itself, on
// tables of all lines. A batch of the census costs less an image, but its images are alike: at 7x7 one by
// itself tells as much as 160 of a batch.

class SweepSample {
  public:
    // Throws std::invalid_argument for a size with more than 64 cells, or more than 10 in a line.
    SweepSample(std::size_t rows, std::size_t columns);

    // The numbers of images by difficulty, as SweepCensus has them, of `draws` times as many random images of
    // every shard as its weight says, so that every image of the size is equally likely.
    std::vector<std::uint64_t> count(std::size_t draws, std::uint64_t seed, Watch& watch) const;

  private:
    std::size_t cells_, columns_;
    ImageTables tables_;
    std::vector<Shard> shards_;
};

}  // namespace nonocsp
