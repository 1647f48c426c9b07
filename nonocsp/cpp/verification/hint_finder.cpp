#include "verification/hint_finder.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace nonocsp::verification {

void HintFinder::add_clause(std::span<const Literal> clause) {
    reserve(clause);
    checker_.add_clause(clause);
    attach(clause);
}

bool HintFinder::add_lemma(std::span<const Literal> lemma) {
    if (checker_.is_refuted()) return true;
    reserve(lemma);
    hints_.clear();
    ++now_;
    if (!contradict(lemma)) backtrack(0);
    if (!checker_.add_lemma(lemma, hints_)) return false;
    attach(lemma);
    return true;
}

bool HintFinder::contradict(std::span<const Literal> lemma) {
    const auto begins = static_cast<std::size_t>(std::ranges::mismatch(lemma, last_).in1 - lemma.begin());
    last_.assign(lemma.begin(), lemma.end());
    std::size_t i = 0;
    while (i < std::min(level(), begins) && assumed_[i] == lemma[i]) ++i;
    backtrack(i);
    for (Ref conflict = propagate();; conflict = propagate()) {
        if (conflict != 0) {
            explain(conflict);
            if (level() > 0) backtrack(level() - 1);
            return true;
        }
        if (i == lemma.size()) return false;
        const bool is_beginning = i < begins && i + 1 < lemma.size();
        assumed_.push_back(is_beginning ? lemma[i] : 0);
        starts_.push_back(trail_.size());
        do {
            const Lit lit = lit_of(lemma[i++]);
            if (values_[lit] > 0) {
                explain_true(lit);
                backtrack(level() - 1);
                return true;
            }
            if (values_[lit] == 0) assign(lit ^ 1, 0);
        } while (!is_beginning && i < lemma.size());
    }
}

void HintFinder::reserve(std::span<const Literal> clause) {
    for (const Literal literal : clause) {
        const std::size_t variables = (lit_of(literal) >> 1) + 1;
        if (variables <= units_.size()) continue;
        watches_.resize(2 * variables);
        values_.resize(2 * variables);
        reasons_.resize(variables);
        levels_.resize(variables);
        positions_.resize(variables);
        units_.resize(variables);
        marks_.resize(variables);
    }
}

// The clause is the checker's last one. Watched are literals that are not false, or else of high level.
void HintFinder::attach(std::span<const Literal> clause) {
    if (deleted_ > arena_.size() / 2 + 1000 || live_ > buckets_.size()) compact();
    const auto ref = static_cast<Ref>(arena_.size());
    arena_.insert(arena_.end(), {checker_.clauses(), static_cast<std::uint32_t>(clause.size()), 0});
    for (const Literal literal : clause) arena_.push_back(lit_of(literal));
    const std::span<Lit> lits = literals(ref);
    const auto height = [&](Lit lit) {
        return values_[lit] < 0 ? levels_[lit >> 1] : std::numeric_limits<std::uint32_t>::max();
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(2, lits.size()); ++i)
        std::iter_swap(lits.begin() + i, std::ranges::max_element(lits.subspan(i), {}, height));
    ++live_;
    if (lits.empty()) return;
    link(ref);
    const std::size_t unit_from = lits.size() == 1 ? 0 : height(lits[1]);  // a level
    if (unit_from < std::min<std::size_t>(level() + 1, height(lits[0]))) backtrack(unit_from);
    if (values_[lits[0]] == 0 && unit_from <= level()) {
        const std::size_t from = trail_.size();
        assign(lits[0], ref);
        if (level() == 0) settle(from);
    } else if (level() == 0 && values_[lits[0]] < 0) {
        hints_.clear();
        ++now_;
        explain(ref);
        checker_.add_lemma({}, hints_);
    }
}

void HintFinder::settle(std::size_t from) {
    const Ref conflict = propagate();
    for (std::size_t i = from; i < trail_.size(); ++i) {
        const Lit lit = trail_[i];
        const Ref reason = reasons_[lit >> 1];
        if (size(reason) == 1) {
            units_[lit >> 1] = id(reason);
            continue;
        }
        hints_.clear();
        ++now_;
        for (const Lit other : literals(reason))
            if (other != lit) mark(other);
        hints_.push_back(id(reason));
        checker_.add_lemma(std::array{literal_of(lit)}, hints_);
        units_[lit >> 1] = checker_.clauses();
    }
    if (conflict == 0) return;
    hints_.clear();
    ++now_;
    explain(conflict);
    checker_.add_lemma({}, hints_);
}

void HintFinder::explain(Ref conflict) {
    implied_.clear();
    for (const Lit lit : literals(conflict)) mark(lit);
    for (std::size_t i = 0; i < implied_.size(); ++i)
        for (const Lit lit : literals(reasons_[implied_[i]])) mark(lit);
    std::ranges::sort(implied_, {}, [&](std::uint32_t variable) { return positions_[variable]; });
    for (const std::uint32_t variable : implied_) hints_.push_back(id(reasons_[variable]));
    hints_.push_back(id(conflict));
}

// The literal is true although the negations of others were assumed: its reason contradicts its negation.
void HintFinder::explain_true(Lit lit) {
    const std::size_t variable = lit >> 1;
    if (units_[variable] != 0) return hints_.push_back(units_[variable]);
    if (reasons_[variable] != 0) explain(reasons_[variable]);
}

void HintFinder::mark(Lit lit) {
    const std::uint32_t variable = lit >> 1;
    if (marks_[variable] == now_) return;
    marks_[variable] = now_;
    if (units_[variable] != 0)
        hints_.push_back(units_[variable]);
    else if (values_[lit] != 0 && reasons_[variable] != 0)
        implied_.push_back(variable);
}

void HintFinder::assign(Lit lit, Ref reason) {
    values_[lit] = 1;
    values_[lit ^ 1] = -1;
    reasons_[lit >> 1] = reason;
    levels_[lit >> 1] = static_cast<std::uint32_t>(level());
    positions_[lit >> 1] = static_cast<std::uint32_t>(trail_.size());
    trail_.push_back(lit);
}

void HintFinder::backtrack(std::size_t level) {
    if (level >= this->level()) return;
    const std::size_t size = starts_[level];
    for (std::size_t i = size; i < trail_.size(); ++i) values_[trail_[i]] = values_[trail_[i] ^ 1] = 0;
    trail_.resize(size);
    starts_.resize(level);
    assumed_.resize(level);
    head_ = std::min(head_, size);
}

HintFinder::Ref HintFinder::propagate() {
    while (head_ < trail_.size())
        if (const Ref conflict = visit(trail_[head_++] ^ 1)) return conflict;
    return 0;
}

HintFinder::Ref HintFinder::visit(Lit falsified) {
    std::vector<Watcher>& watches = watches_[falsified];
    Watcher *kept = watches.data(), *const end = kept + watches.size();
    Ref conflict = 0;
    for (const Watcher* at = kept; at != end;) {
        const Watcher watcher = *kept++ = *at++;
        if (values_[watcher.blocker] > 0) continue;
        if (id(watcher.clause) == 0) {  // deleted
            --kept;
            continue;
        }
        const std::span<Lit> lits = literals(watcher.clause);
        const Lit other = lits[0] ^ lits[1] ^ falsified;
        std::size_t i = 2;
        if (values_[other] <= 0)
            while (i < lits.size() && values_[lits[i]] < 0) ++i;
        if (values_[other] > 0) {
            kept[-1].blocker = other;
        } else if (i < lits.size()) {
            lits[0] = other;
            lits[1] = lits[i];
            lits[i] = falsified;
            watches_[lits[1]].push_back({watcher.clause, other});
            --kept;
        } else if (values_[other] < 0) {
            conflict = watcher.clause;
            kept = std::copy(at, static_cast<const Watcher*>(end), kept);
            break;
        } else {
            assign(other, watcher.clause);
        }
    }
    watches.resize(static_cast<std::size_t>(kept - watches.data()));
    return conflict;
}

void HintFinder::erase(std::span<const Literal> clause) {
    if (clause.size() < 2) return;
    reserve(clause);
    ++now_;
    erased_.clear();
    for (const Literal literal : clause) {
        erased_.push_back(lit_of(literal));
        marks_[erased_.back() >> 1] = now_;
    }
    const auto is_same = [&](Ref ref) {
        return size(ref) == erased_.size() && std::ranges::all_of(literals(ref), [&](Lit lit) {
                   return marks_[lit >> 1] == now_ && std::ranges::find(erased_, lit) != erased_.end();
               });
    };
    for (Ref* link = &bucket(erased_); *link != 0; link = &next(*link)) {
        const Ref ref = *link;
        if (!is_same(ref)) continue;
        for (const Lit lit : literals(ref).first(2))
            if (values_[lit] > 0 && reasons_[lit >> 1] == ref) backtrack(0);
        checker_.erase(id(ref));
        *link = next(ref);
        id(ref) = 0;
        --live_;
        deleted_ += size(ref) + kHeader;
        return;
    }
}

void HintFinder::link(Ref ref) {
    const std::span<const Lit> lits = literals(ref);
    if (lits.size() < 2) return;
    Ref& first = bucket(lits);
    next(ref) = first;
    first = ref;
    watches_[lits[0]].push_back({ref, lits[1]});
    watches_[lits[1]].push_back({ref, lits[0]});
}

// The same for every order of the literals.
HintFinder::Ref& HintFinder::bucket(std::span<const Lit> clause) {
    std::uint64_t sum = 0;
    for (const Lit lit : clause) {
        const std::uint64_t mixed = (lit + std::uint64_t{1}) * 0x9e3779b97f4a7c15U;
        sum += (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9U;
    }
    return buckets_[(sum >> 20) & (buckets_.size() - 1)];
}

// The reasons of what is settled are not needed again.
void HintFinder::compact() {
    backtrack(0);
    const std::vector<std::uint32_t> old = std::exchange(arena_, {0});
    buckets_.assign(live_ > buckets_.size() ? 4 * buckets_.size() : buckets_.size(), 0);
    for (std::vector<Watcher>& watches : watches_) watches.clear();
    deleted_ = 0;
    for (Ref at = 1, words; at < old.size(); at += words) {
        words = old[at + 1] + kHeader;
        if (old[at] == 0) continue;
        const auto ref = static_cast<Ref>(arena_.size());
        arena_.insert(arena_.end(), old.begin() + at, old.begin() + at + words);
        link(ref);
    }
}

}  // namespace nonocsp::verification
