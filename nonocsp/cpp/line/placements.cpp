#include "line/placements.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace nonocsp {
namespace {

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? Placements::kCountless : a + b;
}

}  // namespace

Placements::Placements(const Clue& clue, std::span<const Word> line)
    : clue_(&clue),
      background_(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(words_for(clue.length))),
      fitting_(clue.blocks.size() * words_for(clue.slack + 1)),
      offsets_(clue.blocks.size()) {
    assert(line.size() % words_for(clue.length) == 0);
    if (!clue.fits) return;
    Ways ways(clue.slack + 1);  // of the last gap: all its cells are background
    ways[clue.slack] = 1;
    for (std::size_t offset = clue.slack; offset-- > 0;)
        ways[offset] = is_background(clue.length - clue.slack + offset) ? ways[offset + 1] : 0;
    for (std::size_t block = clue.blocks.size(); block-- > 0;) place(block, line, ways);
    count_ = ways[0];
}

// Turns the ways after a block into the ways before it, in place: a block keeps the offset of its gap.
void Placements::place(std::size_t index, std::span<const Word> line, Ways& ways) {
    const Block& block = clue_->blocks[index];
    assert((block.colour + std::size_t{1}) * words_for(clue_->length) <= line.size());
    const Word* colour = &line[block.colour * words_for(clue_->length)];
    const std::size_t slack = clue_->slack, length = block.length();
    std::size_t run = 0;  // cells from here on that may have the colour
    for (std::size_t cell = block.earliest_last + slack + 1; cell-- > block.earliest;) {
        run = contains(colour, cell) ? run + 1 : 0;
        if (cell > block.earliest + slack) continue;
        const std::size_t offset = cell - block.earliest;
        if (run < length || !(block.open_after || is_background(cell + length))) ways[offset] = 0;
        if (ways[offset] != 0) add_cells(fitting(index), offset, offset + 1);
        if (offset < slack && is_background(cell)) ways[offset] = capped_sum(ways[offset], ways[offset + 1]);
    }
}

bool Placements::next() {
    if (count_ == 0) return false;
    if (!std::exchange(started_, true)) {
        lay_left(0);
        assert(is_placement());
        return true;
    }
    for (std::size_t block = offsets_.size(); block-- > 0;)
        if (move(block)) {
            moved_ = block;
            lay_left(block + 1);
            assert(is_placement());
            return true;
        }
    return false;
}

// Moves a block to its next start, if the cells that it leaves may be background.
bool Placements::move(std::size_t block) {
    for (std::size_t offset = offsets_[block]; offset < clue_->slack; ++offset) {
        if (!is_background(clue_->blocks[block].earliest + offset)) return false;
        if (!contains(fitting(block), offset + 1)) continue;
        offsets_[block] = offset + 1;
        return true;
    }
    return false;
}

// Whether the blocks stand in order, fit, and leave only cells that may be background. For assertions.
bool Placements::is_placement() const {
    bool fits = std::ranges::is_sorted(offsets_) && (offsets_.empty() || offsets_.back() <= clue_->slack);
    for_each_run(0, [&](std::size_t colour, std::size_t first, std::size_t end) {
        for (; colour == 0 && first < end; ++first) fits = fits && is_background(first);
    });
    return fits;
}

// Lays this block and those after it as far left as they fit.
void Placements::lay_left(std::size_t block) {
    for (; block < offsets_.size(); ++block) {
        std::size_t offset = block == 0 ? 0 : offsets_[block - 1];
        while (!contains(fitting(block), offset)) ++offset;
        assert(offset <= clue_->slack);  // what comes before the block can be completed
        offsets_[block] = offset;
    }
}

}  // namespace nonocsp
