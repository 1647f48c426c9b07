#include "proofs/board_proof.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nonocsp {

BoardProof::BoardProof(const PuzzleClues& clues, ProofLog& log)
    : clues_(clues),
      log_(log),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      dirty_(clues.rows.size(), clues.columns.size()),
      settled_(clues.colours * words_for(std::max(clues.rows.line_length(), clues.columns.line_length()))) {}

Literal BoardProof::denies(const Narrowing& branch) const {
    assert(std::has_single_bit(branch.candidates));
    return log_.removes(branch.cell, static_cast<std::size_t>(std::countr_zero(branch.candidates)));
}

void BoardProof::settle_all(Watch& watch) {
    Board board(clues_.rows.size(), clues_.columns.size(), clues_.colours);
    dirty_.push_all();
    propagate(board, watch);
    derive_all();
}

void BoardProof::settle(Board board, Cell cell, Watch& watch) {
    touch(cell);
    propagate(board, watch);
    derive_all();
}

void BoardProof::refute(const Board& board, Cell cell, std::size_t colour, Watch& watch) {
    suppose(board, cell, colour, watch);
    keep();
    chain_.erase_from(log_);
    clause_.pop_back();
}

void BoardProof::adopt(const Board& before, const Board& after, Cell cell, Word left, Watch& watch) {
    Board board = before;
    if (left != before.candidates(cell)) {
        board.narrow_cell(cell, left);
        touch(cell);
        propagate(board, watch);
        derive_all();
    }
    if (board.candidate_count() == after.candidate_count()) return;
    for_each_cell(left, 0, [&](std::size_t colour) {
        suppose(board, cell, colour, watch);
        clause_.pop_back();
    });
    board.for_each_candidate_beyond(
        after, [&](Cell other, std::size_t colour) { derive(log_.removes(other, colour)); });
    chain_.erase_from(log_);
}

void BoardProof::suppose(Board board, Cell cell, std::size_t colour, Watch& watch) {
    board.narrow_cell(cell, Word{1} << colour);
    touch(cell);
    clause_.push_back(log_.removes(cell, colour));
    if (!propagate(board, watch)) trim();
    is_chained_ = true;
    derive_all();
    is_chained_ = false;
}

bool BoardProof::propagate(Board& board, Watch& watch) {
    removed_.clear();
    while (!dirty_.empty()) {
        watch.check();
        const LineId id = dirty_.pop();
        const std::span<const Word> line = board.line(id);
        const std::span<Word> settled(settled_.data(), line.size());
        if (!settlers_[index(id.axis)]->settle(clues_[id], line, settled)) {
            dirty_.clear();
            failed_ = id;
            return false;
        }
        const std::size_t words = line.size() / clues_.colours;
        for (std::size_t i = 0; i < line.size(); ++i)
            for_each_cell(line[i] & ~settled[i], i % words * kWordBits, [&](std::size_t position) {
                const Cell cell = cell_of(id, position);
                board.remove(cell, i / words);
                removed_.push_back({cell, i / words, id});
                dirty_.push({crossing(id.axis), position});
            });
    }
    return true;
}

// Backwards: a line is needed from the place on where it was settled to some purpose, and then all that had
// been removed from it before.
void BoardProof::trim() {
    std::array<std::vector<bool>, 2> needed{std::vector<bool>(clues_.rows.size()),
                                            std::vector<bool>(clues_.columns.size())};
    const auto is_needed = [&](LineId id) { return needed[index(id.axis)][id.position]; };
    needed[index(failed_.axis)][failed_.position] = true;
    std::vector<Removed> kept;
    for (std::size_t i = removed_.size(); i-- > 0;) {
        const auto& [cell, colour, by] = removed_[i];
        if (!is_needed({Axis::kRow, cell.row}) && !is_needed({Axis::kColumn, cell.column})) continue;
        kept.push_back(removed_[i]);
        needed[index(by.axis)][by.position] = true;
    }
    removed_.assign(kept.rbegin(), kept.rend());
}

void BoardProof::derive_all() {
    for (const auto& [cell, colour, by] : removed_) derive(log_.removes(cell, colour));
}

void BoardProof::touch(Cell cell) {
    dirty_.push({Axis::kRow, cell.row});
    dirty_.push({Axis::kColumn, cell.column});
}

void BoardProof::derive(Literal literal) {
    clause_.push_back(literal);
    keep();
    clause_.pop_back();
}

void BoardProof::keep() {
    log_.add(clause_);
    if (!is_chained_ && clause_.size() < 2) return;  // units stay
    (is_chained_ ? chain_ : branches_).add(clause_);
}

}  // namespace nonocsp
