#include "cdcl/model.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

#include "encodings/encoding.hpp"

namespace nonocsp {
namespace {

Lit from_dimacs(Literal literal) { return literal_of((literal < 0 ? -literal : literal) - 1, literal > 0); }

Encoding encode_open(const PuzzleClues& clues, const Board& root, Variables variables) {
    std::vector<Word> candidates(root.lines(Axis::kRow) * root.lines(Axis::kColumn));
    root.write(candidates);
    if (variables == Variables::kCellsAndStarts) return encode_order(clues, candidates);
    Encoding encoding;
    encoding.cells = CellVariables(candidates, encoding.clauses).take_list();
    return encoding;
}

// Calls visit(clause) for each clause of a DIMACS-like list.
template <class Visit>
void for_each_clause(std::span<const Literal> literals, Visit visit) {
    std::vector<Lit> clause;
    for (const Literal literal : literals) {
        if (literal != 0) {
            clause.push_back(from_dimacs(literal));
            continue;
        }
        visit(clause);
        clause.clear();
    }
}

// Makes counts, each one place late, the places where slices begin.
void add_up(std::vector<std::uint32_t>& counts) {
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
}

}  // namespace

Model::Model(const PuzzleClues& clues, const Board& root, Variables variables)
    : columns_(clues.columns.size()), colours_(clues.colours) {
    Encoding encoding = encode_open(clues, root, variables);
    variables_ = static_cast<std::size_t>(encoding.clauses.variables());
    cells_ = std::move(encoding.cells);
    thresholds_ = std::move(encoding.thresholds);
    assert(cells_.size() + thresholds_.size() == variables_);
    list_cells(root);
    list_clauses(encoding.clauses.literals());
}

std::size_t Model::bytes() const {
    const auto of = [](const auto&... vectors) { return (std::span(vectors).size_bytes() + ...); };
    std::size_t clauses = 0;
    for (const std::vector<Lit>& clause : long_clauses_) clauses += of(clause);
    return clauses + of(cells_, thresholds_, binaries_from_, ternaries_from_, binaries_, ternaries_, units_,
                        removals_, removers_, givers_);
}

void Model::list_cells(const Board& root) {
    const std::size_t columns = root.lines(Axis::kColumn);
    removals_.assign(2 * variables_, {0, 0, Removal::kNothing});
    removers_.assign(root.lines(Axis::kRow) * columns * colours_, kNoLit);
    givers_ = removers_;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        const auto cell = static_cast<std::size_t>(cells_[i].cell);
        const auto colour = static_cast<std::size_t>(cells_[i].colour);
        const Cell place{cell / columns, cell % columns};
        const Word others = root.candidates(place) & ~(Word{1} << colour);
        assert(others != 0 && (root.candidates(place) >> colour & 1) != 0);  // an open cell
        const auto names = [&](Lit gives, std::size_t which) {  // the literal, and that of its negation
            givers_[cell * colours_ + which] = gives;
            removers_[cell * colours_ + which] = negation(gives);
            removals_[static_cast<std::size_t>(negation(gives))] = {static_cast<std::uint16_t>(place.row),
                                                                    static_cast<std::uint16_t>(place.column),
                                                                    static_cast<std::uint16_t>(which)};
        };
        const Lit gives = literal_of(static_cast<Variable>(i), true);
        names(gives, colour);
        if (std::has_single_bit(others))
            names(negation(gives), static_cast<std::size_t>(std::countr_zero(others)));
    }
}

void Model::list_clauses(std::span<const Literal> literals) {
    binaries_from_.assign(2 * variables_ + 1, 0);
    ternaries_from_ = binaries_from_;
    const auto count = [](std::vector<std::uint32_t>& counts, Lit lit) {
        ++counts[static_cast<std::size_t>(negation(lit)) + 1];
    };
    for_each_clause(literals, [&](const std::vector<Lit>& clause) {
        assert(!clause.empty());
        if (clause.size() == 1) units_.push_back(clause[0]);
        if (clause.size() > 3) long_clauses_.push_back(clause);
        for (const Lit lit : clause) {
            if (clause.size() == 2) count(binaries_from_, lit);
            if (clause.size() == 3) count(ternaries_from_, lit);
        }
    });
    add_up(binaries_from_);
    add_up(ternaries_from_);
    binaries_.resize(binaries_from_.back());
    ternaries_.resize(ternaries_from_.back());
    std::vector<std::uint32_t> binaries_end = binaries_from_, ternaries_end = ternaries_from_;
    for_each_clause(literals, [&](const std::vector<Lit>& clause) {
        for (std::size_t i = 0; i < clause.size(); ++i) {
            const auto negated = static_cast<std::size_t>(negation(clause[i]));
            if (clause.size() == 2) binaries_[binaries_end[negated]++] = clause[1 - i];
            if (clause.size() == 3)
                ternaries_[ternaries_end[negated]++] = {clause[i == 0 ? 1 : 0], clause[i == 2 ? 1 : 2]};
        }
    });
    // Each slice is full.
    assert(std::equal(binaries_from_.begin() + 1, binaries_from_.end(), binaries_end.begin()));
    assert(std::equal(ternaries_from_.begin() + 1, ternaries_from_.end(), ternaries_end.begin()));
}

}  // namespace nonocsp
