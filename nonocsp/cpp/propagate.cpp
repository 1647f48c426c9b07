#include "propagate.hpp"

#include <algorithm>
#include <stdexcept>

namespace nonocsp {
namespace {

constexpr std::size_t index(Axis axis) { return static_cast<std::size_t>(axis); }

// First in, first out; holds a line at most once, as its owner checks.
class LineQueue {
  public:
    explicit LineQueue(std::size_t capacity) : ring_(capacity) {}

    bool empty() const { return count_ == 0; }

    void push(LineId id) { ring_[(first_ + count_++) % ring_.size()] = id; }

    LineId pop() {
        const LineId id = ring_[first_];
        first_ = (first_ + 1) % ring_.size();
        --count_;
        return id;
    }

  private:
    std::vector<LineId> ring_;
    std::size_t first_ = 0, count_ = 0;
};

std::size_t line_count(const FlatClues& flat) { return std::max<std::size_t>(flat.offsets.size(), 1) - 1; }

}  // namespace

PuzzleClues::PuzzleClues(const FlatClues& row_clues, const FlatClues& column_clues, std::size_t colour_count)
    : rows(line_count(column_clues), row_clues),
      columns(line_count(row_clues), column_clues),
      colours(colour_count) {
    for (const FlatClues* flat : {&row_clues, &column_clues})
        for (const std::int32_t colour : flat->colours)
            if (static_cast<std::size_t>(colour) >= colours)
                throw std::invalid_argument("a block's colour is unknown");
}

Propagator::Propagator(const PuzzleClues& clues, Board& board)
    : clues_(clues),
      board_(board),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      dirty_{std::vector<std::uint8_t>(clues.rows.size(), 1),
             std::vector<std::uint8_t>(clues.columns.size(), 1)},
      settled_(std::max(board.line({Axis::kRow, 0}).size(), board.line({Axis::kColumn, 0}).size())) {}

template <class Changed>
bool Propagator::settle(LineId id, const StopFlag* stop, Fixpoint& result, Changed changed) {
    if (stop != nullptr && stop->is_set()) {
        result.interrupted = true;
        return false;
    }
    dirty_[index(id.axis)][id.position] = 0;
    const std::span<const Word> line = board_.line(id);
    const std::span<Word> settled = std::span(settled_).first(line.size());
    ++result.settles;
    if (!settlers_[index(id.axis)]->settle(clues_.of(id.axis)[id.position], line, settled)) {
        result.contradiction = id;
        return false;
    }
    board_.narrow(id, settled, changed);
    return true;
}

Fixpoint Propagator::by_queue(const StopFlag* stop) {
    Fixpoint result;
    LineQueue queue(clues_.rows.size() + clues_.columns.size());
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (std::size_t i = 0; i < board_.lines(axis); ++i) queue.push({axis, i});
    while (!queue.empty()) {
        const LineId id = queue.pop();
        const Axis other = crossing(id.axis);
        const bool go_on = settle(id, stop, result, [&](std::size_t position) {
            std::uint8_t& dirty = dirty_[index(other)][position];
            if (dirty == 0) queue.push({other, position});
            dirty = 1;
        });
        if (!go_on) break;
    }
    return result;
}

Fixpoint Propagator::by_sweeps(const StopFlag* stop) {
    Fixpoint result;
    Axis axis = Axis::kRow;
    const auto any_dirty = [&] {
        return std::ranges::find(dirty_[index(axis)], 1) != dirty_[index(axis)].end();
    };
    for (std::int64_t sweep = 1; any_dirty(); ++sweep, axis = crossing(axis)) {
        for (std::size_t i = 0; i < board_.lines(axis); ++i) {
            if (dirty_[index(axis)][i] == 0) continue;
            const bool go_on = settle({axis, i}, stop, result, [&](std::size_t position) {
                dirty_[index(crossing(axis))][position] = 1;
                result.sweeps = sweep;
            });
            if (!go_on) return result;
        }
    }
    return result;
}

Fixpoint Propagator::sweep(Axis axis, const StopFlag* stop) {
    Fixpoint result;
    for (std::size_t i = 0; i < board_.lines(axis); ++i)
        if (!settle({axis, i}, stop, result, [](std::size_t) {})) break;
    return result;
}

}  // namespace nonocsp
