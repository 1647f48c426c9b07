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
    nb::enum_<Guidance>(m, "Guidance")
        .value("NONE", Guidance::kNone)
        .value("BELIEFS", Guidance::kBeliefs)
        .value("DIVES", Guidance::kDives);
    m.def("search_by_hybrid", &search_by_hybrid, nb::keep_alive<0, 1>(), nb::arg("clues"),
          nb::arg("backtracking"), nb::arg("budget"), nb::arg("guidance"), nb::arg("memory"),
          nb::arg("seed"));
}

}  // namespace nonocsp
