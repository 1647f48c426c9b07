#include "cdcl/line_propagator.hpp"

#include <algorithm>

namespace nonocsp {

LinePropagator::LinePropagator(const PuzzleClues& clues, const Model& model, const Board& board)
    : clues_(clues),
      model_(model),
      board_(board),
      number_(clues.rows.size()),
      columns_(clues.columns.size()),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      dirty_(clues.rows.size(), clues.columns.size()),
      stride_{words_for(clues.rows.line_length()) * kWordBits,
              words_for(clues.columns.line_length()) * kWordBits},
      settled_(clues.colours * words_for(std::max(clues.rows.line_length(), clues.columns.line_length()))),
      line_(settled_) {
    std::size_t room = 0;
    for (std::size_t i = 0; i < clues.rows.size() + clues.columns.size(); ++i) {
        stacks_.push_back({room, room});
        room += board.colours() * board.length(number_.line(i).axis);
    }
    removals_.resize(room);
}

Reason LinePropagator::explain(std::size_t line, std::optional<Lit> implied, const Trail& trail) {
    ++explained_;
    const LineId id = number_.line(line);
    read_back(id, implied ? trail.position(variable_of(*implied)) : INT32_MAX, trail);
    if (implied) refute(id, *implied);
    assert(!fits(id));
    const std::size_t at = explanations_.size();
    explanations_.push_back(0);
    for (const LineRemoval& removal : removed_) {
        flip(removal.bit);
        if (!fits(id)) continue;
        flip(removal.bit);
        explanations_.push_back(negation(removal.lit));
    }
    explanations_[at] = static_cast<Lit>(explanations_.size() - at - 1);
    if (log_ != nullptr) log_->add_reason(implied, std::span(explanations_).subspan(at + 1));
    return Reason::explanation(at);
}

void LinePropagator::read_back(LineId id, std::int32_t before, const Trail& trail) {
    std::ranges::copy(board_.line(id), line_.begin());
    removed_.clear();
    const Stack& stack = stacks_[number_(id)];
    for (std::size_t i = stack.end; i-- > stack.begin;) {
        const LineRemoval& removal = removals_[i];
        const Variable variable = variable_of(removal.lit);
        if (trail.level(variable) == 0) break;
        if (trail.position(variable) < before)
            removed_.push_back(removal);
        else
            flip(removal.bit);
    }
}

void LinePropagator::refute(LineId id, Lit implied) {
    const Removal removal = model_.removal(implied);
    assert(!removal.is_nothing());
    const std::size_t position = id.axis == Axis::kRow ? removal.column : removal.row;
    const std::size_t stride = stride_[index(id.axis)];
    for (std::size_t colour = 0; colour < board_.colours(); ++colour) {
        const std::size_t bit = colour * stride + position;
        if (contains(line_.data(), bit) != (colour == removal.colour)) flip(bit);
    }
    std::erase_if(removed_, [&](const LineRemoval& other) { return other.bit % stride == position; });
}

}  // namespace nonocsp
