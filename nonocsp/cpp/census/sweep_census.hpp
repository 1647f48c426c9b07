// The census of a size by difficulty: grades every image, 512 at a time. A batch has the images that differ
// in some free cells only; each image is one bit of a word, so one operation settles a cell in all of them.
// Reflections of an image have the same difficulty, so of shards that are reflections of each other one is
// counted. Shards are cut across the longer side: their outer lines are rows if there are at least as many
// rows as columns, otherwise columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "census/shard.hpp"
#include "census/tiny_lines.hpp"

namespace nonocsp {

// The differences between the content of a line and the other placements of its clue. A placement fits the
// known cells, which agree with the content, if it differs from the content in open cells only. So settling
// leaves a cell open exactly if some difference has this cell, and open cells only. A difference whose every
// cell is in a smaller one adds nothing and is left out.

// At least two cells, because placements of a clue have equally many filled ones.
struct Difference {
    std::uint8_t first, second;
    std::uint32_t others;
};

class Differences {
  public:
    explicit Differences(const TinyLines& lines);

    std::span<const Difference> of(std::size_t content) const {
        assert(content + 1 < starts_.size());
        return std::span(differences_).subspan(starts_[content], starts_[content + 1] - starts_[content]);
    }

  private:
    std::vector<Difference> differences_;
    std::vector<std::size_t> starts_;  // [content]
};

class SweepCensus {
  public:
    // The number of images by difficulty, 1, 2, … sweeps, rows first (Batenburg et al.); at 0 the number that
    // are not simple.
    using Histogram = std::vector<std::uint64_t>;

    static constexpr std::size_t kMostCells = kWordBits;

    // Throws std::invalid_argument for a size that is too large.
    SweepCensus(std::size_t rows, std::size_t columns);

    // Shards name outer lines by their contents.
    std::vector<Shard> shards() const;

    // The images of a shard; the caller multiplies by the weight. Throws std::invalid_argument for unknown
    // lines.
    Histogram count(const Shard& shard, Watch& watch) const;

  private:
    static constexpr std::size_t kMostFree = 9;
    using Images = Wide<(std::size_t{1} << kMostFree) / kWordBits>;  // bit i: image i of a batch
    using Cell = std::pair<std::size_t, std::size_t>;                // its line of `many_` and of `few_`
    using Contents = std::array<std::uint32_t, kMostCells>;          // [line]
    using Open = std::array<Images, kMostCells>;                     // [cell], line of `many_` by line

    // The images of a batch whose free cells of a line have this content.
    struct Variant {
        std::uint32_t content;
        Images images;
    };
    // The images of a batch that have open cells after a sweep, and those in which it made cells known.
    struct Swept {
        Images open, changed;
    };
    // The lines of one axis.
    struct Axis {
        Axis(std::size_t count, std::size_t length, std::size_t to_next_line, std::size_t to_next_cell);
        // Settles every line in all images of a batch; `contents` is that of the fixed cells.
        Swept sweep(const Contents& contents, Open& open) const;

        std::size_t count, to_next_line, to_next_cell;
        TinyLines lines;
        Differences differences;
        std::vector<std::vector<Variant>> variants;  // [line]
    };

    void choose_free_cells();
    std::vector<Variant> variants(const std::vector<std::pair<std::size_t, std::size_t>>& free) const;
    void grade(const Shard& shard, std::uint64_t choice, Histogram& histogram) const;
    std::uint64_t batches_per_shard() const { return std::uint64_t{1} << fixed_.size(); }

    bool rows_are_many_;
    Axis many_, few_;                 // the axes with more lines and with fewer
    std::vector<Cell> free_, fixed_;  // cells between the outer lines
    Images all_{};                    // of a batch
};

}  // namespace nonocsp
