// Which value a decision gives its variable: its last one (phase saving, Pipatsrisawat & Darwiche 2007), or
// the one it had on the longest trail without a conflict since the last dive (target phases, Biere 2019,
// CaDiCaL). Beliefs overwrite the saved phases at the start and at every dive.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "cdcl/options.hpp"
#include "cdcl/trail.hpp"
#include "cdcl/types.hpp"

namespace nonocsp {

class Phases {
  public:
    // Every variable is tried false first.
    Phases(std::size_t variables, const SearchOptions& options) : policy_(options.phase), saved_(variables) {
        for (std::size_t i = 0; i < variables; ++i) saved_[i] = literal_of(static_cast<Variable>(i), false);
        if (policy_ == PhasePolicy::kTarget) target_.assign(variables, kNoLit);
    }

    // The literal that deciding a variable makes true.
    Lit pick(Variable variable) const {
        const auto i = static_cast<std::size_t>(variable);
        const Lit lit = policy_ == PhasePolicy::kTarget && target_[i] != kNoLit ? target_[i] : saved_[i];
        assert(variable_of(lit) == variable);
        return lit;
    }

    // Sets the saved phase of a variable.
    void set(Lit lit) {
        assert(0 <= variable_of(lit) && static_cast<std::size_t>(variable_of(lit)) < saved_.size());
        saved_[static_cast<std::size_t>(variable_of(lit))] = lit;
    }

    // Saves the phase of a literal that backtracking unassigns.
    void save(Lit lit) {
        if (policy_ != PhasePolicy::kFixed) set(lit);
    }

    void forget_target() {
        std::ranges::fill(target_, kNoLit);
        longest_ = 0;
    }

    // Makes the trail up to a conflict's level the target if it is the longest since targets were forgotten.
    void note_conflict(const Trail& trail) {
        if (policy_ != PhasePolicy::kTarget || trail.level() == 0) return;
        const std::size_t consistent = trail.start(trail.level());
        if (consistent <= longest_) return;
        longest_ = consistent;
        for (std::size_t i = 0; i < consistent; ++i)
            target_[static_cast<std::size_t>(variable_of(trail[i]))] = trail[i];
    }

  private:
    PhasePolicy policy_;
    std::size_t longest_ = 0;          // trail, in literals
    std::vector<Lit> saved_, target_;  // [variable]; targets only if they are asked for
};

}  // namespace nonocsp
