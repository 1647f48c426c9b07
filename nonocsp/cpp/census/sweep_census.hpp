// The census of a size by difficulty: grades every image. Rows are settled once for all images that share
// them, and the first v-sweep once for all images that differ in one row only. Reflections of an image have
// the same difficulty, so of shards that are reflections of each other one is counted.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.hpp"
#include "census/shard.hpp"
#include "census/tiny_axis.hpp"

namespace nonocsp {

class SweepCensus {
  public:
    // Throws std::invalid_argument for a size that is too large.
    SweepCensus(std::size_t rows, std::size_t columns);

    // Shards name outer rows by their contents.
    std::vector<Shard> shards() const;

    // The number of images of a shard by difficulty, 1, 2, … sweeps, rows first (Batenburg et al.); at 0 the
    // number that are not simple. The caller multiplies by the weight. Throws std::invalid_argument for
    // unknown rows.
    std::vector<std::uint64_t> count(const Shard& shard, Watch& watch) const;

  private:
    using Histogram = std::vector<std::uint64_t>;

    // The rows of an image chosen so far, and the cells of them that the first h-sweep makes known.
    struct Chosen {
        TinyAxis::AllSettled rows{};
        Word across = 0, known_across = 0;  // the image and its known cells, in the order of columns
    };

    Chosen with_row(Chosen chosen, std::size_t row, std::size_t content) const;
    void choose(const Chosen& chosen, std::size_t row, Watch& watch, Histogram& histogram) const;
    void choose_last(Chosen chosen, std::size_t row, Histogram& histogram) const;
    // The difficulty of an image, from the results of settling its rows, its cells in the order of columns,
    // and the known cells after the first h-sweep (in columns) and after the first v-sweep (in rows).
    std::size_t grade(const TinyAxis::AllSettled& rows, Word across, Word known_across, Word known) const;

    TinyAxis rows_, columns_;
    Word full_;
};

}  // namespace nonocsp
