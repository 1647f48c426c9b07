// Exact marginals of a line: how likely each cell has each colour, and each block each start, if a placement
// is as likely as the product of its cells' weights. No product over- or underflows: a line too long for
// doubles is done in Scaled numbers. Cost: O(offsets of all blocks + length * log(longest block)).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bits.hpp"
#include "clue.hpp"
#include "marginal_passes.hpp"
#include "scaled.hpp"

namespace nonocsp {

// Holds the memory for lines of up to a length; one thread at a time.
class Marginals {
  public:
    // `colours` counts the background. No weight is above `largest` or, unless it is 0, below its inverse; if
    // that is infinity, the range of every line is looked at.
    Marginals(std::size_t longest, std::size_t colours, double largest);

    // The weights of the cells in the background or a colour from 2 on, relative to that in colour 1, by
    // cell: to be written before find. 0 keeps the background away; the weight of any other colour where it
    // is excluded does not matter, if only it is positive.
    double* weights(std::size_t colour) { return weights_.plane(colour); }

    // `offsets` are those of the possible starts, as Settler::offsets writes them. False if no placement has
    // weight.
    bool find(const Clue& clue, std::span<const Word> offsets);

    // P(cell has this colour), by cell; not for the background.
    std::span<const double> cells(std::size_t colour) const {
        return std::span(cells_).subspan((colour - 1) * weights_.stride(), clue_->length);
    }

    // Calls visit(cell, P(block starts there)) for a range of cells that has all the block's starts, in
    // order.
    template <class Visit>
    void for_each_start(std::size_t block, Visit visit) const {
        const Extent& extent = layout_.extents[block];
        for (std::size_t offset = extent.first; offset <= extent.last; ++offset)
            visit(clue_->blocks[block].earliest + offset, starts_[extent.row + offset]);
    }

  private:
    void lay_out(std::span<const Word> offsets);
    void place_rows();
    bool fits_doubles() const;
    void add_up_cells();

    const Clue* clue_ = nullptr;
    std::size_t safe_length_, colours_;
    RelativeWeights weights_;
    Layout layout_;
    std::vector<double> starts_;  // by block and offset
    std::vector<double> cells_;   // [colour - 1][cell]
    MarginalPasses<double> in_doubles_;
    MarginalPasses<Scaled> scaled_;
};

}  // namespace nonocsp
