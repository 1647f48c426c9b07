#include "proofs/board_proof.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nonocsp {

BoardProof::BoardProof(const PuzzleClues& clues, ProofLog& log)
    : clues_(clues),
      log_(log),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      caches_{SettleCache(clues.rows.size(), clues.colours * words_for(clues.rows.line_length())),
              SettleCache(clues.columns.size(), clues.colours * words_for(clues.columns.line_length()))},
      dirty_(clues.rows.size(), clues.columns.size()) {}

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
        suppose(board, cell, colour, watch, &after);
        clause_.pop_back();
    });
    board.for_each_candidate_beyond(
        after, [&](Cell other, std::size_t colour) { derive(log_.removes(other, colour)); });
    chain_.erase_from(log_);
}

void BoardProof::suppose(Board board, Cell cell, std::size_t colour, Watch& watch, const Board* after) {
    board.narrow_cell(cell, Word{1} << colour);
    touch(cell);
    clause_.push_back(log_.removes(cell, colour));
    const bool failed = !propagate(board, watch);
    if (failed || after != nullptr) trim(failed ? nullptr : after);
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
        const auto settle = [&](std::span<Word> out) {
            return settlers_[index(id.axis)]->settle(clues_[id], line, out);
        };
        const Word* settled = caches_[index(id.axis)].find(id.position, line, settle);
        if (settled == nullptr) {
            dirty_.clear();
            failed_ = id;
            return false;
        }
        if (std::ranges::equal(line, std::span(settled, line.size()))) continue;
        find_obvious(id, line);
        const std::size_t words = line.size() / clues_.colours;
        for (std::size_t i = 0; i < line.size(); ++i)
            for_each_cell(line[i] & ~settled[i], i % words * kWordBits, [&](std::size_t position) {
                const Cell cell = cell_of(id, position);
                board.remove(cell, i / words);
                removed_.push_back({cell, i / words, id, contains(obvious_.data(), position)});
                dirty_.push({crossing(id.axis), position});
            });
    }
    return true;
}

void BoardProof::find_obvious(LineId id, std::span<const Word> line) {
    const Clue& clue = clues_[id];
    const std::size_t words = words_for(clue.slack + 1);
    offsets_.resize(clue.blocks.size() * words);
    obvious_.assign(words_for(clue.length), 0);
    [[maybe_unused]] const bool fits = settlers_[index(id.axis)]->offsets(clue, line, offsets_);
    assert(fits);
    std::size_t end = 0;  // of the block before, where it starts last
    for (std::size_t i = 0; i < clue.blocks.size(); ++i) {
        const std::size_t length = clue.blocks[i].length();
        std::size_t least = clue.slack, most = 0;
        for (std::size_t word = 0; word < words; ++word) {
            const Word offsets = offsets_[i * words + word];
            if (offsets == 0) continue;
            most = word * kWordBits + static_cast<std::size_t>(std::bit_width(offsets)) - 1;
            least = std::min(least, word * kWordBits + static_cast<std::size_t>(std::countr_zero(offsets)));
        }
        const std::size_t first = clue.blocks[i].earliest + least, last = clue.blocks[i].earliest + most;
        add_cells(obvious_.data(), end, first);
        add_cells(obvious_.data(), last, first + length);
        end = last + length;
    }
    add_cells(obvious_.data(), end, clue.length);
}

// Backwards: a line is needed from the place on where it was settled to some purpose, and then all that had
// been removed from it before.
void BoardProof::trim(const Board* after) {
    std::array<std::vector<bool>, 2> needed{std::vector<bool>(clues_.rows.size()),
                                            std::vector<bool>(clues_.columns.size())};
    const auto is_needed = [&](LineId id) { return needed[index(id.axis)][id.position]; };
    if (after == nullptr) needed[index(failed_.axis)][failed_.position] = true;
    std::vector<Removed> kept;
    for (std::size_t i = removed_.size(); i-- > 0;) {
        Removed& removed = removed_[i];
        const auto [row, column] = removed.cell;
        const bool is_sought =
            after != nullptr && (after->candidates(removed.cell) >> removed.colour & 1) == 0;
        if (!is_sought && !is_needed({Axis::kRow, row}) && !is_needed({Axis::kColumn, column})) continue;
        removed.is_obvious = removed.is_obvious && !is_sought;  // a lemma says it for each candidate
        kept.push_back(removed);
        needed[index(removed.by.axis)][removed.by.position] = true;
    }
    removed_.assign(kept.rbegin(), kept.rend());
}

void BoardProof::derive_all() {
    for (const Removed& removed : removed_)
        if (!removed.is_obvious) derive(log_.removes(removed.cell, removed.colour));
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
