// Every line of the puzzle as one propagator of the learning search: it settles lines whose candidates
// changed, and what settling removes becomes literals. Explanations are lazy (Ohrimenko, Stuckey & Codish
// 2009, lazy clause generation): only when a conflict asks, the removals from the line are taken back, the
// latest first, as long as still nothing fits. No literal of an explanation can be left out. Each line has a
// stack of its removals, so that an explanation costs a forward pass for every candidate removed, and no
// search for them. Explanations are kept until the search is back at level 0, since conflicts ask again.
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cdcl/clause_log.hpp"
#include "cdcl/model.hpp"
#include "cdcl/trail.hpp"
#include "cdcl/types.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "line/settler.hpp"

namespace nonocsp {

class LinePropagator {
  public:
    // Reads the board, which whoever assigns literals keeps up to date; all three must outlive it.
    LinePropagator(const PuzzleClues& clues, const Model& model, const Board& board);

    // Explanations go to this log from now on; it must outlive all calls.
    void log_to(ClauseLog& log) { log_ = &log; }

    // Notes that a literal has removed a candidate, which makes its lines dirty, except the one being
    // settled.
    void note_removal(Lit lit, const Removal& removal) {
        for (const LineId id : {LineId{Axis::kRow, removal.row}, LineId{Axis::kColumn, removal.column}}) {
            if (!is_settling_ || id != settling_) dirty_.push(id);  // settling twice would change nothing
            Stack& stack = stacks_[number_(id)];
            assert(stack.end < stack.begin + board_.colours() * board_.length(id.axis));
            removals_[stack.end++] = {lit, bit_of(id.axis, removal)};
        }
    }
    // Takes back the latest removal from the two lines of its cell.
    void forget_removal(const Removal& removal) {
        for (const LineId id : {LineId{Axis::kRow, removal.row}, LineId{Axis::kColumn, removal.column}}) {
            Stack& stack = stacks_[number_(id)];
            assert(stack.end > stack.begin && removals_[stack.end - 1].bit == bit_of(id.axis, removal));
            --stack.end;
        }
    }

    bool is_dirty() const { return !dirty_.empty(); }
    void forget_dirty() { dirty_.clear(); }

    // Settles the next dirty line; calls implied(lit, line number) for each candidate that it removes, which
    // must take it off the board at once. Returns false if no placement fits; `line()` says where.
    template <class Implied>
    bool settle_next(Implied implied);
    std::size_t line() const { return number_(settling_); }

    // Finds literals, all false, one of which must be true for `implied` to be false, or, without it, for the
    // line to fit. The reason that it returns names them until forget_explanations().
    Reason explain(std::size_t line, std::optional<Lit> implied, const Trail& trail);
    // Calls visit(lit) for the literals of an explanation; may explain others meanwhile.
    template <class Visit>
    void for_each_literal(Reason explanation, Visit visit) const {
        assert(explanation.is_explanation());
        const auto at = static_cast<std::size_t>(explanation.first);
        for (std::size_t i = at + 1, end = i + static_cast<std::size_t>(explanations_[at]); i < end; ++i)
            visit(explanations_[i]);
    }
    void forget_explanations() {
        explanations_.clear();
        if (log_ != nullptr) log_->forget_reasons();
    }
    // Memory in bytes of what grows with the search.
    std::size_t bytes() const {
        return removals_.size() * sizeof(LineRemoval) + explanations_.size() * sizeof(Lit);
    }
    // Whether so many are kept that the search should go back to level 0.
    bool is_full() const { return explanations_.size() > kMostExplanations; }

    std::int64_t settles() const { return settles_; }
    std::int64_t explained() const { return explained_; }

  private:
    static constexpr std::size_t kMostExplanations = std::size_t{1} << 24;  // literals, 64 MiB

    struct LineRemoval {
        Lit lit;
        std::uint32_t bit;  // of the line: plane * words * 64 + position
    };
    // A part of removals_: what was removed from a line, the latest last.
    struct Stack {
        std::size_t begin, end;
    };

    std::size_t cell(LineId id, std::size_t position) const {
        const Cell cell = cell_of(id, position);
        return cell.row * columns_ + cell.column;
    }
    bool fits(LineId id) { return settlers_[index(id.axis)]->feasible(clues_[id], line_of(id)); }
    std::span<const Word> line_of(LineId id) const { return std::span(line_).first(board_.line(id).size()); }
    void flip(std::size_t bit) { line_[bit / kWordBits] ^= Word{1} << bit % kWordBits; }
    std::uint32_t bit_of(Axis axis, const Removal& removal) const {
        const std::size_t position = axis == Axis::kRow ? removal.column : removal.row;
        return static_cast<std::uint32_t>(removal.colour * stride_[index(axis)] + position);
    }

    // Reads the line as it was before a position of the trail, and lists the candidates that had been removed
    // by then, the latest first, without those of level 0.
    void read_back(LineId id, std::int32_t before, const Trail& trail);
    // Leaves a cell of the line only the colour that the literal would remove.
    void refute(LineId id, Lit implied);

    const PuzzleClues& clues_;
    const Model& model_;
    const Board& board_;
    LineNumbers number_;
    std::size_t columns_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    DirtyLines dirty_;
    LineId settling_{Axis::kRow, 0};
    bool is_settling_ = false;
    std::array<std::size_t, 2> stride_;  // [axis] bits of a plane
    std::vector<LineRemoval> removals_;
    std::vector<Stack> stacks_;  // [line number]
    std::vector<Word> settled_, line_;
    std::vector<LineRemoval> removed_;  // from the line that is explained
    std::vector<Lit> explanations_;     // each a number of literals, and these
    ClauseLog* log_ = nullptr;
    std::int64_t settles_ = 0, explained_ = 0;
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

}  // namespace nonocsp
