#include "cdcl/clause_database.hpp"

#include <utility>

namespace nonocsp {

ClauseRef ClauseDatabase::add(std::span<const Lit> clause, std::int32_t glue, std::vector<ClauseRef>& refs) {
    assert(clause.size() >= 2);
    assert(clause[0] != clause[1] && clause[0] != negation(clause[1]));
    const auto ref = static_cast<ClauseRef>(arena_.size());
    assert(refs.empty() || refs.back() < ref);
    refs.push_back(ref);
    arena_.push_back(static_cast<Lit>(clause.size()));
    arena_.push_back(glue);
    arena_.insert(arena_.end(), clause.begin(), clause.end());
    watch(clause[0], {ref, clause[1]});
    watch(clause[1], {ref, clause[0]});
    return ref;
}

void ClauseDatabase::reduce(double fraction, std::int32_t keep_glue, const Trail& trail) {
    assert(trail.level() == 0);
    ClauseDatabase old(0);
    const auto counted = static_cast<double>(problem_.size() + learnt_.size());
    const auto kept = static_cast<std::size_t>((1 - fraction) * counted);
    std::swap(old.arena_, arena_);
    std::swap(old.problem_, problem_);
    std::swap(old.blocking_, blocking_);
    std::swap(old.learnt_, learnt_);
    for (auto& watches : watches_) watches.clear();
    std::vector<Lit> clause;
    const auto keep = [&](ClauseRef ref, std::vector<ClauseRef>& refs) {
        bool is_satisfied = false;
        clause.clear();
        for (const Lit lit : old[ref]) {
            if (trail.value(lit) > 0) is_satisfied = true;
            if (trail.value(lit) == 0) clause.push_back(lit);
        }
        assert(is_satisfied || clause.size() >= 2);  // everything was propagated
        if (!is_satisfied) add(clause, old.glue(ref), refs);
    };
    for (const ClauseRef ref : old.problem_) keep(ref, problem_);
    for (const ClauseRef ref : old.blocking_) keep(ref, blocking_);
    std::ranges::stable_sort(old.learnt_, {}, [&](ClauseRef ref) { return old.glue(ref); });
    for (std::size_t rank = old.problem_.size(); const ClauseRef ref : old.learnt_) {
        if (rank++ >= kept && old.glue(ref) > keep_glue) break;
        keep(ref, learnt_);
    }
    assert(learnt_.size() <= old.learnt_.size() && bytes() <= old.bytes());
}

}  // namespace nonocsp
