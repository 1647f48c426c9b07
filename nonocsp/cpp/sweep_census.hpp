// The census of a size grades every image. Rows are settled once for all images that have them, the first
// v-sweep once for all images that differ in one row only. Reflections of an image are as difficult: of
// shards (images with the same outer rows) that are reflections of each other one is counted, with their
// number.
#pragma once

#include <cstdint>
#include <vector>

#include "shard.hpp"
#include "tiny_axis.hpp"
#include "watch.hpp"

namespace nonocsp {

class SweepCensus {
  public:
    // Throws std::invalid_argument for a size that is out of reach.
    SweepCensus(std::size_t rows, std::size_t columns);

    // Outer rows are given by their contents.
    std::vector<Shard> shards() const;

    // How many images of a shard have a difficulty of 1, 2, … sweeps, rows first (Batenburg et al.); at 0,
    // how many are not simple. Its weight is left to the caller.
    std::vector<std::uint64_t> count(const Shard& shard, Watch& watch) const;

  private:
    using Histogram = std::vector<std::uint64_t>;

    // The image as far as its rows are chosen, and what of it the first h-sweep makes known.
    struct Chosen {
        Word image = 0, across = 0;  // in rows, and in columns
        Word known_across = 0;       // in columns
    };

    Chosen with_row(Chosen chosen, std::size_t row, std::size_t content) const;
    void choose(const Chosen& chosen, std::size_t row, Watch& watch, Histogram& histogram) const;
    void choose_last(const Chosen& chosen, std::size_t row, Histogram& histogram) const;
    // The difficulty of an image of which some cells, in rows, are known after the first v-sweep.
    std::size_t grade(const Chosen& chosen, Word known) const;

    TinyAxis rows_, columns_;
    Word full_;
};

}  // namespace nonocsp
