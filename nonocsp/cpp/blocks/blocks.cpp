#include "blocks/blocks.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "line/planes.hpp"

namespace nonocsp {
namespace {

// Adds the cells of a placement from a block on to the planes of a line.
void add_runs(const Placements& placement, std::size_t block, std::size_t words, std::vector<Word>& planes) {
    placement.for_each_run(block, [&](std::size_t colour, std::size_t first, std::size_t end) {
        add_cells(&planes[colour * words], first, end);
    });
}

}  // namespace

BlockForcing::BlockForcing(const PuzzleClues& clues, Axis first)
    : clues_(clues),
      first_(first),
      due_{std::vector<std::uint8_t>(clues.rows.size(), 1),
           std::vector<std::uint8_t>(clues.columns.size(), 1)} {}

void BlockForcing::force(Board& board, LineId id, const Placements& placement) {
    used_.assign(board.line(id).size(), 0);
    add_runs(placement, 0, words_for(clues_[id].length), used_);
    narrow(board, id);
}

bool BlockForcing::to_fixpoint(Board& board, Watch& watch) {
    for (Axis axis = first_; any_due(); axis = crossing(axis)) {
        if (sweep(board, axis, watch)) continue;
        for (auto& due : due_) std::ranges::fill(due, std::uint8_t{0});
        return false;
    }
    assert(board.planes_agree());
    return true;
}

bool BlockForcing::any_due() const {
    return std::ranges::any_of(due_, [](const auto& due) { return std::ranges::find(due, 1) != due.end(); });
}

bool BlockForcing::sweep(Board& board, Axis axis, Watch& watch) {
    auto& due = due_[index(axis)];
    for (std::size_t i = 0; i < due.size(); ++i)
        if (std::exchange(due[i], std::uint8_t{0}) != 0 && !visit(board, {axis, i}, watch)) return false;
    return true;
}

// Forces what the placements of a line share; false if there are none.
bool BlockForcing::visit(Board& board, LineId id, Watch& watch) {
    watch.check();
    ++lines_;
    const std::span<const Word> line = board.line(id);
    Placements placements(clues_[id], line);
    if (placements.count() == 0) return false;
    used_.assign(line.size(), 0);
    while (!std::ranges::equal(used_, line) && placements.next()) {
        watch.check();
        ++placements_;
        add_runs(placements, placements.moved(), words_for(clues_[id].length), used_);
        assert(is_subset(used_, line));
    }
    assert(has_candidates(used_, clues_[id].length));  // a placement colours every cell
    narrow(board, id);
    return true;
}

void BlockForcing::narrow(Board& board, LineId id) {
    board.narrow(id, used_, [&](std::size_t position) { due_[index(crossing(id.axis))][position] = 1; });
}

}  // namespace nonocsp
