#include "twosat/two_sat.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <functional>
#include <limits>

namespace nonocsp {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Clauses between two checks of the watch.
constexpr std::size_t kClausesPerCheck = 1024;

}  // namespace

TwoSat::TwoSat(std::size_t variables) : first_(2 * variables + 1), component_(2 * variables) {}

TwoSat::Vertex TwoSat::vertex(Literal literal) {
    assert(literal != 0 && literal != kTrue && literal != kFalse);
    const auto variable = static_cast<Vertex>(literal < 0 ? -literal : literal);
    return 2 * (variable - 1) + (literal < 0 ? 1 : 0);
}

Literal TwoSat::literal(Vertex vertex) {
    const auto variable = static_cast<Literal>(vertex / 2 + 1);
    return vertex % 2 == 0 ? variable : -variable;
}

void TwoSat::add(std::span<const BinaryClause> clauses) {
    clauses_.insert(clauses_.end(), clauses.begin(), clauses.end());
}

std::optional<std::vector<Literal>> TwoSat::forced(Watch& watch) {
    link(watch);
    condense(watch);
    for (Vertex v = 0; v < component_.size(); v += 2)
        if (component_[v] == component_[negation(v)]) return std::nullopt;
    std::vector<Literal> forced;
    const std::vector<Vertex> sources = suspects();
    for (std::size_t i = 0; i < sources.size(); i += kSources)
        find_forced(std::span(sources).subspan(i, std::min(kSources, sources.size() - i)), forced, watch);
    std::ranges::sort(forced, {}, [](Literal literal) { return vertex(literal); });
    // The clauses are satisfiable, so no variable is forced both ways, or twice.
    assert(std::ranges::adjacent_find(forced, {}, [](Literal a) { return std::abs(a); }) == forced.end());
    return forced;
}

// Lists the implications by their first literal: the negation of either literal of a clause implies the
// other.
void TwoSat::link(Watch& watch) {
    const auto for_each_implication = [&](auto visit) {
        for (std::size_t i = 0; i < clauses_.size(); ++i) {
            if (i % kClausesPerCheck == 0) watch.check();
            const Vertex a = vertex(clauses_[i].a), b = vertex(clauses_[i].b);
            assert(a < component_.size() && b < component_.size());
            visit(negation(a), b);
            if (a != b) visit(negation(b), a);
        }
    };
    std::ranges::fill(first_, 0);
    for_each_implication([&](Vertex from, Vertex) { ++first_[from + 1]; });
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    implied_.resize(first_.back());
    followed_.assign(first_.begin(), first_.end() - 1);
    for_each_implication([&](Vertex from, Vertex to) { implied_[followed_[from]++] = to; });
    assert(std::ranges::equal(followed_, std::span(first_).subspan(1)));  // every list is full
}

void TwoSat::condense(Watch& watch) {
    const std::size_t vertices = component_.size();
    std::ranges::fill(component_, kNone);
    discovered_.assign(vertices, kNone);
    earliest_.resize(vertices);
    followed_.assign(first_.begin(), first_.end() - 1);
    members_.clear();
    first_member_.assign(1, 0);
    clock_ = 0;
    for (Vertex v = 0; v < vertices; ++v)
        if (discovered_[v] == kNone) visit(v, watch);
    assert(open_.empty() && path_.empty() && members_.size() == vertices);
}

// Tarjan's depth-first search from one vertex; path_ leads from it to the current vertex.
void TwoSat::visit(Vertex root, Watch& watch) {
    discover(root);
    while (!path_.empty()) {
        const Vertex v = path_.back();
        if (followed_[v] < first_[v + 1]) {
            const Vertex next = implied_[followed_[v]++];
            if (discovered_[next] == kNone)
                discover(next);
            else if (component_[next] == kNone)
                earliest_[v] = std::min(earliest_[v], discovered_[next]);
            continue;
        }
        watch.check();
        path_.pop_back();
        if (earliest_[v] == discovered_[v]) close_component(v);
        if (!path_.empty()) earliest_[path_.back()] = std::min(earliest_[path_.back()], earliest_[v]);
    }
}

void TwoSat::discover(Vertex vertex) {
    discovered_[vertex] = earliest_[vertex] = clock_++;
    open_.push_back(vertex);
    path_.push_back(vertex);
}

// Everything opened since the root of a component belongs to it.
void TwoSat::close_component(Vertex root) {
    const auto component = static_cast<Component>(first_member_.size() - 1);
    Vertex member = kNone;
    while (member != root) {
        assert(!open_.empty() && earliest_[root] == discovered_[root]);
        member = open_.back();
        open_.pop_back();
        component_[member] = component;
        members_.push_back(member);
    }
    first_member_.push_back(static_cast<std::uint32_t>(members_.size()));
}

// The literals that may imply their negations, since these have lower components; the highest first.
std::vector<TwoSat::Vertex> TwoSat::suspects() const {
    std::vector<Vertex> found;
    for (Vertex v = 0; v < component_.size(); ++v)
        if (component_[v] > component_[negation(v)] && !implied_by(v).empty()) found.push_back(v);
    std::ranges::sort(found, std::greater(), [&](Vertex v) { return component_[v]; });
    return found;
}

// Appends the negation of each source that implies it. The sources are sorted by component, highest first.
void TwoSat::find_forced(std::span<const Vertex> sources, std::vector<Literal>& forced, Watch& watch) {
    assert(0 < sources.size() && sources.size() <= kSources);
    const Component highest = component_[sources.front()];
    Component lowest = highest;
    for (const Vertex source : sources) lowest = std::min(lowest, component_[negation(source)]);
    assert(lowest < highest);
    reached_from_.resize(component_.size());
    std::fill(reached_from_.begin() + lowest, reached_from_.begin() + highest + 1, Sources{});
    for (std::size_t i = 0; i < sources.size(); ++i)
        reached_from_[component_[sources[i]]] |= single<Sources>(i);
    // Whatever reaches a component also reaches all that it implies. Components below the lowest do not
    // matter.
    for (Component component = highest; component > lowest; --component) {
        watch.check();
        const Sources from = reached_from_[component];
        if (from == Sources{}) continue;
        for (std::uint32_t i = first_member_[component]; i < first_member_[component + 1]; ++i)
            for (const Vertex next : implied_by(members_[i]))
                if (component_[next] >= lowest) reached_from_[component_[next]] |= from;
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const Vertex no = negation(sources[i]);
        const Sources self = single<Sources>(i);
        if ((reached_from_[component_[no]] & self) == self) forced.push_back(literal(no));
    }
}

}  // namespace nonocsp
