// Exact marginals of a line: the probability of each colour in each cell and of each start of each block,
// where a placement weighs the product of its cells' weights. A line too long for doubles is computed with
// shares as weights, and in Scaled numbers if even these underflow. Cost: O(offsets of the blocks that can
// move), and in several colours O(length * log(longest block)) more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "beliefs/marginal_passes.hpp"
#include "beliefs/scaled.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// Lays out the passes over a line, from the possible starts that Settler::offsets writes.
void lay_out(const Clue& clue, std::span<const Word> offsets, MarginalLayout& layout);

// Owns the memory for lines of up to a length, so it serves one thread at a time.
class Marginals {
  public:
    // `colours` counts the background. Weights are 0 or within 1 / largest..largest; if `largest` is
    // infinite, the range of each line is found from its weights.
    Marginals(std::size_t longest, std::size_t colours, double largest);

    // The weights of the cells in the background or a colour from 2 on, relative to that of colour 1, by
    // cell: write them before `find`. 0 excludes the background. Where another colour is excluded, any
    // positive weight does. Weights beyond the line's end must be finite.
    double* weights(std::size_t colour) { return weights_[colour]; }

    // Computes the marginals; false if every placement weighs 0. The arguments must outlive the results.
    bool find(const Clue& clue, std::span<const Word> offsets, const MarginalLayout& layout);

    // The weight of all placements.
    double total() const { return total_; }

    // By cell from the layout's begin to its end: the weight of the placements in which it is background.
    const double* background() const { return background_; }

    // The same for a colour from 2 on. The rest of the total is that of colour 1.
    const double* coloured(std::size_t colour) const { return cells_[colour]; }

    // Calls visit(block, cell, P(block starts there)), block by block; other starts are impossible.
    template <class Visit>
    void for_each_start(Visit visit) const;

  private:
    double start(std::size_t row, std::size_t offset) const;
    // Runs the passes with the first kind of numbers that the line does not take out of their range.
    void run(std::size_t words);
    bool fits_doubles() const;
    // Makes the weights of each cell shares of 1.
    void write_shares();
    void add_up_colours();

    std::size_t safe_length_, colours_;
    const Clue* clue_ = nullptr;
    std::span<const Word> offsets_;
    const MarginalLayout* layout_ = nullptr;
    bool in_doubles_ = true;
    double total_ = 1;
    Scaled scaled_total_;
    const double* background_ = nullptr;
    CellPlanes weights_, cells_, shares_;
    std::vector<double> first_shares_;  // of colour 1, by cell
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
