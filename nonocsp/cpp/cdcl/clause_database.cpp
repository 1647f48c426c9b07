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
    arena_.push_back(std::bit_cast<Lit>(increment_));
    arena_.insert(arena_.end(), clause.begin(), clause.end());
    watch(clause[0], {ref, clause[1]});
    watch(clause[1], {ref, clause[0]});
    return ref;
}

void ClauseDatabase::rescale() {
    for (const auto* refs : {&problem_, &blocking_, &learnt_})
        for (const ClauseRef ref : *refs) set_activity(ref, activity(ref) / kLargestActivity);
    increment_ /= kLargestActivity;
}

void ClauseDatabase::reduce(double fraction, bool is_short_of_memory, const Trail& trail, ClauseLog* log) {
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
        if (log != nullptr && (is_satisfied || clause.size() < old[ref].size())) {
            if (!is_satisfied) log->add(clause);
            log->erase(old[ref]);
        }
        if (is_satisfied) return;
        const auto size = static_cast<std::int32_t>(clause.size());
        set_activity(add(clause, std::min(old.glue(ref), size), refs), old.activity(ref));
    };
    for (const ClauseRef ref : old.problem_) keep(ref, problem_);
    for (const ClauseRef ref : old.blocking_) keep(ref, blocking_);
    std::ranges::stable_sort(old.learnt_, [&](ClauseRef a, ClauseRef b) {
        return std::pair(old.tier(a), -old.activity(a)) < std::pair(old.tier(b), -old.activity(b));
    });
    for (std::size_t rank = old.problem_.size(); const ClauseRef ref : old.learnt_) {
        if (rank++ < kept || (!is_short_of_memory && old.tier(ref) == 0))
            keep(ref, learnt_);
        else if (log != nullptr)
            log->erase(old[ref]);
        else
            break;
    }
    assert(learnt_.size() <= old.learnt_.size() && bytes() <= old.bytes());
}

}  // namespace nonocsp
