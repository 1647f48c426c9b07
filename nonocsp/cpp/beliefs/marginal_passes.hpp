// Forward-backward over the placements of a line, in doubles or in Scaled numbers.
//
// Only the ratio of a cell's weights matters, so all are relative to that of colour 1. Blocks of colour 1
// weigh 1 then, and in one colour the passes multiply the weights of background cells only. On a long line
// the product of many such weights leaves the range of a double; there each cell's weights are shares of 1,
// colour 1 has weights as well, and no product is above 1. The weight of the placements in which a cell is
// background is summed over gaps, as the weight of all to its left times that of all to its right.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "beliefs/scaled.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// A block that can move, and the gap after it. The tables have one entry an offset; `entry` and `gap_entry`
// point where offset 0 would be.
struct MarginalRow {
    std::uint32_t first, last;  // possible offsets of the block
    std::uint16_t cell, length, colour;
    std::uint16_t gap_cell;  // the first cell of the gap after it; this and `cell` are at offset 0
    std::uint32_t block;     // its number in the line
    bool open_after;         // whether the gap may be empty
    std::size_t entry;       // from the first offset to the last
    std::size_t gap_entry;   // from the first offset to the last of the next row
};

// The rows of the blocks from the first that can move to the last that can. Before and after them stands a
// row for all that is to the left, and to the right: without cells, at the first and at the last offset.
struct MarginalLayout {
    static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

    std::vector<MarginalRow> rows;
    std::size_t entries = 0, gap_entries = 0;
    std::size_t begin = 0, end = 0;  // cells outside begin..end - 1 are the same in every placement
};

// Four bits as four numbers.
inline constexpr auto kNibbles = [] {
    std::array<std::array<double, 4>, 16> nibbles{};
    for (std::size_t bits = 0; bits < 16; ++bits)
        for (std::size_t i = 0; i < 4; ++i) nibbles[bits][i] = static_cast<double>(bits >> i & 1);
    return nibbles;
}();

// Numbers by cell, one plane a colour: the weights of a line's cells, or sums over its placements. Colour 1
// has no plane: it weighs 1, and its sum is the rest of the total.
class CellPlanes {
  public:
    static constexpr std::size_t kPadding = 8;  // for chunks of four, and for one gap cell beyond the line

    CellPlanes(std::size_t longest, std::size_t colours)
        : stride_(longest + kPadding), cells_(stride_ * (colours - 1)) {}

    double* operator[](std::size_t colour) { return &cells_[at(colour)]; }
    const double* operator[](std::size_t colour) const { return &cells_[at(colour)]; }
    std::size_t stride() const { return stride_; }
    void fill(double value) { std::fill(cells_.begin(), cells_.end(), value); }

  private:
    std::size_t at(std::size_t colour) const {
        assert(colour != 1 && (colour == 0 ? 0 : colour - 1) * stride_ < cells_.size());
        return (colour == 0 ? 0 : colour - 1) * stride_;
    }

    std::size_t stride_;
    std::vector<double> cells_;
};

// The numbers of the passes: doubles, or numbers with a larger range.
template <class N>
concept PassNumber = std::constructible_from<N, double> && requires(const N a, const N b) {
    { a + b } -> std::same_as<N>;
    { a * b } -> std::same_as<N>;
    static_cast<double>(a);
};

template <PassNumber Number>
class MarginalPasses {
  public:
    // Returns the weight of all placements. `sets` are the possible offsets of all blocks, `words` words
    // each; `first` are the weights of colour 1 by cell, or null if all are 1.
    Number run(const MarginalLayout& layout, std::span<const Word> sets, std::size_t words,
               const CellPlanes& weights, const double* first = nullptr) {
        const std::span<const MarginalRow> rows = layout.rows;
        const std::size_t last = rows.size() - 1;
        const double* gaps = weights[0];
        assert(rows.size() >= 3);  // the two that stand for the rest, and a block that can move
        prepare(layout);
        write_factors(layout, sets, words, weights, first);
        for (std::size_t j = 0; j < last; ++j) {
            const std::size_t gap_before = j == 0 ? -std::size_t{rows[0].first} : rows[j - 1].gap_entry;
            rows[j].open_after ? step_right<true>(rows[j], gap_before, rows[j + 1], gaps + rows[j].gap_cell)
                               : step_right<false>(rows[j], gap_before, rows[j + 1], gaps + rows[j].gap_cell);
        }
        for (std::size_t j = last; j-- > 0;)
            rows[j].open_after ? step_left<true>(rows[j], rows[j + 1], gaps + rows[j].gap_cell)
                               : step_left<false>(rows[j], rows[j + 1], gaps + rows[j].gap_cell);
        assert(passes_agree(before_[rows[last - 1].gap_entry + rows[last].first],
                            after_[rows[0].gap_entry + rows[0].first]));
        return after_[rows[0].gap_entry + rows[0].first];
    }

    // By cell from the layout's begin to its end: the weight of the placements in which it is background.
    const Number* background() const { return background_.data(); }

    // The weight of the placements in which the block of a row starts at an offset.
    Number start(const MarginalLayout& layout, std::size_t row, std::size_t offset) const {
        assert(0 < row && row + 1 < layout.rows.size());
        const MarginalRow& own = layout.rows[row];
        assert(own.first <= offset && offset <= own.last);
        return factors_[own.entry + offset] * before_[layout.rows[row - 1].gap_entry + offset] *
               after_[own.gap_entry + offset];
    }

  private:
    // Whether the total is the same from the left and from the right, but for rounding. For assertions.
    static bool passes_agree(const Number& from_left, const Number& from_right) {
        const Number both = from_left + from_right;
        if (both == Number(0.0)) return true;
        if constexpr (std::same_as<Number, Scaled>)
            return std::abs(static_cast<double>(from_left / both) - 0.5) < 1e-6;
        else
            return std::isinf(both) || both < 1e-300 || std::abs(from_left / both - 0.5) < 1e-6;
    }

    // Makes room; before the first row and after the last one nothing weighs.
    void prepare(const MarginalLayout& layout) {
        const MarginalRow& last = layout.rows.back();
        assert(layout.begin < layout.end);
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

    void write_factors(const MarginalLayout& layout, std::span<const Word> sets, std::size_t words,
                       const CellPlanes& weights, const double* first) {
        const MarginalRow &left = layout.rows.front(), &right = layout.rows.back();
        factors_[left.entry + left.first] = factors_[right.entry + right.last] = Number(1.0);
        for (std::size_t j = 1; j + 1 < layout.rows.size(); ++j) {
            const MarginalRow& row = layout.rows[j];
            write_set(row, sets.subspan(row.block * words, words));
            const double* of_colour = row.colour == 1 ? first : weights[row.colour];
            if (of_colour != nullptr) multiply_by_cells(row, of_colour, weights.stride());
        }
    }

    // 1 for every offset of a set, 0 for the others.
    void write_set(const MarginalRow& row, std::span<const Word> set) {
        for (std::size_t offset = row.first; offset <= row.last; offset += 4) {
            const Word bits = word_from(set, offset);
            for (std::size_t i = 0; i < 4; ++i)
                factors_[row.entry + offset + i] = Number(kNibbles[bits & 15][i]);
        }
    }

    // Multiplies by the weights of the block's cells: one run for each bit of its length.
    void multiply_by_cells(const MarginalRow& row, const double* weights, std::size_t stride) {
        std::size_t cell = row.cell;
        for (std::size_t rest = row.length; rest != 0; rest &= rest - 1) {
            const auto doubling = static_cast<std::size_t>(std::countr_zero(rest));
            const Number* run = runs(row.colour, doubling, weights, stride) + cell;
            for (std::size_t offset = row.first; offset <= row.last; ++offset)
                factors_[row.entry + offset] = factors_[row.entry + offset] * run[offset];
            cell += std::size_t{1} << doubling;
        }
    }

    const Number* runs(std::size_t colour, std::size_t doubling, const double* weights, std::size_t stride) {
        if (run_colour_ != colour) {
            run_colour_ = colour;
            doublings_ = 1;
            if (runs_.size() < stride) runs_.resize(stride);
            std::transform(weights, weights + stride, runs_.begin(),
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

    // One step of the pass from the left, to the next block. `weight` is that of all cells before the gap's
    // cell at `offset`, then with it. The next block starts before this cell if the gap is open, else after
    // it.
    template <bool kOpen>
    void step_right(const MarginalRow& row, std::size_t gap_before, const MarginalRow& next,
                    const double* gap) {
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

    // One step of the pass from the right. `weight` is that of all cells after the gap's cell at `offset`,
    // then with it.
    template <bool kOpen>
    void step_left(const MarginalRow& row, const MarginalRow& next, const double* gap) {
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

    std::vector<Number> factors_;     // by row and offset: weight of the block's cells; 0 if it cannot start
    std::vector<Number> before_;      // by gap and offset: weight of the cells before the next block
    std::vector<Number> after_;       // by gap and offset: weight of the cells after the block
    std::vector<Number> background_;  // by cell
    std::vector<Number> runs_;        // [doubling][cell]: weight of 2^doubling cells of a colour from here on
    std::size_t run_colour_ = 0, doublings_ = 0;
};

}  // namespace nonocsp
