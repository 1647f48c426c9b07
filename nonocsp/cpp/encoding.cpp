#include "encoding.hpp"

#include <algorithm>
#include <bit>

namespace nonocsp {
namespace {

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
    const std::size_t begin = literals_.size();
    literals_.resize(begin + clause.size() + 1);
    Literal* const first = &literals_[begin];
    Literal* end = first;
    for (const Literal literal : clause) {
        if (literal == kTrue || std::find(first, end, -literal) != end) {
            literals_.resize(begin);
            return;
        }
        if (literal != kFalse && std::find(first, end, literal) == end) *end++ = literal;
    }
    *end++ = 0;
    literals_.resize(begin + static_cast<std::size_t>(end - first));
    ++count_;
}

CellVariables::CellVariables(std::span<const Word> candidates, Clauses& clauses)
    : candidates_(candidates), first_(candidates.size(), 0) {
    for (std::size_t cell = 0; cell < candidates.size(); ++cell)
        if (!std::has_single_bit(candidates[cell])) number(cell, clauses);
}

void CellVariables::number(std::size_t cell, Clauses& clauses) {
    Word colours = candidates_[cell];
    const bool two = std::popcount(colours) == 2;
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
    if (std::popcount(candidates) == 2) return candidates >> colour == 1 ? first : -first;
    return first + std::popcount(candidates & (bit - 1));
}

}  // namespace nonocsp
