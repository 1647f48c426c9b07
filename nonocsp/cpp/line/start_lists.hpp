// The possible starts of a line's blocks as lists of cells, from the planes that a settler writes.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "line/clue.hpp"
#include "line/settler.hpp"

namespace nonocsp {

// By block, the starts that occur in a placement, ascending.
using BlockStarts = std::vector<std::vector<std::int32_t>>;

// Holds the memory for many lines.
class StartLists {
  public:
    // The starts of one line, valid until the next call; null if no placement fits.
    const BlockStarts* find(const Clue& clue, std::span<const Word> line, Settler& settler) {
        const std::size_t words = words_for(clue.length);
        planes_.resize(clue.blocks.size() * words);
        if (!settler.starts(clue, line, planes_)) return nullptr;
        lists_.resize(clue.blocks.size());
        for (std::size_t block = 0; block < lists_.size(); ++block) {
            lists_[block].clear();
            for (std::size_t word = 0; word < words; ++word)
                for_each_cell(planes_[block * words + word], word * kWordBits, [&](std::size_t cell) {
                    lists_[block].push_back(static_cast<std::int32_t>(cell));
                });
            assert(!lists_[block].empty());
        }
        return &lists_;
    }

  private:
    std::vector<Word> planes_;
    BlockStarts lists_;
};

}  // namespace nonocsp
