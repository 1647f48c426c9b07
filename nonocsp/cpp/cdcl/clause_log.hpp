// What a learning search writes into a proof: its own clauses, the reasons of lines as they are asked for,
// and what is known at level 0, which conflicts never ask for.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "cdcl/model.hpp"
#include "cdcl/trail.hpp"
#include "cdcl/types.hpp"
#include "proofs/component_proof.hpp"

namespace nonocsp {

class ClauseLog {
  public:
    // Adds the model's clauses. `proof` must outlive it.
    ClauseLog(ComponentProof& proof, const Model& model);

    void add(std::span<const Lit> clause) { proof_.add(translated(clause)); }
    void erase(std::span<const Lit> clause) { proof_.erase(translated(clause)); }
    // Adds the literals of the trail at level 0 that are not there yet.
    void add_root(const Trail& trail) {
        for (; root_ < trail.size(); ++root_) add(std::array{trail[root_]});
    }

    // Adds the reason of a line: one of the literals must be true for `implied` to be false.
    void add_reason(std::optional<Lit> implied, std::span<const Lit> literals);
    void forget_reasons() { reasons_.erase_from(proof_); }

  private:
    std::span<const Literal> translated(std::span<const Lit> clause);

    ComponentProof& proof_;
    std::vector<Literal> literals_;  // [lit]
    std::vector<Literal> clause_;
    ClauseList reasons_;
    std::size_t root_ = 0;
};

}  // namespace nonocsp
