// A census is counted in shards: all images with the same first and the same last row. Shards that are
// reflections of each other count alike, so only one of them is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nonocsp {

struct Shard {
    std::size_t first, last;  // rows, as numbers: of their contents, or of their clues
    std::uint64_t weight;     // how many shards, this one included, are reflections of it
};

// One shard of every kind. `mirrored` holds, for each number of a row, that of its mirror image.
std::vector<Shard> shards_of(std::size_t rows, const std::vector<std::size_t>& mirrored);

}  // namespace nonocsp
