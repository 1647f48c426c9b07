#include "encoding.hpp"

#include <algorithm>
#include <bit>

namespace nonocsp {
namespace {

// Whether a set of at least two colours has just two.
bool are_two(Word colours) {
    const Word higher = colours & (colours - 1);
    return (higher & (higher - 1)) == 0;
}

// Exactly one of the variables first..last is true.
void add_exactly_one(Literal first, Literal last, Clauses& clauses) {
    std::vector<Literal> some;
    for (Literal a = first; a <= last; ++a) {
        some.push_back(a);
        for (Literal b = first; b < a; ++b) clauses.add({-b, -a});
    }
    clauses.add(some);
}

}  // namespace

void Clauses::add(std::span<const Literal> clause) {
    if (std::ranges::find(clause, kTrue) != clause.end()) return;
    const std::size_t begin = literals_.size();
    for (const Literal literal : clause) {
        bool needed = literal != kFalse;
        for (std::size_t i = begin; i < literals_.size(); ++i) {  // shorter than three: no call is worth it
            if (literals_[i] == -literal) return literals_.resize(begin);
            needed = needed && literals_[i] != literal;
        }
        if (needed) literals_.push_back(literal);
    }
    literals_.push_back(0);
    ++count_;
}

CellVariables::CellVariables(std::span<const Word> candidates, Clauses& clauses)
    : candidates_(candidates), first_(candidates.size(), 0) {
    for (std::size_t cell = 0; cell < candidates.size(); ++cell)
        if (!std::has_single_bit(candidates[cell])) number(cell, clauses);
}

void CellVariables::number(std::size_t cell, Clauses& clauses) {
    Word colours = candidates_[cell];
    const bool two = are_two(colours);
    if (two) colours &= colours - 1;  // the lower colour is what the variable's negation means
    for (; colours != 0; colours &= colours - 1) {
        const Literal variable = clauses.fresh_variable();
        if (first_[cell] == 0) first_[cell] = variable;
        list_.push_back({static_cast<std::int32_t>(cell), std::countr_zero(colours)});
    }
    if (!two) add_exactly_one(first_[cell], clauses.variables(), clauses);
}

Literal CellVariables::has_colour(std::size_t cell, std::uint32_t colour) const {
    const Word candidates = candidates_[cell], bit = Word{1} << colour;
    if ((candidates & bit) == 0) return kFalse;
    if (candidates == bit) return kTrue;
    const Literal first = first_[cell];
    if (are_two(candidates)) return candidates >> colour == 1 ? first : -first;
    return first + std::popcount(candidates & (bit - 1));
}

}  // namespace nonocsp
