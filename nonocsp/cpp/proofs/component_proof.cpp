#include "proofs/component_proof.hpp"

#include <bit>

namespace nonocsp {

ComponentProof::ComponentProof(ProofLog& log, const Component& component, bool is_alone)
    : log_(log), first_(component.first), first_blocks_(component.first_blocks), needs_guard_(!is_alone) {
    component.board.for_each_open([&](Cell cell) { open_.push_back(cell); });
}

Literal ComponentProof::started(LineId line, std::size_t block, std::size_t position) const {
    const bool is_row = line.axis == Axis::kRow;
    return log_.started({line.axis, line.position + (is_row ? first_.row : first_.column)},
                        block + first_blocks_[index(line.axis)][line.position],
                        position + (is_row ? first_.column : first_.row));
}

// The variable is defined by clauses that are blocked on it (Järvisalo, Biere & Heule 2010): at first none
// has its negation, and then each of those with the variable has a cell that the last clause denies.
void ComponentProof::exclude(const Board& solution) {
    if (!needs_guard_ || !guard_.empty()) return;
    const Literal differs = log_.fresh_variable();
    std::vector<Literal> definition{-differs};
    for (const Cell cell : open_) {
        const auto colour = static_cast<std::size_t>(std::countr_zero(solution.candidates(cell)));
        definition.push_back(removes(cell, colour));
        log_.add(std::array{differs, -definition.back()});
    }
    log_.add(definition);
    guard_.push_back(-differs);
}

std::span<const Literal> ComponentProof::guarded(std::span<const Literal> clause) {
    if (guard_.empty()) return clause;
    clause_ = guard_;
    clause_.insert(clause_.end(), clause.begin(), clause.end());
    return clause_;
}

}  // namespace nonocsp
