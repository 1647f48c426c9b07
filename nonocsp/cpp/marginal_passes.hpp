// Forward-backward over the placements of a line, in doubles or in Scaled numbers.
//
// What matters of a cell's weights is their ratio: all are relative to that in colour 1. So blocks of colour
// 1 weigh 1 and, in one colour, the passes multiply the weights of background cells only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"
#include "clue.hpp"
#include "scaled.hpp"

namespace nonocsp {

// The offsets at which a block is looked at: all that it can have, and maybe more around them.
struct Extent {
    std::uint32_t first, last;
    std::size_t row;         // where the block's row would have offset 0
    std::size_t row_before;  // the same for the gap before it, whose row begins with the first offset of the
                             // block before
};

// The blocks between the first and the last that can move, and the offsets of all blocks.
struct Layout {
    std::size_t first = 0, end = 0;
    std::vector<Extent> extents;
    std::size_t row_cells = 0, gap_cells = 0;  // of all rows
};

// Planes of weights relative to colour 1, of the background and of the colours from 2 on.
class RelativeWeights {
  public:
    RelativeWeights(std::size_t stride, std::size_t colours)
        : stride_(stride), weights_(stride * (colours - 1)) {}

    double* plane(std::size_t colour) { return &weights_[plane_at(colour)]; }
    const double* plane(std::size_t colour) const { return &weights_[plane_at(colour)]; }
    std::size_t stride() const { return stride_; }

  private:
    std::size_t plane_at(std::size_t colour) const { return (colour == 0 ? 0 : colour - 1) * stride_; }

    std::size_t stride_;
    std::vector<double> weights_;
};

template <class Number>
class MarginalPasses {
  public:
    // Writes P(block starts at offset) for the blocks that can move into `starts`, laid out as their rows;
    // false if no placement has weight. `sets` are the possible offsets of all blocks.
    bool run(const Clue& clue, const Layout& layout, std::span<const Word> sets,
             const RelativeWeights& weights, double* starts);

  private:
    void write_factors(const Clue& clue, const Layout& layout, std::span<const Word> sets,
                       const RelativeWeights& weights);
    void multiply_by_cells(const Block& block, const Extent& extent, const RelativeWeights& weights);
    const Number* runs(std::size_t colour, std::size_t doubling, const RelativeWeights& weights);
    void start_left(const Block& block, const Extent& extent, const double* gaps);
    template <bool kOpen>
    void step_right(const Extent& block, const Extent& next, const double* gap);
    bool start_right(const Block& block, const Extent& extent, const double* gaps);
    void weigh_starts(const Extent& block, double* starts);
    template <bool kOpen>
    void step_left(const Extent& before, const Extent& block, const double* gap);

    std::vector<Number> factors_;  // of a block's cells, by row; 0 where it cannot start
    std::vector<Number> before_;   // of the cells before the block, by row of the gap
    std::vector<Number> after_;    // of the cells after the block at hand, by offset
    std::vector<Number> runs_;     // [doubling][cell] of 2^doubling cells of one colour from this one on
    std::size_t run_colour_ = 0, doublings_ = 0;
};

template <class Number>
bool MarginalPasses<Number>::run(const Clue& clue, const Layout& layout, std::span<const Word> sets,
                                 const RelativeWeights& weights, double* starts) {
    const double* gaps = weights.plane(0);
    const auto gap_after = [&](std::size_t j) { return gaps + clue.blocks[j].earliest_last + 1; };
    const std::vector<Extent>& extents = layout.extents;
    write_factors(clue, layout, sets, weights);
    start_left(clue.blocks[layout.first], extents[layout.first], gaps);
    for (std::size_t j = layout.first; j + 1 < layout.end; ++j)
        clue.blocks[j].open_after ? step_right<true>(extents[j], extents[j + 1], gap_after(j))
                                  : step_right<false>(extents[j], extents[j + 1], gap_after(j));
    const std::size_t last = layout.end - 1;
    if (!start_right(clue.blocks[last], extents[last], gaps)) return false;
    for (std::size_t j = last;; --j) {
        weigh_starts(extents[j], starts);
        if (j == layout.first) return true;
        clue.blocks[j].open_before ? step_left<true>(extents[j - 1], extents[j], gap_after(j - 1))
                                   : step_left<false>(extents[j - 1], extents[j], gap_after(j - 1));
    }
}

template <class Number>
void MarginalPasses<Number>::write_factors(const Clue& clue, const Layout& layout, std::span<const Word> sets,
                                           const RelativeWeights& weights) {
    const std::size_t words = words_for(clue.slack + 1);
    factors_.resize(std::max(factors_.size(), layout.row_cells));
    before_.resize(std::max(before_.size(), layout.gap_cells));
    after_.resize(clue.slack + 1);
    run_colour_ = 0;
    for (std::size_t j = layout.first; j < layout.end; ++j) {
        const Extent& extent = layout.extents[j];
        for (std::size_t offset = extent.first; offset <= extent.last; ++offset)
            factors_[extent.row + offset] =
                Number(static_cast<double>(sets[j * words + offset / kWordBits] >> offset % kWordBits & 1));
        if (clue.blocks[j].colour != 1) multiply_by_cells(clue.blocks[j], extent, weights);
    }
}

// A block of d cells is made of one run a bit of d.
template <class Number>
void MarginalPasses<Number>::multiply_by_cells(const Block& block, const Extent& extent,
                                               const RelativeWeights& weights) {
    std::size_t cell = block.earliest;
    for (std::size_t rest = block.length(); rest != 0; rest &= rest - 1) {
        const auto doubling = static_cast<std::size_t>(std::countr_zero(rest));
        const Number* run = runs(block.colour, doubling, weights) + cell;
        for (std::size_t offset = extent.first; offset <= extent.last; ++offset)
            factors_[extent.row + offset] = factors_[extent.row + offset] * run[offset];
        cell += std::size_t{1} << doubling;
    }
}

template <class Number>
const Number* MarginalPasses<Number>::runs(std::size_t colour, std::size_t doubling,
                                           const RelativeWeights& weights) {
    const std::size_t stride = weights.stride();
    if (run_colour_ != colour) {
        run_colour_ = colour;
        doublings_ = 1;
        runs_.resize(std::max(runs_.size(), stride));
        for (std::size_t cell = 0; cell < stride; ++cell) runs_[cell] = Number(weights.plane(colour)[cell]);
    }
    for (; doublings_ <= doubling; ++doublings_) {
        runs_.resize(std::max(runs_.size(), (doublings_ + 1) * stride));
        const Number* shorter = &runs_[(doublings_ - 1) * stride];
        Number* longer = &runs_[doublings_ * stride];
        const std::size_t shift = std::size_t{1} << (doublings_ - 1);
        for (std::size_t cell = 0; cell + shift < stride; ++cell)
            longer[cell] = shorter[cell] * shorter[cell + shift];
    }
    return &runs_[doubling * stride];
}

// Up to the first offset all cells are background anyway.
template <class Number>
void MarginalPasses<Number>::start_left(const Block& block, const Extent& extent, const double* gaps) {
    Number weight(1.0);
    for (std::size_t offset = extent.first; offset <= extent.last; ++offset) {
        before_[extent.row_before + offset] = weight;
        weight = weight * Number(gaps[block.earliest + offset]);
    }
}

// From one block to the next. The gap grows by its cell number `offset`; an open one may be left before.
template <class Number>
template <bool kOpen>
void MarginalPasses<Number>::step_right(const Extent& block, const Extent& next, const double* gap) {
    Number weight(0.0);
    Number* to = &before_[next.row_before];
    std::size_t offset = block.first;
    for (; offset <= block.last; ++offset) {
        weight = weight + before_[block.row_before + offset] * factors_[block.row + offset];
        if constexpr (kOpen) to[offset] = weight;
        weight = weight * Number(gap[offset]);
        if constexpr (!kOpen) to[offset] = weight;
    }
    for (; offset <= next.last; ++offset) {
        if constexpr (kOpen) to[offset] = weight;
        weight = weight * Number(gap[offset]);
        if constexpr (!kOpen) to[offset] = weight;
    }
}

// From the last offset on all cells are background anyway. Divides by the weight of all placements, so that
// what follows is probabilities; false if there is none.
template <class Number>
bool MarginalPasses<Number>::start_right(const Block& block, const Extent& extent, const double* gaps) {
    Number weight(1.0), sum(0.0);
    for (std::size_t offset = extent.last + std::size_t{1}; offset-- > extent.first;) {
        after_[offset] = weight;
        sum = sum + before_[extent.row_before + offset] * factors_[extent.row + offset] * weight;
        if (offset > extent.first) weight = weight * Number(gaps[block.earliest_last + offset]);
    }
    if (sum == Number(0.0)) return false;
    const Number share = Number(1.0) / sum;
    for (std::size_t offset = extent.first; offset <= extent.last; ++offset)
        after_[offset] = after_[offset] * share;
    return true;
}

template <class Number>
void MarginalPasses<Number>::weigh_starts(const Extent& block, double* starts) {
    for (std::size_t offset = block.first; offset <= block.last; ++offset) {
        after_[offset] = after_[offset] * factors_[block.row + offset];
        starts[block.row + offset] = static_cast<double>(after_[offset] * before_[block.row_before + offset]);
    }
}

// From one block to that before it; `after_` holds the weight from the block's first cell on.
template <class Number>
template <bool kOpen>
void MarginalPasses<Number>::step_left(const Extent& before, const Extent& block, const double* gap) {
    Number weight(0.0);
    std::size_t offset = block.last + std::size_t{1};
    while (offset-- > block.first) {
        if constexpr (kOpen)
            weight = weight * Number(gap[offset]) + after_[offset];
        else
            weight = (weight + after_[offset]) * Number(gap[offset]);
        after_[offset] = weight;
    }
    for (offset = block.first; offset-- > before.first;)
        after_[offset] = weight = weight * Number(gap[offset]);
}

}  // namespace nonocsp
