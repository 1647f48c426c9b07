// The automaton encoding of a puzzle: a line is a word of the regular language of its clue (Pesant 2004), and
// clauses say which states of the automaton may follow each other (Quimper & Walsh 2006; Bacchus, GAC via
// unit propagation, 2007). A state is a gap or a cell of a block. Each state is entered by one colour only,
// so no transition needs a variable. The cells of a block follow one another, so one variable stands for all
// of their states: the start of the block.
//
// A state implies a state before it, one after it, and its cell's colour; a colour implies one of its states.
// The layers of states form a chain, so unit propagation settles a line completely; the automaton is
// deterministic, so the cells decide the states. Cost: linear in the clauses and in blocks times cells.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "encodings/line_encoder.hpp"

namespace nonocsp {
namespace {

// The literals of the states of one kind (gap or start), by number and cell; false if a state cannot occur.
class StateTable {
  public:
    void assign(std::size_t count, std::int32_t cells) {
        width_ = static_cast<std::size_t>(cells + 2);
        literals_.assign(count * width_, kFalse);
    }
    void set(std::size_t j, std::int32_t cell, Literal literal) { literals_[index(j, cell)] = literal; }
    Literal operator()(std::size_t j, std::int32_t cell) const {
        return cell < -1 ? kFalse : literals_[index(j, cell)];
    }

  private:
    std::size_t index(std::size_t j, std::int32_t cell) const {
        assert(-1 <= cell && static_cast<std::size_t>(cell + 1) < width_ && j * width_ < literals_.size());
        return j * width_ + static_cast<std::size_t>(cell + 1);
    }

    std::size_t width_ = 0;
    std::vector<Literal> literals_;  // [number][1 + cell], cells from -1 to the line's length
};

class AutomatonEncoder final : public LineEncoder {
  public:
    using LineEncoder::LineEncoder;

    void add_line(const EncodedLine& line, const BlockStarts& starts) override {
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

  private:
    void number_starts(const EncodedLine& line, const BlockStarts& starts) {
        starts_.assign(line.blocks() + 1, line.cells);  // with one that never starts, after the last
        for (std::size_t j = 0; j < starts.size(); ++j)
            for (const std::int32_t start : starts[j])
                starts_.set(j, start, starts[j].size() == 1 ? kTrue : clauses_.fresh_variable());
    }

    // A cell may lie in the gap if background reaches it from the block before, and the block after from it.
    // It does for certain if the block before has ended and the block after has not begun.
    void number_gap(const EncodedLine& line, const BlockStarts& starts, std::size_t j) {
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
    Literal ends_before(const EncodedLine& line, std::size_t j, std::int32_t cell) const {
        return j == 0 ? kFalse : starts_(j - 1, cell - line.length(j - 1));
    }

    void add_start(const EncodedLine& line, std::size_t j, std::int32_t start) {
        const Literal state = starts_(j, start);
        const std::int32_t end = start + line.length(j);
        clauses_.add({-state, gaps_(j, start - 1), line.touches(j) ? ends_before(line, j, start) : kFalse});
        clauses_.add({-state, gaps_(j + 1, end), line.touches(j + 1) ? starts_(j + 1, end) : kFalse});
        for (std::int32_t cell = start; cell < end; ++cell) supports_.add(cell, line.colour(j), state);
    }

    void add_gap(const EncodedLine& line, std::size_t j, std::int32_t cell) {
        const Literal state = gaps_(j, cell);
        clauses_.add({-state, gaps_(j, cell - 1), ends_before(line, j, cell)});
        clauses_.add({-state, gaps_(j, cell + 1), starts_(j, cell + 1)});
        supports_.add(cell, 0, state);
    }

    StateTable starts_;  // block j starts at the cell
    StateTable gaps_;    // the cell lies in gap j, before block j; the outer gaps reach outside the line
    CellSupports supports_;
};

}  // namespace

Encoding encode_automaton(const PuzzleClues& clues, std::span<const Word> candidates) {
    return encode_by<AutomatonEncoder>(clues, candidates);
}

}  // namespace nonocsp
