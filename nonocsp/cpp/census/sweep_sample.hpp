// A stratified sample of the census of a size by difficulty: random images of every shard, each by itself, on
// tables of all lines. A batch of the census costs less an image, but its images are alike: at 7x7 one by
// itself tells as much as 160 of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/watch.hpp"
#include "census/image_tables.hpp"
#include "census/shard.hpp"

namespace nonocsp {

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
