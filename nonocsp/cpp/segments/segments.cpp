#include "segments/segments.hpp"

#include <algorithm>
#include <cassert>

namespace nonocsp {

Chains::Chains(const PuzzleClues& clues)
    : rows_(clues.rows.size()), columns_(clues.columns.size()), colours_(clues.colours), axes_(2) {
    append(clues.rows, Axis::kRow);
    append(clues.columns, Axis::kColumn);
    make_sets();
}

Chains::Chains(const Clues& rows, std::size_t colours)
    : rows_(rows.size()), columns_(rows.line_length()), colours_(colours), axes_(1) {
    append(rows, Axis::kRow);
    make_sets();
}

void Chains::append(const Clues& clues, Axis axis) {
    const bool is_row = axis == Axis::kRow;
    for (std::size_t i = 0; i < clues.size(); ++i) {
        const std::size_t first_pixel = is_row ? i * columns_ : i, step = is_row ? 1 : columns_;
        chains_.push_back({first_pixel, step, clues.line_length(), segments_.size(), 0});
        append_segments(clues[i]);
        fit_ = fit_ && clues[i].fits;
    }
}

void Chains::append_segments(const Clue& clue) {
    if (!clue.fits) return;
    append_segment(0, 0);
    for (const Block& block : clue.blocks) {
        append_segment(block.colour, block.length());
        append_segment(0, block.open_after ? 0 : 1);
    }
    assert(chains_.back().segments == 2 * clue.blocks.size() + 1);
}

void Chains::append_segment(std::size_t colour, std::size_t length) {
    segments_.push_back({.chain = static_cast<std::uint32_t>(chains_.size() - 1),
                         .place = static_cast<std::uint32_t>(chains_.back().segments++),
                         .colour = static_cast<std::uint16_t>(colour),
                         .length = static_cast<std::uint16_t>(length)});
}

void Chains::make_sets() {
    for (const Chain& chain : chains_) words_ = std::max(words_, words_for(chain.segments));
    whole_.resize(chains_.size() * words_);
    of_colour_.resize(chains_.size() * colours_ * words_);
    for (const Segment& segment : segments_) {
        const std::size_t word = segment.place / kWordBits;
        const Word bit = Word{1} << segment.place % kWordBits;
        whole_[segment.chain * words_ + word] |= bit;
        assert(chains_[segment.chain].first_segment + segment.place < segments_.size());
        of_colour_[(segment.chain * colours_ + segment.colour) * words_ + word] |= bit;
    }
}

}  // namespace nonocsp
