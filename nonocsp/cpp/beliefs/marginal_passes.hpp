// Forward-backward over the placements of a line, in doubles or in Scaled numbers.
//
// What matters of a cell's weights is their ratio: all are relative to that in colour 1. So blocks of colour
// 1 weigh 1 and, in one colour, the passes multiply the weights of background cells only. The weight of all
// placements in which a cell is background is added up gap by gap, as what is left of it times what is right.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "beliefs/scaled.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// A block that can move, and the gap after it. Tables have one entry an offset, and a row here says where
// that of offset 0 would be.
struct MarginalRow {
    std::uint32_t first, last;  // of the offsets that the block can have
    std::uint16_t cell, length, colour;
    std::uint16_t gap_cell;  // the first of the gap after it; `cell` and this at offset 0
    std::uint32_t block;     // among all of the line
    bool open_after;         // whether the gap may have no cell
    std::size_t entry;       // from the first offset to the last
    std::size_t gap_entry;   // from the first offset to the last of the next row
};

// The blocks from the first that can move to the last one, between two that stand for all to the left and to
// the right: of no cells and one offset, the one at the first there is, the other at the last.
struct MarginalLayout {
    static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

    std::vector<MarginalRow> rows;
    std::size_t entries = 0, gap_entries = 0;
    std::size_t begin = 0, end = 0;  // all cells before and from here on are the same in every placement
};

// Four bits as four numbers.
inline constexpr auto kNibbles = [] {
    std::array<std::array<double, 4>, 16> nibbles{};
    for (std::size_t bits = 0; bits < 16; ++bits)
        for (std::size_t i = 0; i < 4; ++i) nibbles[bits][i] = static_cast<double>(bits >> i & 1);
    return nibbles;
}();

// What a line's cells weigh, and what is added up over its placements; planes of cells, one a colour. That of
// colour 1 is left out: it weighs 1, and is had wherever no other colour is.
class CellPlanes {
  public:
    static constexpr std::size_t kPadding =
        8;  // chunks of four may begin anywhere, and one gap cell is beyond

    CellPlanes(std::size_t longest, std::size_t colours)
        : stride_(longest + kPadding), cells_(stride_ * (colours - 1)) {}

    double* operator[](std::size_t colour) { return &cells_[at(colour)]; }
    const double* operator[](std::size_t colour) const { return &cells_[at(colour)]; }
    std::size_t stride() const { return stride_; }
    void fill(double value) { std::fill(cells_.begin(), cells_.end(), value); }

  private:
    std::size_t at(std::size_t colour) const { return (colour == 0 ? 0 : colour - 1) * stride_; }

    std::size_t stride_;
    std::vector<double> cells_;
};

template <class Number>
class MarginalPasses {
  public:
    // Returns the weight of all placements. `sets` are the possible offsets of all blocks, `words` words
    // each.
    Number run(const MarginalLayout& layout, std::span<const Word> sets, std::size_t words,
               const CellPlanes& weights);

    // The weight of the placements in which a cell between the layout's begin and end is background, by cell.
    const Number* background() const { return background_.data(); }

    // The weight of the placements in which the block of a row starts at an offset.
    Number start(const MarginalLayout& layout, std::size_t row, std::size_t offset) const {
        const MarginalRow& own = layout.rows[row];
        return factors_[own.entry + offset] * before_[layout.rows[row - 1].gap_entry + offset] *
               after_[own.gap_entry + offset];
    }

  private:
    void prepare(const MarginalLayout& layout);
    void write_factors(const MarginalLayout& layout, std::span<const Word> sets, std::size_t words,
                       const CellPlanes& weights);
    void write_set(const MarginalRow& row, std::span<const Word> set);
    void multiply_by_cells(const MarginalRow& row, const CellPlanes& weights);
    const Number* runs(std::size_t colour, std::size_t doubling, const CellPlanes& weights);
    template <bool kOpen>
    void step_right(const MarginalRow& row, std::size_t gap_before, const MarginalRow& next,
                    const double* gap);
    template <bool kOpen>
    void step_left(const MarginalRow& row, const MarginalRow& next, const double* gap);

    std::vector<Number> factors_;     // of a block's cells, by row; 0 where it cannot start
    std::vector<Number> before_;      // of the cells before the next block, by gap
    std::vector<Number> after_;       // of the cells after the block, by gap
    std::vector<Number> background_;  // by cell
    std::vector<Number> runs_;        // [doubling][cell] of 2^doubling cells of one colour from this one on
    std::size_t run_colour_ = 0, doublings_ = 0;
};

template <class Number>
Number MarginalPasses<Number>::run(const MarginalLayout& layout, std::span<const Word> sets,
                                   std::size_t words, const CellPlanes& weights) {
    const std::span<const MarginalRow> rows = layout.rows;
    const std::size_t last = rows.size() - 1;
    const double* gaps = weights[0];
    prepare(layout);
    write_factors(layout, sets, words, weights);
    for (std::size_t j = 0; j < last; ++j) {
        const std::size_t gap_before = j == 0 ? -std::size_t{rows[0].first} : rows[j - 1].gap_entry;
        rows[j].open_after ? step_right<true>(rows[j], gap_before, rows[j + 1], gaps + rows[j].gap_cell)
                           : step_right<false>(rows[j], gap_before, rows[j + 1], gaps + rows[j].gap_cell);
    }
    for (std::size_t j = last; j-- > 0;)
        rows[j].open_after ? step_left<true>(rows[j], rows[j + 1], gaps + rows[j].gap_cell)
                           : step_left<false>(rows[j], rows[j + 1], gaps + rows[j].gap_cell);
    return after_[rows[0].gap_entry + rows[0].first];
}

// Nothing is left of the first row nor right of the last.
template <class Number>
void MarginalPasses<Number>::prepare(const MarginalLayout& layout) {
    const MarginalRow& last = layout.rows.back();
    if (factors_.size() < layout.entries) factors_.resize(layout.entries);
    if (before_.size() < layout.gap_entries) {
        before_.resize(layout.gap_entries);
        after_.resize(layout.gap_entries);
    }
    if (background_.size() <= layout.end) background_.resize(layout.end + 1);
    before_[0] = after_[last.gap_entry + last.last] = Number(1.0);
    std::fill_n(&background_[layout.begin], layout.end - layout.begin + 1, Number(0.0));
    run_colour_ = 0;
}

template <class Number>
void MarginalPasses<Number>::write_factors(const MarginalLayout& layout, std::span<const Word> sets,
                                           std::size_t words, const CellPlanes& weights) {
    const MarginalRow &first = layout.rows.front(), &last = layout.rows.back();
    factors_[first.entry + first.first] = factors_[last.entry + last.last] = Number(1.0);
    for (std::size_t j = 1; j + 1 < layout.rows.size(); ++j) {
        const MarginalRow& row = layout.rows[j];
        write_set(row, sets.subspan(row.block * words, words));
        if (row.colour != 1) multiply_by_cells(row, weights);
    }
}

// 1 for every offset of a set, 0 for the others.
template <class Number>
void MarginalPasses<Number>::write_set(const MarginalRow& row, std::span<const Word> set) {
    for (std::size_t offset = row.first; offset <= row.last; offset += 4) {
        const Word bits = word_from(set, offset);
        for (std::size_t i = 0; i < 4; ++i) factors_[row.entry + offset + i] = Number(kNibbles[bits & 15][i]);
    }
}

// A block of d cells is made of one run for each bit of d.
template <class Number>
void MarginalPasses<Number>::multiply_by_cells(const MarginalRow& row, const CellPlanes& weights) {
    std::size_t cell = row.cell;
    for (std::size_t rest = row.length; rest != 0; rest &= rest - 1) {
        const auto doubling = static_cast<std::size_t>(std::countr_zero(rest));
        const Number* run = runs(row.colour, doubling, weights) + cell;
        for (std::size_t offset = row.first; offset <= row.last; ++offset)
            factors_[row.entry + offset] = factors_[row.entry + offset] * run[offset];
        cell += std::size_t{1} << doubling;
    }
}

template <class Number>
const Number* MarginalPasses<Number>::runs(std::size_t colour, std::size_t doubling,
                                           const CellPlanes& weights) {
    const std::size_t stride = weights.stride();
    if (run_colour_ != colour) {
        run_colour_ = colour;
        doublings_ = 1;
        if (runs_.size() < stride) runs_.resize(stride);
        std::transform(weights[colour], weights[colour] + stride, runs_.begin(),
                       [](double weight) { return Number(weight); });
    }
    for (; doublings_ <= doubling; ++doublings_) {
        if (runs_.size() < (doublings_ + 1) * stride) runs_.resize((doublings_ + 1) * stride);
        const Number* shorter = &runs_[(doublings_ - 1) * stride];
        Number* longer = &runs_[doublings_ * stride];
        const std::size_t shift = std::size_t{1} << (doublings_ - 1);
        for (std::size_t cell = 0; cell + shift < stride; ++cell)
            longer[cell] = shorter[cell] * shorter[cell + shift];
    }
    return &runs_[doubling * stride];
}

// From one block to the next: `weight` is that of all before the gap's cell number `offset`, then with it.
// The next block starts before this cell if the gap is open, else after it.
template <class Number>
template <bool kOpen>
void MarginalPasses<Number>::step_right(const MarginalRow& row, std::size_t gap_before,
                                        const MarginalRow& next, const double* gap) {
    const Number *own = &factors_[0] + row.entry, *left = &before_[0] + gap_before;
    Number* to = &before_[0] + row.gap_entry;
    Number weight(0.0);
    std::size_t offset = row.first;
    for (; offset <= row.last; ++offset) {
        const Number begun = weight + left[offset] * own[offset];
        weight = begun * Number(gap[offset]);
        to[offset] = kOpen ? begun : weight;
    }
    for (; offset <= next.last; ++offset) {
        const Number begun = weight;
        weight = begun * Number(gap[offset]);
        to[offset] = kOpen ? begun : weight;
    }
}

// From one block back to the one before: `weight` is that of all after the gap's cell number `offset`, then
// with it.
template <class Number>
template <bool kOpen>
void MarginalPasses<Number>::step_left(const MarginalRow& row, const MarginalRow& next, const double* gap) {
    const Number *own = &factors_[0] + next.entry, *right = &after_[0] + next.gap_entry;
    const Number* left = &before_[0] + row.gap_entry;
    Number *to = &after_[0] + row.gap_entry, *background = &background_[0] + row.gap_cell;
    Number weight(0.0);
    std::size_t offset = next.last + std::size_t{1};
    while (offset-- > next.first) {
        const Number starting = own[offset] * right[offset];
        if constexpr (kOpen) {
            weight = weight * Number(gap[offset]);
            background[offset] = background[offset] + left[offset] * weight;
            weight = weight + starting;
        } else {
            weight = weight + starting;
            background[offset] = background[offset] + left[offset] * weight;
            weight = weight * Number(gap[offset]);
        }
        to[offset] = weight;
    }
    for (offset = next.first; offset-- > row.first;) {
        const Number beyond = weight;
        weight = weight * Number(gap[offset]);
        background[offset] = background[offset] + left[offset] * (kOpen ? weight : beyond);
        to[offset] = weight;
    }
}

}  // namespace nonocsp
