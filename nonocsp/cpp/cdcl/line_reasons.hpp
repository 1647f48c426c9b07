// The lines of a puzzle as constraints of the learning search: literals remove candidates from a board, dirty
// lines are settled, and what settling removes are literals again. A reason is looked for only when a
// conflict asks for it: of the candidates that were removed from the line by then, those are taken back, the
// latest first, without which nothing fits either. What remains cannot be spared, one by one. Cost of a
// reason: a scan of the line and a forward pass for every candidate removed.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "cdcl/order_model.hpp"
#include "cdcl/trail.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "line/settler.hpp"

namespace nonocsp {

class LineReasons {
  public:
    // `clues` and `model` must outlive it.
    LineReasons(const PuzzleClues& clues, const OrderModel& model, const Board& root);

    const Board& board() const { return board_; }

    // A literal has become true, or open again.
    void apply(Lit lit);
    void undo(Lit lit);

    bool is_dirty() const { return !dirty_.empty(); }
    void forget_dirty() { dirty_.clear(); }

    // Settles the next dirty line; calls implied(lit, line number) for each candidate that it removes, which
    // is to be applied at once. Returns false if no placement fits; `line()` says where.
    template <class Implied>
    bool settle_next(Implied implied);
    std::size_t line() const { return number_(settling_); }

    // Calls visit(lit) for literals, false now, of which one has to be true if `implied` is not, or, without
    // it, if the line is to fit at all.
    template <class Visit>
    void explain(std::size_t line, std::optional<Lit> implied, const Trail& trail, Visit visit);

    std::int64_t settles() const { return settles_; }

  private:
    struct Removed {
        std::int32_t place;  // on the trail
        std::size_t bit;     // of the line: plane * words * 64 + position
        Lit lit;
    };

    std::size_t cell(LineId id, std::size_t position) const {
        const Cell cell = cell_of(id, position);
        return cell.row * columns_ + cell.column;
    }
    bool fits(LineId id) { return settlers_[index(id.axis)]->feasible(clues_[id], line_of(id)); }
    std::span<const Word> line_of(LineId id) const { return std::span(line_).first(board_.line(id).size()); }
    void flip(std::size_t bit) { line_[bit / kWordBits] ^= Word{1} << bit % kWordBits; }

    // Reads the line as it was before a place on the trail, and lists what had been removed by then, the
    // latest first.
    void read_back(LineId id, std::int32_t before, const Trail& trail);
    // Leaves a cell of the line only the colour that the literal would remove.
    void refute(LineId id, Lit implied);

    const PuzzleClues& clues_;
    const OrderModel& model_;
    Board board_;
    LineNumbers number_;
    std::size_t columns_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    DirtyLines dirty_;
    LineId settling_{Axis::kRow, 0};
    bool is_settling_ = false;
    std::vector<Word> settled_, line_;
    std::vector<Removed> removed_;
    std::int64_t settles_ = 0;
};

template <class Implied>
bool LineReasons::settle_next(Implied implied) {
    settling_ = dirty_.pop();
    const std::span<const Word> line = board_.line(settling_);
    const std::span<Word> settled(settled_.data(), line.size());
    ++settles_;
    if (!settlers_[index(settling_.axis)]->settle(clues_[settling_], line, settled)) return false;
    const std::size_t words = words_for(board_.length(settling_.axis));
    is_settling_ = true;
    for (std::size_t colour = 0, i = 0; colour < board_.colours(); ++colour)
        for (std::size_t word = 0; word < words; ++word, ++i)
            for_each_cell(line[i] & ~settled[i], word * kWordBits, [&](std::size_t position) {
                implied(model_.remover(cell(settling_, position), colour), number_(settling_));
            });
    is_settling_ = false;
    return true;
}

template <class Visit>
void LineReasons::explain(std::size_t line, std::optional<Lit> implied, const Trail& trail, Visit visit) {
    const LineId id = number_.line(line);
    read_back(id, implied ? trail.place(variable_of(*implied)) : INT32_MAX, trail);
    if (implied) refute(id, *implied);
    for (const Removed& removed : removed_) {
        flip(removed.bit);
        if (!fits(id)) continue;
        flip(removed.bit);
        visit(negation(removed.lit));
    }
}

}  // namespace nonocsp
