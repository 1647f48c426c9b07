// Exact marginals of a line: how likely each cell has each colour, and each block each start, if a placement
// is as likely as the product of its cells' weights. No product over- or underflows: a line too long for
// doubles is done in Scaled numbers. Cost: O(offsets of the blocks that can move), and in several colours
// O(length * log(longest block)) more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "beliefs/marginal_passes.hpp"
#include "beliefs/scaled.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// Prepares a layout for a line whose blocks have these possible starts, as Settler::offsets writes them.
void lay_out(const Clue& clue, std::span<const Word> offsets, MarginalLayout& layout);

// Holds the memory for lines of up to a length; one thread at a time.
class Marginals {
  public:
    // `colours` counts the background. No weight is above `largest` or, unless it is 0, below its inverse; if
    // that is infinity, the range of every line is looked at.
    Marginals(std::size_t longest, std::size_t colours, double largest);

    // The weights of the cells in the background or a colour from 2 on, relative to that in colour 1, by
    // cell: to be written before find. 0 keeps the background away; that of another colour where it is
    // excluded does not matter, if only it is positive. Those beyond the line's end must be finite.
    double* weights(std::size_t colour) { return weights_[colour]; }

    // False if no placement has weight. The clue, its offsets and their layout are looked at until the next
    // call.
    bool find(const Clue& clue, std::span<const Word> offsets, const MarginalLayout& layout);

    // The weight of all placements.
    double total() const { return total_; }

    // The weight of those in which a cell, between the layout's begin and end, is background; by cell.
    const double* background() const { return background_; }

    // The same for a colour from 2 on. The rest of the total is that of colour 1.
    const double* coloured(std::size_t colour) const { return cells_[colour]; }

    // Calls visit(block, cell, P(block starts there)), block by block; what is not visited is impossible.
    template <class Visit>
    void for_each_start(Visit visit) const;

  private:
    double run_in_doubles();
    double run_scaled();
    double start(std::size_t row, std::size_t offset) const;
    bool fits_doubles() const;
    void add_up_colours();

    std::size_t safe_length_, colours_;
    const Clue* clue_ = nullptr;
    std::span<const Word> offsets_;
    const MarginalLayout* layout_ = nullptr;
    bool in_doubles_ = true;
    double total_ = 1;
    Scaled scaled_total_;
    const double* background_ = nullptr;
    CellPlanes weights_, cells_;
    MarginalPasses<double> doubles_;
    MarginalPasses<Scaled> scaled_;
};

template <class Visit>
void Marginals::for_each_start(Visit visit) const {
    const std::size_t words = words_for(clue_->slack + 1);
    std::size_t row = 1;
    for (std::size_t j = 0; j < clue_->blocks.size(); ++j) {
        const std::size_t earliest = clue_->blocks[j].earliest;
        if (row + 1 < layout_->rows.size() && layout_->rows[row].block == j) {
            for (std::size_t offset = layout_->rows[row].first; offset <= layout_->rows[row].last; ++offset)
                visit(j, earliest + offset, start(row, offset) / total_);
            ++row;
        } else {
            visit(j, earliest + lowest(&offsets_[j * words]), 1.0);
        }
    }
}

}  // namespace nonocsp
