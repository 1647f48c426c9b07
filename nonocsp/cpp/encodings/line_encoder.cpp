#include "encodings/line_encoder.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>

#include "grid/board.hpp"

namespace nonocsp {
namespace {

bool is_decided(const EncodedLine& line, std::span<const Word> candidates) {
    for (std::int32_t position = 0; position < line.cells; ++position)
        if (!std::has_single_bit(candidates[line.cell(position)])) return false;
    return true;
}

}  // namespace

void CellSupports::assign(std::int32_t cells) {
    supports_.resize(static_cast<std::size_t>(cells));
    for (std::vector<Support>& supports : supports_) supports.clear();
}

void CellSupports::add_clauses(const EncodedLine& line, std::uint32_t first_colour,
                               const CellVariables& cells, Clauses& clauses) {
    for (std::int32_t position = 0; position < line.cells; ++position) {
        const std::size_t cell = line.cell(position);
        const std::vector<Support>& supports = supports_[static_cast<std::size_t>(position)];
        assert(std::ranges::all_of(supports, [&](const Support& s) { return s.colour >= first_colour; }));
        for (const Support& support : supports)
            clauses.add({-support.literal, cells.has_colour(cell, support.colour)});
        for (Word colours = cells.candidates(cell) >> first_colour << first_colour; colours != 0;
             colours &= colours - 1) {
            const auto colour = static_cast<std::uint32_t>(std::countr_zero(colours));
            clause_.assign(1, -cells.has_colour(cell, colour));
            for (const Support& support : supports)
                if (support.colour == colour) clause_.push_back(support.literal);
            clauses.add(clause_);
        }
    }
}

void add_open_lines(LineEncoder& encoder, const PuzzleClues& clues, std::span<const Word> candidates) {
    const Board board = grid_of<Board>(clues, candidates);
    StartLists starts;
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        const auto settler = make_settler(board.length(axis));
        const std::size_t next_line = axis == Axis::kRow ? board.lines(Axis::kColumn) : 1;
        const std::size_t next_cell = axis == Axis::kRow ? 1 : board.lines(Axis::kColumn);
        for (std::size_t position = 0; position < board.lines(axis); ++position) {
            const LineId id{axis, position};
            const EncodedLine line{id, clues[id].blocks, position * next_line, next_cell,
                                   static_cast<std::int32_t>(board.length(axis))};
            const BlockStarts* found = starts.find(clues[id], board.line(id), *settler);
            if (found == nullptr) throw std::invalid_argument("a line fits no placement of its clue");
            assert(found->size() == line.blocks());
            if (!is_decided(line, candidates)) encoder.add_line(line, *found);
        }
    }
}

}  // namespace nonocsp
