#include "verification/lrat_checker.hpp"

#include <algorithm>

namespace nonocsp::verification {

bool LratChecker::add_lemma(std::span<const Literal> lemma, std::span<const ClauseId> hints) {
    assume_negation(lemma);
    if (hints.empty() ? !is_blocked(lemma) : !refutes(hints)) return false;
    store(lemma);
    return true;
}

void LratChecker::erase(ClauseId id) {
    if (id < 1 || id > places_.size() || places_[id - 1].is_deleted) return;
    Place& place = places_[id - 1];
    for (const Literal literal : clause(place)) --occurrences_[index(literal)];
    place.is_deleted = true;
    deleted_ += place.size;
    if (deleted_ > arena_.size() / 2 + 1000) compact();
}

void LratChecker::reserve(Literal literal) {
    const std::size_t needed = (index(literal) | 1) + 1;
    if (falsified_.size() < needed) occurrences_.resize(needed), falsified_.resize(needed);
}

void LratChecker::store(std::span<const Literal> clause) {
    places_.push_back({arena_.size(), static_cast<std::uint32_t>(clause.size()), false});
    arena_.insert(arena_.end(), clause.begin(), clause.end());
    for (const Literal literal : clause) {
        reserve(literal);
        ++occurrences_[index(literal)];
    }
    is_refuted_ = is_refuted_ || clause.empty();
}

void LratChecker::assume_negation(std::span<const Literal> lemma) {
    ++now_;
    for (const Literal literal : lemma) {
        reserve(literal);
        falsified_[index(literal)] = now_;
    }
}

bool LratChecker::refutes(std::span<const ClauseId> hints) {
    for (const ClauseId id : hints) {
        if (id < 1 || id > places_.size() || places_[id - 1].is_deleted) return false;
        Literal last = 0;
        for (const Literal literal : clause(places_[id - 1])) {
            if (is_false(literal)) continue;
            if (last != 0 && last != literal) return false;
            last = literal;
        }
        if (last == 0) return true;
        falsified_[index(-last)] = now_;
    }
    return false;
}

bool LratChecker::is_blocked(std::span<const Literal> lemma) {
    if (lemma.empty()) return false;
    const Literal negated = -lemma[0];
    if (occurrences_[index(negated)] == 0) return true;
    return std::ranges::all_of(places_, [&](const Place& place) {
        if (place.is_deleted || std::ranges::find(clause(place), negated) == clause(place).end()) return true;
        return std::ranges::any_of(clause(place),
                                   [&](Literal literal) { return literal != negated && is_false(-literal); });
    });
}

// Moves the clauses together; they keep their order.
void LratChecker::compact() {
    std::size_t end = 0;
    for (Place& place : places_) {
        if (place.is_deleted) continue;
        std::copy_n(arena_.begin() + static_cast<std::ptrdiff_t>(place.begin), place.size,
                    arena_.begin() + static_cast<std::ptrdiff_t>(end));
        place.begin = end;
        end += place.size;
    }
    arena_.resize(end);
    deleted_ = 0;
}

}  // namespace nonocsp::verification
