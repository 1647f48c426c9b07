#include "census/shard.hpp"

#include <set>
#include <utility>

namespace nonocsp {

std::vector<Shard> shards_of(std::size_t rows, const std::vector<std::size_t>& mirrored) {
    std::vector<Shard> shards;
    for (std::size_t first = 0; first < mirrored.size(); ++first)
        for (std::size_t last = 0; last < mirrored.size(); ++last) {
            if (rows == 1 && first != last) continue;
            const std::pair own(first, last);
            const std::set reflections{own, std::pair(last, first),
                                       std::pair(mirrored[first], mirrored[last]),
                                       std::pair(mirrored[last], mirrored[first])};
            if (own == *reflections.begin()) shards.push_back({first, last, reflections.size()});
        }
    return shards;
}

}  // namespace nonocsp
