// 2-SAT: clauses of two literals, read as implications between literals (Aspvall, Plass & Tarjan, A
// linear-time algorithm for testing the truth of certain quantified Boolean formulas, 1979). The clauses are
// satisfiable unless some variable and its negation imply each other. A literal is false in every assignment
// if and only if it implies its negation. The first test takes time linear in the clauses. The second is
// reachability: clauses times variables, 256 variables at a time, so that memory stays linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "encodings/encoding.hpp"

namespace nonocsp {

// At least one of two literals is true; one literal twice is a unit.
struct BinaryClause {
    Literal a, b;
    bool operator==(const BinaryClause&) const = default;
};

// A set of clauses, with the memory to solve it again and again.
class TwoSat {
  public:
    explicit TwoSat(std::size_t variables);

    // Adds clauses over the variables 1..variables.
    void add(std::span<const BinaryClause> clauses);
    void clear() { clauses_.clear(); }

    std::size_t variables() const { return component_.size() / 2; }
    std::size_t clauses() const { return clauses_.size(); }

    // The literals that are true in every assignment, by variable; nothing if the clauses are unsatisfiable.
    std::optional<std::vector<Literal>> forced(Watch& watch);

  private:
    // A literal as a vertex of the implication graph: 2 (variable - 1), plus 1 if it is negated.
    using Vertex = std::uint32_t;
    using Component = std::uint32_t;
    using Sources = Wide<4>;  // a set of up to 256 vertices
    static constexpr std::size_t kSources = kWordBits * kWords<Sources>;

    static Vertex vertex(Literal literal);
    static Literal literal(Vertex vertex);
    static Vertex negation(Vertex vertex) { return vertex ^ 1; }

    std::span<const Vertex> implied_by(Vertex vertex) const {
        return {implied_.data() + first_[vertex], implied_.data() + first_[vertex + 1]};
    }

    void link(Watch& watch);
    void condense(Watch& watch);
    void visit(Vertex root, Watch& watch);
    void discover(Vertex vertex);
    void close_component(Vertex root);
    std::vector<Vertex> suspects() const;
    void find_forced(std::span<const Vertex> sources, std::vector<Literal>& forced, Watch& watch);

    std::vector<BinaryClause> clauses_;

    // The graph: vertex v implies implied_[first_[v] .. first_[v + 1]).
    std::vector<std::uint32_t> first_;
    std::vector<Vertex> implied_;

    // Its strongly connected components: an implication that leaves one leads to one with a lower number.
    std::vector<Component> component_;         // [vertex]
    std::vector<Vertex> members_;              // component after component
    std::vector<std::uint32_t> first_member_;  // [component], and the end

    // Tarjan's search: the time when a vertex was discovered, the earliest time on the stack that it reaches,
    // the next of its implications to follow, the vertices of open components, and the path to here.
    std::vector<std::uint32_t> discovered_, earliest_, followed_;
    std::vector<Vertex> open_, path_;
    std::uint32_t clock_ = 0;

    std::vector<Sources> reached_from_;  // [component]
};

}  // namespace nonocsp
