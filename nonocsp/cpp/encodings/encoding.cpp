#include "encodings/encoding.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>

namespace nonocsp {

void Clauses::add(std::span<const Literal> clause) {
    if (std::ranges::find(clause, kTrue) != clause.end()) return;
    const std::size_t begin = literals_.size();
    for (const Literal literal : clause) {
        assert(literal == kFalse || (literal != 0 && std::abs(literal) <= variables_));
        bool needed = literal != kFalse;
        for (std::size_t i = begin; i < literals_.size(); ++i) {  // a loop: clauses are short
            if (literals_[i] == -literal) return literals_.resize(begin);
            needed = needed && literals_[i] != literal;
        }
        if (needed) literals_.push_back(literal);
    }
    literals_.push_back(0);
    ++count_;
}

Choice::Choice(std::size_t values, Clauses& clauses)
    : values_(static_cast<std::int32_t>(values)), first_(clauses.variables() + 1) {
    if (values < 2) return;
    clauses.fresh_variable();
    if (values == 2) return;
    std::vector<Literal> some{first_};
    while (some.size() < values) some.push_back(clauses.fresh_variable());
    for (const Literal a : some)
        for (Literal b = first_; b < a; ++b) clauses.add({-b, -a});
    assert(is(values - 1) == clauses.variables());  // one variable a value, in order
    clauses.add(some);
}

Literal Choice::is(std::size_t value) const {
    assert(static_cast<std::int32_t>(value) < values_);
    if (values_ == 1) return kTrue;
    if (values_ == 2) return value == 1 ? first_ : -first_;
    return first_ + static_cast<Literal>(value);
}

CellVariables::CellVariables(std::span<const Word> candidates, Clauses& clauses) : candidates_(candidates) {
    assert(clauses.variables() == 0);  // so that list_[variable - 1] is the cell of a variable
    choices_.reserve(candidates.size());
    for (std::size_t cell = 0; cell < candidates.size(); ++cell) {
        Word colours = candidates[cell];
        const auto count = static_cast<std::size_t>(std::popcount(colours));
        choices_.emplace_back(count, clauses);
        if (count < 2) continue;
        if (count == 2) colours &= colours - 1;  // the lower one is the variable's negation
        for (; colours != 0; colours &= colours - 1)
            list_.push_back({static_cast<std::int32_t>(cell), std::countr_zero(colours)});
    }
    assert(static_cast<std::int32_t>(list_.size()) == clauses.variables());
}

Literal CellVariables::has_colour(std::size_t cell, std::uint32_t colour) const {
    assert(cell < candidates_.size() && colour < kWordBits);
    const Word bit = Word{1} << colour;
    if ((candidates_[cell] & bit) == 0) return kFalse;
    return choices_[cell].is(static_cast<std::size_t>(std::popcount(candidates_[cell] & (bit - 1))));
}

}  // namespace nonocsp
