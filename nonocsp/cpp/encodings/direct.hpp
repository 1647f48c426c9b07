// The direct encoding of a puzzle (de Kleer 1989; Walsh, SAT v CSP, 2000): every block is a choice among its
// possible starts, one variable each, and one clause forbids each pair of starts in conflict. A start colours
// the cells that it covers, and a coloured cell is covered by some start.
// Cost: quadratic in the starts of a block.
#pragma once

#include <cstddef>
#include <vector>

#include "encodings/line_encoder.hpp"

namespace nonocsp {

class DirectEncoder final : public LineEncoder {
  public:
    using LineEncoder::LineEncoder;
    void add_line(const EncodedLine& line, const BlockStarts& starts) override;

  private:
    void add_conflicts(const EncodedLine& line, const BlockStarts& starts, std::size_t j);
    void add_starts(const EncodedLine& line, const BlockStarts& starts, std::size_t j);

    std::vector<Choice> choices_;  // [block] among its starts
    CellSupports supports_;
};

inline constexpr Encode& encode_direct = encode_by<DirectEncoder>;

}  // namespace nonocsp
