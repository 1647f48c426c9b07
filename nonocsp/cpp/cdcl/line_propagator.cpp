#include "cdcl/line_propagator.hpp"

#include <algorithm>
#include <functional>

namespace nonocsp {

LinePropagator::LinePropagator(const PuzzleClues& clues, const OrderModel& model, const Board& board)
    : clues_(clues),
      model_(model),
      board_(board),
      number_(clues.rows.size()),
      columns_(clues.columns.size()),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      dirty_(clues.rows.size(), clues.columns.size()),
      settled_(clues.colours * words_for(std::max(clues.rows.line_length(), clues.columns.line_length()))),
      line_(settled_) {
    if constexpr (kChecked) root_ = board;
}

void LinePropagator::read_back(LineId id, std::int32_t before, const Trail& trail) {
    const std::span<const Word> line = board_.line(id);
    std::ranges::copy(line, line_.begin());
    removed_.clear();
    const std::size_t length = board_.length(id.axis), stride = words_for(length) * kWordBits;
    for (std::size_t position = 0; position < length; ++position)
        for (std::size_t colour = 0; colour < board_.colours(); ++colour) {
            const Lit lit = model_.remover(cell(id, position), colour);
            if (lit == kNoLit || trail.value(lit) <= 0) continue;
            assert(!contains(line.data(), colour * stride + position));
            const Variable variable = variable_of(lit);
            if (trail.level(variable) == 0) continue;
            const std::size_t bit = colour * stride + position;
            if (trail.position(variable) < before)
                removed_.push_back({trail.position(variable), bit, lit});
            else
                flip(bit);
        }
    std::ranges::sort(removed_, std::greater(), &Removed::position);
}

void LinePropagator::refute(LineId id, Lit implied) {
    const Removal removal = model_.removal(implied);
    assert(!removal.is_nothing());
    const std::size_t position = id.axis == Axis::kRow ? removal.column : removal.row;
    const std::size_t stride = words_for(board_.length(id.axis)) * kWordBits;
    for (std::size_t colour = 0; colour < board_.colours(); ++colour) {
        const std::size_t bit = colour * stride + position;
        if (contains(line_.data(), bit) != (colour == removal.colour)) flip(bit);
    }
    std::erase_if(removed_, [&](const Removed& other) { return other.bit % stride == position; });
}

}  // namespace nonocsp
