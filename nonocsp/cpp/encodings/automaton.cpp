#include "encodings/automaton.hpp"

namespace nonocsp {

void StateTable::assign(std::size_t count, std::int32_t cells) {
    width_ = static_cast<std::size_t>(cells + 2);
    literals_.assign(count * width_, kFalse);
}

void AutomatonEncoder::add_line(const EncodedLine& line, const BlockStarts& starts) {
    supports_.assign(line.cells);
    number_starts(line, starts);
    gaps_.assign(line.blocks() + 1, line.cells);
    gaps_.set(0, -1, kTrue);
    gaps_.set(line.blocks(), line.cells, kTrue);
    for (std::size_t j = 0; j <= line.blocks(); ++j) number_gap(line, starts, j);
    for (std::size_t j = 0; j <= line.blocks(); ++j) {
        for (std::int32_t cell = 0; cell < line.cells; ++cell)
            if (gaps_(j, cell) != kFalse) add_gap(line, j, cell);
        if (j < line.blocks())
            for (const std::int32_t start : starts[j]) add_start(line, j, start);
    }
    supports_.add_clauses(line, 0, cells_, clauses_);
}

void AutomatonEncoder::number_starts(const EncodedLine& line, const BlockStarts& starts) {
    starts_.assign(line.blocks() + 1, line.cells);  // with one that never starts, after the last
    for (std::size_t j = 0; j < starts.size(); ++j)
        for (const std::int32_t start : starts[j])
            starts_.set(j, start, starts[j].size() == 1 ? kTrue : clauses_.fresh_variable());
}

// A cell may lie in the gap if background reaches it from the block before, and the block after from it. It
// does for certain if the block before has ended and the block after has not begun.
void AutomatonEncoder::number_gap(const EncodedLine& line, const BlockStarts& starts, std::size_t j) {
    for (std::int32_t cell = 0; cell < line.cells; ++cell) {
        const bool reached = gaps_(j, cell - 1) != kFalse || ends_before(line, j, cell) != kFalse;
        if (reached && cells_.has_colour(line.cell(cell), 0) != kFalse) gaps_.set(j, cell, kTrue);
    }
    const std::int32_t ended = j == 0 ? 0 : starts[j - 1].back() + line.length(j - 1);
    const std::int32_t begun = j == line.blocks() ? line.cells : starts[j].front();
    for (std::int32_t cell = line.cells; cell-- > 0;) {
        if (gaps_(j, cell) == kFalse || (ended <= cell && cell < begun)) continue;
        const bool leads_on = gaps_(j, cell + 1) != kFalse || starts_(j, cell + 1) != kFalse;
        gaps_.set(j, cell, leads_on ? clauses_.fresh_variable() : kFalse);
    }
}

// The literal: the block before gap j, or before block j, ends just before a cell.
Literal AutomatonEncoder::ends_before(const EncodedLine& line, std::size_t j, std::int32_t cell) const {
    return j == 0 ? kFalse : starts_(j - 1, cell - line.length(j - 1));
}

void AutomatonEncoder::add_start(const EncodedLine& line, std::size_t j, std::int32_t start) {
    const Literal state = starts_(j, start);
    const std::int32_t end = start + line.length(j);
    clauses_.add({-state, gaps_(j, start - 1), line.touches(j) ? ends_before(line, j, start) : kFalse});
    clauses_.add({-state, gaps_(j + 1, end), line.touches(j + 1) ? starts_(j + 1, end) : kFalse});
    for (std::int32_t cell = start; cell < end; ++cell) supports_.add(cell, line.colour(j), state);
}

void AutomatonEncoder::add_gap(const EncodedLine& line, std::size_t j, std::int32_t cell) {
    const Literal state = gaps_(j, cell);
    clauses_.add({-state, gaps_(j, cell - 1), ends_before(line, j, cell)});
    clauses_.add({-state, gaps_(j, cell + 1), starts_(j, cell + 1)});
    supports_.add(cell, 0, state);
}

}  // namespace nonocsp
