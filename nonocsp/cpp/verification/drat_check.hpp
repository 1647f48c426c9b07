// Checks a proof in the binary form of DRAT, lemma after lemma: it finds the hints of each and has them
// checked. The time is that of finding them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "verification/lrat_checker.hpp"

namespace nonocsp::verification {

struct DratCheck {
    std::string fault;        // empty if the formula is shown to have no model
    std::int64_t lemmas = 0;  // accepted
};

// `clauses` each end with 0. `look` hears the bytes read now and then, and may throw.
DratCheck check_drat(std::span<const Literal> clauses, std::string_view proof,
                     const std::function<void(std::size_t)>& look);

}  // namespace nonocsp::verification
