// What every part of the learning search speaks of: variables, literals, clause references and reasons.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonocsp {

using Variable = std::int32_t;
// Twice its variable (0, 1, …), plus one if negated, as in MiniSat.
using Lit = std::int32_t;
inline constexpr Lit kNoLit = -1;

constexpr Lit negation(Lit lit) { return lit ^ 1; }
constexpr Variable variable_of(Lit lit) { return lit >> 1; }
constexpr Lit literal_of(Variable variable, bool value) { return 2 * variable + (value ? 0 : 1); }

// Where a clause begins in the arena of the clause database.
using ClauseRef = std::int32_t;
inline constexpr ClauseRef kNoClause = -1;

// Why a literal is true: the other literals of a clause are false. Binary and ternary clauses are in the
// reason itself. A watched clause and a line are only named; conflict analysis looks at them when it needs
// them, which makes the reasons of lines lazy (Ohrimenko, Stuckey & Codish 2009). Once a line has been asked,
// the reason says where its explanation is kept.
struct Reason {
    static constexpr std::int32_t kNone = -1, kClause = -2, kLine = -3, kExplanation = -4;

    static constexpr Reason none() { return {kNone, kNone}; }
    static constexpr Reason binary(Lit other) { return {other, kNone}; }
    static constexpr Reason ternary(Lit first, Lit second) { return {first, second}; }
    static constexpr Reason clause(ClauseRef ref) { return {ref, kClause}; }
    static constexpr Reason line(std::size_t number) { return {static_cast<std::int32_t>(number), kLine}; }
    static constexpr Reason explanation(std::size_t at) {
        return {static_cast<std::int32_t>(at), kExplanation};
    }

    bool is_none() const { return first == kNone; }
    bool is_clause() const { return second == kClause; }
    bool is_line() const { return second == kLine; }
    bool is_explanation() const { return second == kExplanation; }

    std::int32_t first, second;
};

}  // namespace nonocsp
