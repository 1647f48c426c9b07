// Every line of the puzzle as one propagator of the learning search: it settles lines whose candidates
// changed, and what settling removes becomes literals. Explanations are lazy (Ohrimenko, Stuckey & Codish
// 2009, lazy clause generation): only when a conflict asks, the removals from the line are taken back, the
// latest first, as long as still nothing fits. No literal of an explanation can be left out. Cost of one: a
// scan of the line and a forward pass for every candidate removed.
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cdcl/order_model.hpp"
#include "cdcl/trail.hpp"
#include "cdcl/types.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "line/settler.hpp"

namespace nonocsp {

class LinePropagator {
  public:
    // Reads the board, which whoever assigns literals keeps up to date; all three must outlive it.
    LinePropagator(const PuzzleClues& clues, const OrderModel& model, const Board& board);

    // Marks the lines of a cell that lost a candidate dirty, except the one being settled.
    void touch(Cell cell) {
        for (const LineId id : {LineId{Axis::kRow, cell.row}, LineId{Axis::kColumn, cell.column}})
            if (!is_settling_ || id != settling_) dirty_.push(id);  // settling twice would change nothing
    }

    bool is_dirty() const { return !dirty_.empty(); }
    void forget_dirty() { dirty_.clear(); }

    // Settles the next dirty line; calls implied(lit, line number) for each candidate that it removes, which
    // must take it off the board at once. Returns false if no placement fits; `line()` says where.
    template <class Implied>
    bool settle_next(Implied implied);
    std::size_t line() const { return number_(settling_); }

    // Calls visit(lit) for literals, all false, one of which must be true for `implied` to be false, or,
    // without it, for the line to fit.
    template <class Visit>
    void explain(std::size_t line, std::optional<Lit> implied, const Trail& trail, Visit visit);

    std::int64_t settles() const { return settles_; }
    std::int64_t explanations() const { return explanations_; }

    // Asserts that settling any line from scratch changes nothing; at a fixpoint, in debug builds.
    void check_fixpoint();

  private:
    struct Removed {
        std::int32_t position;  // on the trail
        std::size_t bit;        // of the line: plane * words * 64 + position
        Lit lit;
    };

    std::size_t cell(LineId id, std::size_t position) const {
        const Cell cell = cell_of(id, position);
        return cell.row * columns_ + cell.column;
    }
    bool fits(LineId id) { return settlers_[index(id.axis)]->feasible(clues_[id], line_of(id)); }
    std::span<const Word> line_of(LineId id) const { return std::span(line_).first(board_.line(id).size()); }
    void flip(std::size_t bit) { line_[bit / kWordBits] ^= Word{1} << bit % kWordBits; }

    // Reads the line as it was before a position of the trail, and lists the candidates that had been removed
    // by then, the latest first.
    void read_back(LineId id, std::int32_t before, const Trail& trail);
    // Leaves a cell of the line only the colour that the literal would remove.
    void refute(LineId id, Lit implied);
    // Asserts that the explanation of which `reason` holds the literals is one, without what read_back() and
    // the board say: from the clues and from what the literals of level 0 and of the reason remove.
    void check_explanation(LineId id, std::optional<Lit> implied, const std::vector<Lit>& reason,
                           const Trail& trail);

    const PuzzleClues& clues_;
    const OrderModel& model_;
    const Board& board_;
    LineNumbers number_;
    std::size_t columns_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    DirtyLines dirty_;
    LineId settling_{Axis::kRow, 0};
    bool is_settling_ = false;
    std::vector<Word> settled_, line_;
    std::vector<Removed> removed_;
    std::optional<Board> root_;  // for checks
    std::int64_t settles_ = 0, explanations_ = 0;
};

template <class Implied>
bool LinePropagator::settle_next(Implied implied) {
    assert(is_dirty() && !is_settling_);
    settling_ = dirty_.pop();
    const std::span<const Word> line = board_.line(settling_);
    const std::span<Word> settled(settled_.data(), line.size());
    ++settles_;
    if (!settlers_[index(settling_.axis)]->settle(clues_[settling_], line, settled)) return false;
    const std::size_t words = words_for(board_.length(settling_.axis));
    is_settling_ = true;
    for (std::size_t colour = 0, i = 0; colour < board_.colours(); ++colour)
        for (std::size_t word = 0; word < words; ++word, ++i) {
            assert((settled[i] & ~line[i]) == 0);
            for_each_cell(line[i] & ~settled[i], word * kWordBits, [&](std::size_t position) {
                const Lit lit = model_.remover(cell(settling_, position), colour);
                assert(lit != kNoLit);  // the root lacks no candidate, and keeps none alone, that is removed
                implied(lit, number_(settling_));
            });
            assert(line[i] == settled[i]);
        }
    is_settling_ = false;
    return true;
}

template <class Visit>
void LinePropagator::explain(std::size_t line, std::optional<Lit> implied, const Trail& trail, Visit visit) {
    ++explanations_;
    const LineId id = number_.line(line);
    read_back(id, implied ? trail.position(variable_of(*implied)) : INT32_MAX, trail);
    if (implied) refute(id, *implied);
    assert(!fits(id));
    std::vector<Lit> reason;
    for (const Removed& removed : removed_) {
        flip(removed.bit);
        if (!fits(id)) continue;
        flip(removed.bit);
        if constexpr (kChecked) reason.push_back(negation(removed.lit));
        visit(negation(removed.lit));
    }
    if constexpr (kChecked) check_explanation(id, implied, reason, trail);
}

}  // namespace nonocsp
