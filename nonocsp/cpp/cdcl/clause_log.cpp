#include "cdcl/clause_log.hpp"

#include <algorithm>

namespace nonocsp {

ClauseLog::ClauseLog(ComponentProof& proof, const Model& model)
    : proof_(proof), literals_(2 * model.variables()) {
    for (std::size_t i = 0; i < model.cell_variables(); ++i) {
        const auto [cell, colour] = model.cell_of(static_cast<Variable>(i));
        const auto at = static_cast<std::size_t>(cell);
        literals_[2 * i + 1] =
            proof.removes({at / model.columns(), at % model.columns()}, static_cast<std::size_t>(colour));
    }
    for (std::size_t i = model.cell_variables(); i < model.variables(); ++i) {
        const auto [line, block, position] = model.threshold_of(static_cast<Variable>(i));
        literals_[2 * i + 1] = -proof.started(line, block, static_cast<std::size_t>(position));
    }
    for (std::size_t i = 0; i < literals_.size(); i += 2) literals_[i] = -literals_[i + 1];
    for (const Lit unit : model.units()) add(std::array{unit});
    for (const std::vector<Lit>& clause : model.long_clauses()) add(clause);
    if (!model.has_short_clauses()) return;
    for (Lit lit = 0; lit < static_cast<Lit>(literals_.size()); ++lit) {  // each clause once
        const Lit first = negation(lit);
        for (const Lit other : model.binaries(lit))
            if (first < other) add(std::array{first, other});
        for (const auto [second, third] : model.ternaries(lit))
            if (first < std::min(second, third)) add(std::array{first, second, third});
    }
}

void ClauseLog::add_reason(std::optional<Lit> implied, std::span<const Lit> literals) {
    clause_.clear();
    if (implied) clause_.push_back(literals_[static_cast<std::size_t>(*implied)]);
    for (const Lit lit : literals) clause_.push_back(literals_[static_cast<std::size_t>(lit)]);
    proof_.add(clause_);
    reasons_.add(clause_);
}

std::span<const Literal> ClauseLog::translated(std::span<const Lit> clause) {
    clause_.clear();
    for (const Lit lit : clause) clause_.push_back(literals_[static_cast<std::size_t>(lit)]);
    return clause_;
}

}  // namespace nonocsp
