#include "census/shard.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/bits.hpp"
#include "census/tiny_lines.hpp"

namespace nonocsp {
namespace {

constexpr std::size_t kMostOuterCells = 10;

}  // namespace

void check_size(std::size_t rows, std::size_t columns) {
    if (rows < 1 || columns < 1) throw std::invalid_argument("an image needs a row and a column");
    const auto [fewer, more] = std::minmax(rows, columns);
    if (more > TinyLines::kMostCells || fewer > kMostOuterCells || fewer * more > kWordBits)
        throw std::invalid_argument("at most 64 cells, 18 in a line, can be counted");
}

std::vector<Shard> shards_of(std::size_t lines, std::size_t count,
                             const std::function<std::size_t(std::size_t)>& mirrored) {
    std::vector<Shard> shards;
    for (std::size_t first = 0; first < count; ++first) {
        const std::size_t first_mirrored = mirrored(first);
        for (std::size_t last = 0; last < count; ++last) {
            if (lines == 1 && first != last) continue;
            const std::size_t last_mirrored = mirrored(last);
            const std::pair own(first, last);
            const std::set reflections{own, std::pair(last, first), std::pair(first_mirrored, last_mirrored),
                                       std::pair(last_mirrored, first_mirrored)};
            if (own == *reflections.begin()) shards.push_back({first, last, reflections.size()});
        }
    }
    return shards;
}

}  // namespace nonocsp
