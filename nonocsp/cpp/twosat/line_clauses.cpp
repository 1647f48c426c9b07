#include "twosat/line_clauses.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "line/planes.hpp"

namespace nonocsp {

CellLiterals::CellLiterals(const Board& board)
    : columns_(board.lines(Axis::kColumn)),
      colours_(board.colours()),
      literals_(board.lines(Axis::kRow) * columns_ * colours_),
      is_two_valued_(board.lines(Axis::kRow) * columns_) {
    const std::vector<Word> cells = candidate_sets(board);
    Clauses unused;
    CellVariables numbered(cells, unused);
    board.for_each_open([&](Cell cell) {
        const Word candidates = cells[at(cell)];
        is_two_valued_[at(cell)] = std::popcount(candidates) == 2;
        for_each_cell(candidates, 0, [&](std::size_t colour) {
            literals_[at(cell) * colours_ + colour] =
                numbered.has_colour(at(cell), static_cast<std::uint32_t>(colour));
        });
    });
    variables_ = numbered.take_list();
    assert(variables_.size() == static_cast<std::size_t>(unused.variables()));
}

Cell CellLiterals::cell(Literal literal) const {
    assert(literal != 0 && static_cast<std::size_t>(std::abs(literal)) <= variables_.size());
    const auto cell =
        static_cast<std::size_t>(variables_[static_cast<std::size_t>(std::abs(literal)) - 1].cell);
    return {cell / columns_, cell % columns_};
}

Word CellLiterals::candidates(Literal literal) const {
    const Word colour = Word{1} << variables_[static_cast<std::size_t>(std::abs(literal)) - 1].colour;
    return literal > 0 ? colour : ~colour;
}

LineClauses::LineClauses(const PuzzleClues& clues, const Board& board)
    : clues_(clues),
      literals_(board),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      entries_{std::vector<Entry>(clues.rows.size() * kEntries),
               std::vector<Entry>(clues.columns.size() * kEntries)} {}

std::span<const BinaryClause> LineClauses::of(const Board& board, LineId id, Watch& watch) {
    const std::span<const Word> line = board.line(id);
    Word hash = 0;
    for (const Word word : line) hash = (hash ^ word ^ hash >> 29) * 0x9e3779b97f4a7c15U;
    Entry& entry = entries_[index(id.axis)][id.position * kEntries + (hash >> 32) % kEntries];
    if (!std::ranges::equal(entry.line, line)) {
        entry.line.clear();  // if derive is interrupted, the entry stands for no line
        derive(id, line, entry.clauses, watch);
        entry.line.assign(line.begin(), line.end());
    }
    return entry.clauses;
}

// Assumes each literal of each open cell in turn.
void LineClauses::derive(LineId id, std::span<const Word> line, std::vector<BinaryClause>& clauses,
                         Watch& watch) {
    clauses.clear();
    const auto try_literal = [&](std::size_t position, Literal literal) {
        watch.check();
        assume(id, line, position, literal);
        append_implied(id, line, literal, clauses);
    };
    for_each_open_candidate(line, words_for(clues_[id].length),
                            [&](std::size_t position, std::size_t colour) {
                                const Cell cell = cell_of(id, position);
                                const Literal has = literals_.has_colour(cell, colour);
                                try_literal(position, has);
                                if (!literals_.is_two_valued(cell)) try_literal(position, -has);
                            });
}

// Settles a line with a literal of one of its cells.
void LineClauses::assume(LineId id, std::span<const Word> line, std::size_t position, Literal literal) {
    const std::size_t words = words_for(clues_[id].length);
    const Word possible = literals_.candidates(literal);
    assumed_.assign(line.begin(), line.end());
    settled_.resize(line.size());
    for (std::size_t colour = 0; colour < line.size() / words; ++colour)
        if ((possible >> colour & 1) == 0)
            assumed_[colour * words + position / kWordBits] &= ~(Word{1} << position % kWordBits);
    ++settles_;
    [[maybe_unused]] const bool fits = settlers_[index(id.axis)]->settle(clues_[id], assumed_, settled_);
    assert(fits);  // every candidate of a settled line is in a placement
}

// Appends the implications of the assumed literal as clauses: the candidates that vanished, and the cells
// with a single one left. Each clause comes up from both of its literals, and is taken from one.
void LineClauses::append_implied(LineId id, std::span<const Word> line, Literal assumed,
                                 std::vector<BinaryClause>& clauses) const {
    const std::size_t words = words_for(clues_[id].length);
    const Cell cell_assumed = literals_.cell(assumed);
    const std::size_t own = id.axis == Axis::kRow ? cell_assumed.column : cell_assumed.row;
    assert(is_subset(settled_, line));
    const auto append = [&](std::size_t position, Literal implied) {
        const bool counts = position != own || (id.axis == Axis::kRow && implied != assumed);
        if (counts && -assumed < implied) clauses.push_back({-assumed, implied});
    };
    for (std::size_t word = 0; word < words; ++word) {
        const Word fixed = open_cells(line, words, word) & ~open_cells(settled_, words, word);
        for (std::size_t colour = 0; colour < line.size() / words; ++colour) {
            const Word possible = settled_[colour * words + word];
            for_each_cell(line[colour * words + word] & ~possible, word * kWordBits,
                          [&](std::size_t y) { append(y, -literals_.has_colour(cell_of(id, y), colour)); });
            for_each_cell(fixed & possible, word * kWordBits, [&](std::size_t y) {
                const Cell cell = cell_of(id, y);
                if (!literals_.is_two_valued(cell)) append(y, literals_.has_colour(cell, colour));
            });
        }
    }
}

}  // namespace nonocsp
