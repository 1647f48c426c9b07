#include "judging/hint.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "line/settler.hpp"

namespace nonocsp {
namespace {

std::vector<Cell> wrong_cells(const Board& grid, const AmbiguitySearch& judged) {
    const std::vector<std::uint8_t>& ambiguous = judged.ambiguous();
    const std::vector<std::uint8_t> solution =
        judged.is_complete() ? judged.reference() : std::vector<std::uint8_t>();
    const std::size_t columns = grid.lines(Axis::kColumn);
    std::vector<Cell> wrong;
    for (std::size_t i = 0; i < ambiguous.size(); ++i) {
        const Cell cell{i / columns, i % columns};
        const Word has = grid.candidates(cell);
        if (!std::has_single_bit(has)) continue;
        const bool is_refuted = (has & judged.known().candidates(cell)) == 0;
        const bool differs = !solution.empty() && ambiguous[i] == 0 && (has & Word{1} << solution[i]) == 0;
        if (is_refuted || differs) wrong.push_back(cell);
    }
    return wrong;
}

}  // namespace

Hint hint(const PuzzleClues& clues, const Board& grid, const AmbiguitySearch& judged) {
    Hint hint;
    hint.wrong = wrong_cells(grid, judged);
    std::vector<std::uint8_t> is_listed(grid.lines(Axis::kRow) * grid.lines(Axis::kColumn));
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        const std::unique_ptr<Settler> settler = make_settler(clues.of(axis).line_length());
        for (std::size_t i = 0; i < grid.lines(axis); ++i) {
            const LineId id{axis, i};
            Board settled = grid;
            std::vector<Word> line(grid.line(id).size());
            if (!settler->settle(clues[id], grid.line(id), line)) {
                hint.broken.push_back(id);
                continue;
            }
            settled.narrow(id, line, [&](std::size_t position) {
                const Cell cell = axis == Axis::kRow ? Cell{i, position} : Cell{position, i};
                const Word left = settled.candidates(cell);
                std::uint8_t& listed = is_listed[cell.row * grid.lines(Axis::kColumn) + cell.column];
                if (!std::has_single_bit(left) || listed != 0) return;
                listed = 1;
                hint.next.push_back({cell, static_cast<std::uint8_t>(std::countr_zero(left)), id});
            });
        }
    }
    return hint;
}

}  // namespace nonocsp
