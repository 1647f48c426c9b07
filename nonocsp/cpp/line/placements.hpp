// Streams the placements of a clue that fit a line, in lexicographic order of the starts, and counts them
// without streaming any. A block starts `offset` cells after its earliest cell, and in a placement
// 0 <= offset[0] <= offset[1] <= … <= slack. One pass from the right, a dynamic program over blocks and
// offsets, finds the starts after which everything fits. So the stream has no dead ends.
// Cost: O(blocks * slack + length) once, then a few steps a placement. Memory: a bit a block and offset.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "line/clue.hpp"

namespace nonocsp {

class Placements {
  public:
    // `clue` must outlive the stream. The line is planes, as for a Settler, and may change afterwards.
    Placements(const Clue& clue, std::span<const Word> line);

    // Stands for as many placements or more.
    static constexpr std::uint64_t kCountless = std::numeric_limits<std::uint64_t>::max();

    // The number of placements that fit, up to `kCountless`.
    std::uint64_t count() const { return count_; }

    // Moves to the next placement (the first call: to the first one); false if none is left.
    bool next();

    std::size_t start(std::size_t block) const {
        assert(started_ && block < offsets_.size());
        return clue_->blocks[block].earliest + offsets_[block];
    }

    // The first block that the last step moved.
    std::size_t moved() const { return moved_; }

    // Calls visit(colour, first cell, end) for the blocks of the placement from `block` on, for the gap
    // before each of them, and for the last gap. A gap may be empty.
    template <class Visit>
    void for_each_run(std::size_t block, Visit visit) const;

  private:
    using Ways = std::vector<std::uint64_t>;  // [offset] to complete the placement, if a gap may begin there

    void place(std::size_t block, std::span<const Word> line, Ways& ways);
    bool move(std::size_t block);
    void lay_left(std::size_t block);
    bool is_background(std::size_t cell) const { return contains(background_.data(), cell); }
    bool is_placement() const;
    Word* fitting(std::size_t block) { return &fitting_[block * words_for(clue_->slack + 1)]; }

    const Clue* clue_;
    std::vector<Word> background_;  // the cells that may be background
    std::vector<Word> fitting_;     // [block] offsets after which everything fits
    std::vector<std::size_t> offsets_;
    std::size_t moved_ = 0;
    std::uint64_t count_ = 0;
    bool started_ = false;
};

template <class Visit>
void Placements::for_each_run(std::size_t block, Visit visit) const {
    const std::span<const Block> blocks = clue_->blocks;
    std::size_t end = block == 0 ? 0 : start(block - 1) + blocks[block - 1].length();
    for (; block < blocks.size(); ++block) {
        const std::size_t first = start(block);
        assert(end <= first);  // blocks do not overlap
        visit(std::size_t{0}, end, first);
        end = first + blocks[block].length();
        visit(std::size_t{blocks[block].colour}, first, end);
    }
    assert(end <= clue_->length);
    visit(std::size_t{0}, end, clue_->length);
}

}  // namespace nonocsp
