// A shard of a census: all images with the same first and the same last line of one axis. Shards that are
// reflections of each other have the same counts, so only one of them is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace nonocsp {

struct Shard {
    std::size_t first, last;  // lines, as numbers: of their contents, or of their clues
    std::uint64_t weight;     // the number of its reflections, itself included
};

// Throws std::invalid_argument for a size out of reach: more than 64 cells, more than 18 in a line, or more
// than 10 lines both ways, because there are as many shards as pairs of outer lines.
void check_size(std::size_t rows, std::size_t columns);

// The shards to count. Lines have the numbers below `count`; `mirrored` returns that of the mirror image.
std::vector<Shard> shards_of(std::size_t lines, std::size_t count,
                             const std::function<std::size_t(std::size_t)>& mirrored);

}  // namespace nonocsp
