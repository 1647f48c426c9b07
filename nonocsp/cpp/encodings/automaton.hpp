// The automaton encoding of a puzzle: a line is a word of the regular language of its clue (Pesant 2004), and
// clauses say which states of the automaton may follow each other (Quimper & Walsh 2006; Bacchus, GAC via
// unit propagation, 2007). A state is a gap or a cell of a block. Each state is entered by one colour only,
// so no transition needs a variable. The cells of a block follow one another, so one variable stands for all
// of their states: the start of the block.
//
// A state implies a state before it, one after it, and its cell's colour; a colour implies one of its states.
// The layers of states form a chain, so unit propagation settles a line completely; the automaton is
// deterministic, so the cells decide the states. Cost: linear in the clauses and in blocks times cells.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "encodings/line_encoder.hpp"

namespace nonocsp {

// The literals of the states of one kind (gap or start), by number and cell; false if a state cannot occur.
class StateTable {
  public:
    void assign(std::size_t count, std::int32_t cells);
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
    void add_line(const EncodedLine& line, const BlockStarts& starts) override;

  private:
    void number_starts(const EncodedLine& line, const BlockStarts& starts);
    void number_gap(const EncodedLine& line, const BlockStarts& starts, std::size_t j);
    Literal ends_before(const EncodedLine& line, std::size_t j, std::int32_t cell) const;
    void add_start(const EncodedLine& line, std::size_t j, std::int32_t start);
    void add_gap(const EncodedLine& line, std::size_t j, std::int32_t cell);

    StateTable starts_;  // block j starts at the cell
    StateTable gaps_;    // the cell lies in gap j, before block j; the outer gaps reach outside the line
    CellSupports supports_;
};

inline constexpr Encode& encode_automaton = encode_by<AutomatonEncoder>;

}  // namespace nonocsp
