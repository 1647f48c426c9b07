#include "beliefs/marginals.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace nonocsp {
namespace {

// The exponent of a double, with some room. A line stays within it if the sum over its cells does: the bits
// of each cell's weight, and one more since a cell may double the number of placements.
constexpr double kBits = 1000;

// The least total of shares that is far from underflow: all that is lost is less than a part in 1e50 of it.
constexpr double kLeastTotal = 1e-250;

// At least |log2(weight)|, from the exponent.
int most_bits(double weight) {
    const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(weight) >> 52) - 1023;
    return exponent < 0 ? -exponent : exponent + 1;
}

// Places the entries of the rows and of the gaps after them.
void place_rows(MarginalLayout& layout) {
    std::vector<MarginalRow>& rows = layout.rows;
    layout.entries = 0;
    layout.gap_entries = 1;  // as if there were a gap before the first row
    for (std::size_t j = 0; j < rows.size(); ++j) {
        const std::size_t width = rows[j].last - rows[j].first + std::size_t{1};
        assert(rows[j].first <= rows[j].last);
        assert(j == 0 || (rows[j - 1].first <= rows[j].first && rows[j - 1].last <= rows[j].last));
        const std::size_t gap_last = j + 1 < rows.size() ? rows[j + 1].last : rows[j].last;
        rows[j].entry = layout.entries - rows[j].first;
        rows[j].gap_entry = layout.gap_entries - rows[j].first;
        layout.entries += (width + 3) / 4 * 4;  // they are written in chunks of four
        layout.gap_entries += gap_last - rows[j].first + 1;
    }
}

MarginalRow row_of(const Block& block, std::size_t number) {
    const std::uint16_t end = static_cast<std::uint16_t>(block.earliest_last + 1);
    return {.first = 0,
            .last = 0,
            .cell = block.earliest,
            .length = static_cast<std::uint16_t>(block.length()),
            .colour = block.colour,
            .gap_cell = end,
            .block = static_cast<std::uint32_t>(number),
            .open_after = block.open_after,
            .entry = 0,
            .gap_entry = 0};
}

// The row that stands for all to the left or to the right, at one offset.
MarginalRow end_at(std::uint32_t offset, std::uint16_t cell) {
    MarginalRow row{};
    row.first = row.last = offset;
    row.cell = row.gap_cell = cell;
    row.block = MarginalLayout::kNoBlock;
    row.open_after = true;
    return row;
}

}  // namespace

void lay_out(const Clue& clue, std::span<const Word> offsets, MarginalLayout& layout) {
    const std::size_t words = words_for(clue.slack + 1);
    assert(offsets.size() == clue.blocks.size() * words);
    std::vector<MarginalRow>& rows = layout.rows;
    rows.assign(1, {});
    std::size_t kept = 1;  // rows, up to the last block that can move
    for (std::size_t j = 0; j < clue.blocks.size(); ++j) {
        MarginalRow row = row_of(clue.blocks[j], j);
        row.first = static_cast<std::uint32_t>(lowest(&offsets[j * words]));
        row.last = static_cast<std::uint32_t>(highest(&offsets[j * words], words));
        if (rows.size() == 1 && row.first == row.last) continue;
        rows.push_back(row);
        if (row.first < row.last) kept = rows.size();
    }
    rows.resize(kept);
    layout.begin = layout.end = 0;
    if (kept == 1) return rows.clear();
    const MarginalRow first = rows[1];
    rows[0] = end_at(first.first, first.cell);
    rows.back().open_after = true;  // the next block does not move, and has a cell before it if it needs one
    rows.push_back(end_at(rows.back().last, rows.back().gap_cell));
    layout.begin = first.cell + std::size_t{rows.front().first};
    layout.end = rows.back().cell + std::size_t{rows.back().last};
    assert(layout.begin < layout.end && layout.end <= clue.length);
    place_rows(layout);
}

Marginals::Marginals(std::size_t longest, std::size_t colours, double largest)
    : safe_length_(static_cast<std::size_t>(kBits / (std::log2(largest) + 1))),
      colours_(colours),
      weights_(longest, colours),
      cells_(longest, colours),
      shares_(longest, colours),
      first_shares_(shares_.stride()) {}

bool Marginals::find(const Clue& clue, std::span<const Word> offsets, const MarginalLayout& layout) {
    clue_ = &clue;
    offsets_ = offsets;
    layout_ = &layout;
    total_ = 1;
    if (layout.rows.empty()) return true;
    run(words_for(clue.slack + 1));
    assert(total_ >= 0);
    if (colours_ > 2) add_up_colours();
    return total_ > 0;
}

void Marginals::run(std::size_t words) {
    in_doubles_ = true;
    if (fits_doubles()) {
        total_ = doubles_.run(*layout_, offsets_, words, weights_);
    } else {
        write_shares();
        total_ = doubles_.run(*layout_, offsets_, words, shares_, first_shares_.data());
        in_doubles_ = total_ > kLeastTotal;
    }
    background_ = doubles_.background();
    if (in_doubles_) return;
    scaled_total_ = scaled_.run(*layout_, offsets_, words, weights_);
    total_ = scaled_total_ == Scaled(0.0) ? 0 : 1;  // the results are divided by the total
    if (total_ == 0) return;
    for (std::size_t cell = layout_->begin; cell < layout_->end; ++cell)
        cells_[0][cell] = static_cast<double>(scaled_.background()[cell] / scaled_total_);
    background_ = cells_[0];
}

void Marginals::write_shares() {
    for (std::size_t cell = layout_->begin; cell <= layout_->end; ++cell) {
        double sum = 1;
        for (std::size_t colour = 0; colour < colours_; colour += colour == 0 ? 2 : 1)
            sum += weights_[colour][cell];
        first_shares_[cell] = 1 / sum;
        for (std::size_t colour = 0; colour < colours_; colour += colour == 0 ? 2 : 1)
            shares_[colour][cell] = weights_[colour][cell] / sum;
    }
}

double Marginals::start(std::size_t row, std::size_t offset) const {
    if (in_doubles_) return doubles_.start(*layout_, row, offset);
    return static_cast<double>(scaled_.start(*layout_, row, offset) / scaled_total_);
}

bool Marginals::fits_doubles() const {
    if (clue_->length <= safe_length_) return true;
    double bits = 0;
    for (std::size_t cell = layout_->begin; cell < layout_->end; ++cell) {
        int most = 0;
        for (std::size_t colour = 0; colour < colours_; colour += colour == 0 ? 2 : 1)
            if (const double weight = weights_[colour][cell]; weight > 0)
                most = std::max(most, most_bits(weight));
        bits += most + 1;
    }
    return bits <= kBits;
}

// Adds the weight of each start of a block where the block begins and subtracts it where the block ends, then
// sums up along the line.
void Marginals::add_up_colours() {
    for (std::size_t colour = 2; colour < colours_; ++colour)
        std::fill(cells_[colour] + layout_->begin, cells_[colour] + layout_->end + 1, 0.0);
    for (std::size_t j = 1; j + 1 < layout_->rows.size(); ++j) {
        const MarginalRow& row = layout_->rows[j];
        if (row.colour == 1) continue;
        double* begin = cells_[row.colour] + row.cell;
        for (std::size_t offset = row.first; offset <= row.last; ++offset) {
            const double weight = start(j, offset);
            begin[offset] += weight;
            begin[offset + row.length] -= weight;
        }
    }
    for (std::size_t colour = 2; colour < colours_; ++colour) {
        double* cells = cells_[colour];
        std::partial_sum(cells + layout_->begin, cells + layout_->end, cells + layout_->begin);
    }
}

}  // namespace nonocsp
