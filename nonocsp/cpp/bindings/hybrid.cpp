// Binds the hybrid search.
#include "hybrid/hybrid.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <algorithm>

#include "bindings/bindings.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

std::unique_ptr<Search> search_by_hybrid(const PuzzleClues& clues, bool backtracking, std::int64_t budget,
                                         Guidance guidance, std::size_t memory, std::uint64_t seed) {
    const std::size_t most = std::size_t{4} << 30;  // a clause is found by an index of 32 bits
    return std::make_unique<HybridSearch>(
        clues, HybridOptions{backtracking, budget, guidance, std::min(memory, most), seed});
}

}  // namespace

void bind_hybrid(nb::module_& m) {
    nb::enum_<Guidance>(m, "Guidance", "Guidance of `search_by_hybrid` to a first solution.")
        .value("NONE", Guidance::kNone, "None.")
        .value("BELIEFS", Guidance::kBeliefs, "Likely values first.")
        .value("DIVES", Guidance::kDives, "Likely values first, and dives along beliefs.");
    m.def("search_by_hybrid", &search_by_hybrid, nb::keep_alive<0, 1>(), nb::arg("clues"),
          nb::arg("backtracking"), nb::arg("budget"), nb::arg("guidance"), nb::arg("memory"), nb::arg("seed"),
          R"(Return a search by backtracking, by probing, and by learning once the budget is spent.

Parameters
----------
clues
    The puzzle.
backtracking
    Whether to begin with plain backtracking.
budget
    Probes, and two more for each candidate that they remove.
guidance
    What leads to a first solution.
memory
    Bytes for learnt clauses, at most 4 GiB.
seed
    Seed of the dives.)");
}

}  // namespace nonocsp
