#include "marginals.hpp"

#include <algorithm>
#include <cmath>

namespace nonocsp {
namespace {

// What a double takes, with some room. A line's weights stay within it if those of all cells together do,
// each counted twice for the two placements or more that it may tell apart.
constexpr double kBits = 1000;

// Blocks of no more offsets together are all looked at in the same: loops of one length, which a processor
// foresees, beat short ones.
constexpr std::size_t kFewOffsets = 128;

std::size_t width(const Extent& extent) { return extent.last - extent.first + std::size_t{1}; }

}  // namespace

Marginals::Marginals(std::size_t longest, std::size_t colours, double largest)
    : safe_length_(static_cast<std::size_t>(kBits / (std::log2(largest) + 1))),
      colours_(colours),
      weights_(longest + 1, colours),
      cells_((longest + 1) * (colours - 1)) {}

bool Marginals::find(const Clue& clue, std::span<const Word> offsets) {
    clue_ = &clue;
    lay_out(offsets);
    starts_.resize(std::max(starts_.size(), layout_.row_cells));
    if (layout_.first < layout_.end) {
        const bool found = fits_doubles() ? in_doubles_.run(clue, layout_, offsets, weights_, starts_.data())
                                          : scaled_.run(clue, layout_, offsets, weights_, starts_.data());
        if (!found) return false;
    }
    add_up_cells();
    return true;
}

void Marginals::lay_out(std::span<const Word> offsets) {
    const std::size_t blocks = clue_->blocks.size(), words = words_for(clue_->slack + 1);
    std::vector<Extent>& extents = layout_.extents;
    extents.resize(blocks);
    layout_.first = blocks;
    layout_.end = 0;
    for (std::size_t j = 0; j < blocks; ++j) {
        const Word* set = &offsets[j * words];
        extents[j].first = static_cast<std::uint32_t>(lowest(set));
        extents[j].last = static_cast<std::uint32_t>(highest(set, words));
        if (width(extents[j]) == 1) continue;
        layout_.first = std::min(layout_.first, j);
        layout_.end = j + 1;
    }
    place_rows();
}

void Marginals::place_rows() {
    std::vector<Extent>& extents = layout_.extents;
    const auto [first, end, unused, rows, gaps] = layout_;
    if (first < end) {
        const std::uint32_t lowest = extents[first].first, highest = extents[end - 1].last;
        if ((highest - lowest + 1) * (end - first) <= kFewOffsets)
            for (std::size_t j = first; j < end; ++j) extents[j].first = lowest, extents[j].last = highest;
    }
    layout_.row_cells = layout_.gap_cells = 0;
    for (std::size_t j = 0; j < extents.size(); ++j) {
        const std::size_t from = j > 0 ? extents[j - 1].first : extents[0].first;
        extents[j].row = layout_.row_cells - extents[j].first;
        extents[j].row_before = layout_.gap_cells - from;
        layout_.row_cells += width(extents[j]);
        layout_.gap_cells += extents[j].last - from + 1;
    }
}

bool Marginals::fits_doubles() const {
    if (clue_->length <= safe_length_) return true;
    double bits = 0;
    for (std::size_t cell = 0; cell < clue_->length; ++cell) {
        double most = 0;
        for (std::size_t colour = 0; colour < colours_; ++colour)
            if (const double weight = weights_.plane(colour)[cell]; colour != 1 && weight > 0)
                most = std::max(most, std::abs(std::log2(weight)));
        bits += most + 1;
    }
    return bits <= kBits;
}

// A block's starts are where its cells begin and, a length later, end to be its own.
void Marginals::add_up_cells() {
    std::fill(cells_.begin(), cells_.end(), 0.0);
    for (std::size_t j = 0; j < clue_->blocks.size(); ++j) {
        const Block& block = clue_->blocks[j];
        const Extent& extent = layout_.extents[j];
        if (j < layout_.first || j >= layout_.end) starts_[extent.row + extent.first] = 1;
        double* begin = cells_.data() + (block.colour - 1) * weights_.stride() + block.earliest;
        double* end = begin + block.length();
        const double* start = &starts_[extent.row + extent.first];
        for (std::size_t i = extent.first; i <= extent.last; ++i) begin[i] += start[i - extent.first];
        for (std::size_t i = extent.first; i <= extent.last; ++i) end[i] -= start[i - extent.first];
    }
    for (const ColourSteps& colour : clue_->colours) {
        double* cells = cells_.data() + (colour.colour - std::size_t{1}) * weights_.stride();
        double sum = 0;
        for (std::size_t cell = 0; cell < clue_->length; ++cell) {
            sum += cells[cell];
            cells[cell] = std::clamp(sum, 0.0, 1.0);
        }
    }
}

}  // namespace nonocsp
