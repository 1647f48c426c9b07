// What a user can set of the hybrid search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cdcl/options.hpp"
#include "proofs/proof_log.hpp"

namespace nonocsp {

enum class Guidance { kNone, kBeliefs, kDives };

struct HybridOptions {
    bool backtracking = true;
    std::int64_t budget;  // of probes on a board of 2500 cells; a smaller one has fewer in proportion
    Guidance guidance = Guidance::kDives;
    std::size_t memory = std::size_t{256} << 20;  // bytes for learnt clauses
    std::uint64_t seed = 0;
    std::size_t threads = 1;               // of the learning stage
    bool starts_first = false;             // the search with starts has the first turns
    SearchOptions search = {};             // for experiments
    std::shared_ptr<ProofLog> proof = {};  // what is found is proved there, by one thread
};

}  // namespace nonocsp
