#include "proofs/proof_log.hpp"

#include <cassert>

#include "base/watch.hpp"

namespace nonocsp {

void ProofLog::begin(const PuzzleClues& clues) {
    clues_ = &clues;
    bytes_.clear();
    is_complete_ = false;
    const std::size_t of_cell = clues.colours > 2 ? clues.colours : clues.colours - 1;
    variables_ = static_cast<Literal>(clues.rows.size() * clues.columns.size() * of_cell);
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        std::vector<Literal>& firsts = first_starts_[index(axis)];
        firsts.clear();
        for (std::size_t i = 0; i < clues.of(axis).size(); ++i) {
            const Clue& clue = clues.of(axis)[i];
            firsts.push_back(variables_);
            variables_ += static_cast<Literal>(clue.blocks.size() * clue.slack);
        }
    }
}

Literal ProofLog::removes(Cell cell, std::size_t colour) const {
    const std::size_t number = cell.row * clues_->columns.size() + cell.column;
    if (clues_->colours > 2) return -static_cast<Literal>(number * clues_->colours + colour + 1);
    const auto black = static_cast<Literal>(number + 1);
    return colour == 0 ? black : -black;
}

Literal ProofLog::started(LineId line, std::size_t block, std::size_t position) const {
    const Clue& clue = (*clues_)[line];
    const std::size_t from_earliest = position - clue.blocks[block].earliest;
    assert(position >= clue.blocks[block].earliest && from_earliest < clue.slack);
    return first_starts_[index(line.axis)][line.position] +
           static_cast<Literal>(block * clue.slack + from_earliest + 1);
}

void ProofLog::write(char kind, std::span<const Literal> clause) {
    if (is_complete_) return;
    bytes_.push_back(kind);
    for (const Literal literal : clause) {
        auto code = 2 * static_cast<std::uint32_t>(literal < 0 ? -literal : literal) + (literal < 0);
        for (; code > 127; code >>= 7) bytes_.push_back(static_cast<char>(code | 128));
        bytes_.push_back(static_cast<char>(code));
    }
    bytes_.push_back(0);
    is_complete_ = clause.empty();
    check_size(bytes_.size());
}

void ProofLog::check_size(std::size_t bytes) const {
    if (bytes > most_bytes_)
        throw Unsupported("the proof, or what it is made from, has more than " + std::to_string(most_bytes_) +
                          " bytes");
}

}  // namespace nonocsp
