// Streams the placements of a clue that fit a line, in lexicographic order of the starts, and counts them
// without streaming any. With everything pushed to the left, block j starts at its earliest cell; in a
// placement it starts offset[j] cells later, and 0 <= offset[0] <= offset[1] <= … <= slack. One pass from the
// right, a dynamic program over blocks and offsets, finds from which starts everything after fits; whatever
// leads there from the left can be completed, so the stream has no dead ends.
// Cost: O(blocks * slack + length) once, then a few steps a placement. Memory: a bit a block and offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "line/clue.hpp"

namespace nonocsp {

class Placements {
  public:
    // `clue` must outlive the stream. A line is planes, as for a Settler; it is not needed afterwards.
    Placements(const Clue& clue, std::span<const Word> line);

    // How many fit; 2^64 - 1 stands for as many or more.
    std::uint64_t count() const { return count_; }

    // Goes to the next placement, at first to the first one; false if there is none left.
    bool next();

    std::size_t start(std::size_t block) const { return clue_->blocks[block].earliest + offsets_[block]; }

    // The first block that the last step moved.
    std::size_t moved() const { return moved_; }

    // Calls visit(colour, first cell, end) for the blocks of the placement from `block` on, for the gaps
    // before each of them, and for the last gap; some gaps have no cell.
    template <class Visit>
    void for_each_run(std::size_t block, Visit visit) const;

  private:
    using Ways = std::vector<std::uint64_t>;  // [offset] to complete the placement, if a gap may begin there

    Ways ways_of_last_gap() const;
    void place(std::size_t block, std::span<const Word> line, Ways& ways);
    bool move(std::size_t block);
    void lay_left(std::size_t block);
    bool is_background(std::size_t cell) const { return contains(background_.data(), cell); }
    Word* fitting(std::size_t block) { return &fitting_[block * words_for(clue_->slack + 1)]; }

    const Clue* clue_;
    std::vector<Word> background_;  // the cells that may be
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
        visit(std::size_t{0}, end, first);
        end = first + blocks[block].length();
        visit(std::size_t{blocks[block].colour}, first, end);
    }
    visit(std::size_t{0}, end, clue_->length);
}

}  // namespace nonocsp
