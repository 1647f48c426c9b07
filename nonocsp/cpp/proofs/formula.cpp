#include "proofs/formula.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/watch.hpp"
#include "proofs/proof_log.hpp"

namespace nonocsp {
namespace {

constexpr std::size_t kMostClauses = 1'000'000;
constexpr Literal kTrue = INT32_MAX;  // no variable has this number; -kTrue is false

class FormulaWriter {
  public:
    explicit FormulaWriter(const PuzzleClues& clues) : clues_(clues) { numbers_.begin(clues); }

    void add_cells() {
        const std::size_t colours = clues_.colours;
        if (colours == 2) return;
        for (std::size_t row = 0; row < clues_.rows.size(); ++row)
            for (std::size_t column = 0; column < clues_.columns.size(); ++column) {
                std::vector<Literal> cell;
                for (std::size_t colour = 0; colour < colours; ++colour)
                    cell.push_back(has({row, column}, colour));
                add(cell);
                for (std::size_t i = 0; i < colours; ++i)
                    for (std::size_t j = i + 1; j < colours; ++j) add(std::array{-cell[i], -cell[j]});
            }
    }

    void add_line(LineId id) {
        const Clue& clue = clues_[id];
        for (std::size_t j = 0; j < clue.blocks.size(); ++j) add_block(id, j);
        for (std::size_t next = 0; next <= clue.blocks.size(); ++next) {  // the gap before this block
            const std::size_t first = next > 0 ? clue.blocks[next - 1].earliest_last + std::size_t{1} : 0;
            const bool is_last = next == clue.blocks.size();
            const std::size_t end = is_last ? clue.length : clue.blocks[next].earliest + clue.slack;
            for (std::size_t at = first; at < end; ++at)
                add(std::array{-ended_before(id, next, at), started(id, next, at), has(cell_of(id, at), 0)});
        }
    }

    void exclude(std::span<const std::uint8_t> solution) {
        std::vector<Literal> clause;
        for (std::size_t i = 0; i < solution.size(); ++i)
            if (solution[i] != 0)
                clause.push_back(-has({i / clues_.columns.size(), i % clues_.columns.size()}, solution[i]));
        add(clause);
    }

    std::string text() {
        const Literal variables = numbers_.fresh_variable() - 1;
        return "p cnf " + std::to_string(variables) + " " + std::to_string(count_) + "\n" + text_;
    }

  private:
    void add_block(LineId id, std::size_t j) {
        const Clue& clue = clues_[id];
        const Block& block = clue.blocks[j];
        const std::size_t end = block.earliest + clue.slack;
        const std::size_t gap =
            j > 0 ? block.earliest - clue.blocks[j - 1].earliest_last - std::size_t{1} : 0;
        for (std::size_t at = block.earliest; at < end; ++at) {
            add(std::array{-started(id, j, at), started(id, j, at + 1)});
            if (j > 0) add(std::array{-started(id, j, at), ended_before(id, j, at - gap)});
        }
        for (std::size_t at = block.earliest; at < end + block.length(); ++at)
            add(std::array{-started(id, j, at), ended_before(id, j + 1, at),
                           has(cell_of(id, at), block.colour)});
    }

    Literal has(Cell cell, std::size_t colour) const { return -numbers_.removes(cell, colour); }

    // "The block starts at a cell or before"; one behind the last block never does.
    Literal started(LineId id, std::size_t j, std::size_t at) const {
        const Clue& clue = clues_[id];
        if (j == clue.blocks.size() || at < clue.blocks[j].earliest) return -kTrue;
        return at < clue.blocks[j].earliest + clue.slack ? numbers_.started(id, j, at) : kTrue;
    }

    // "The block before this one ends before a cell"; always, if there is none.
    Literal ended_before(LineId id, std::size_t next, std::size_t at) const {
        if (next == 0) return kTrue;
        const std::size_t length = clues_[id].blocks[next - 1].length();
        return at < length ? -kTrue : started(id, next - 1, at - length);
    }

    void add(std::span<const Literal> clause) {
        if (std::ranges::find(clause, kTrue) != clause.end()) return;
        for (const Literal literal : clause)
            if (literal != -kTrue) text_ += std::to_string(literal) + " ";
        text_ += "0\n";
        if (++count_ > kMostClauses)
            throw Unsupported("too large for a certificate, whose formula has up to " +
                              std::to_string(kMostClauses) + " clauses");
    }

    const PuzzleClues& clues_;
    ProofLog numbers_{0};
    std::string text_;
    std::size_t count_ = 0;
};

}  // namespace

std::string formula_without(const PuzzleClues& clues, std::span<const std::uint8_t> solution) {
    FormulaWriter formula(clues);
    formula.add_cells();
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (std::size_t i = 0; i < clues.of(axis).size(); ++i) formula.add_line({axis, i});
    formula.exclude(solution);
    return formula.text();
}

}  // namespace nonocsp
