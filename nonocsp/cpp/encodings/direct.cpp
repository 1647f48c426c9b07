// The direct encoding of a puzzle (de Kleer 1989; Walsh, SAT v CSP, 2000): every block is a choice among its
// possible starts, one variable each, and one clause forbids each pair of starts in conflict. A start colours
// the cells that it covers, and a coloured cell is covered by some start.
// Cost: quadratic in the starts of a block.
#include <cstddef>
#include <vector>

#include "encodings/line_encoder.hpp"

namespace nonocsp {
namespace {

class DirectEncoder final : public LineEncoder {
  public:
    using LineEncoder::LineEncoder;

    void add_line(const EncodedLine& line, const BlockStarts& starts) override {
        choices_.clear();
        supports_.assign(line.cells);
        for (std::size_t j = 0; j < starts.size(); ++j) {
            choices_.emplace_back(starts[j].size(), clauses_);
            if (j > 0) add_conflicts(line, starts, j);
            add_starts(line, starts, j);
        }
        // The background needs no supports: cells that no start covers have it.
        supports_.add_clauses(line, 1, cells_, clauses_);
    }

  private:
    // Forbids starts of block j that are too early for a start of the block before it.
    void add_conflicts(const EncodedLine& line, const BlockStarts& starts, std::size_t j) {
        for (std::size_t i = 0; i < starts[j].size(); ++i)
            for (std::size_t before = starts[j - 1].size(); before-- > 0;) {
                if (starts[j - 1][before] <= line.latest_before(j, starts[j][i])) break;
                clauses_.add({-choices_[j - 1].is(before), -choices_[j].is(i)});
            }
    }

    // A start colours the block's cells. It also excludes the colour beside them, which unit propagation
    // alone would not find.
    void add_starts(const EncodedLine& line, const BlockStarts& starts, std::size_t j) {
        const std::uint32_t colour = line.colour(j);
        for (std::size_t i = 0; i < starts[j].size(); ++i) {
            const Literal start = choices_[j].is(i);
            const std::int32_t begin = starts[j][i], end = begin + line.length(j);
            for (std::int32_t position = begin; position < end; ++position)
                supports_.add(position, colour, start);
            for (const std::int32_t beside : {begin - 1, end})
                if (0 <= beside && beside < line.cells)
                    clauses_.add({-start, -cells_.has_colour(line.cell(beside), colour)});
        }
    }

    std::vector<Choice> choices_;  // [block] among its starts
    CellSupports supports_;
};

}  // namespace

Encoding encode_direct(const PuzzleClues& clues, std::span<const Word> candidates) {
    return encode_by<DirectEncoder>(clues, candidates);
}

}  // namespace nonocsp
