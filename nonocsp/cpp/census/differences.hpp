// The differences between the content of a line and the other placements of its clue. A placement fits the
// known cells, which agree with the content, if it differs from the content in open cells only. So settling
// leaves a cell open exactly if some difference has this cell, and open cells only. A difference whose every
// cell is in a smaller one adds nothing and is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "census/tiny_lines.hpp"

namespace nonocsp {

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

}  // namespace nonocsp
