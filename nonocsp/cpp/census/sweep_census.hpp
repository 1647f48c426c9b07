// The census of a size grades every image. Rows are settled once for all images that have them, the first
// v-sweep once for all images that differ in one row only. Reflections of an image are as difficult: of
// shards (images with the same outer rows) that are reflections of each other one is counted, with their
// number.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.hpp"
#include "census/shard.hpp"
#include "census/tiny_axis.hpp"

namespace nonocsp {

class SweepCensus {
  public:
    // Throws std::invalid_argument for a size that is out of reach.
    SweepCensus(std::size_t rows, std::size_t columns);

    // Outer rows are given by their contents.
    std::vector<Shard> shards() const;

    // How many images of a shard have a difficulty of 1, 2, … sweeps, rows first (Batenburg et al.); at 0,
    // how many are not simple. Its weight is left to the caller. Throws std::invalid_argument for rows that
    // there are not.
    std::vector<std::uint64_t> count(const Shard& shard, Watch& watch) const;

  private:
    using Histogram = std::vector<std::uint64_t>;

    // The image as far as its rows are chosen, and what of it the first h-sweep makes known.
    struct Chosen {
        TinyAxis::AllSettled rows{};
        Word across = 0, known_across = 0;  // the image and what is known, in columns
    };

    Chosen with_row(Chosen chosen, std::size_t row, std::size_t content) const;
    void choose(const Chosen& chosen, std::size_t row, Watch& watch, Histogram& histogram) const;
    void choose_last(Chosen chosen, std::size_t row, Histogram& histogram) const;
    // The difficulty of an image, given as what its rows settle to and as cells in columns, of which some
    // cells are known after the first h-sweep, in columns, and after the first v-sweep, in rows.
    std::size_t grade(const TinyAxis::AllSettled& rows, Word across, Word known_across, Word known) const;

    TinyAxis rows_, columns_;
    Word full_;
};

}  // namespace nonocsp
