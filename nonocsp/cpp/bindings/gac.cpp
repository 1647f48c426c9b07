// Binds the search by generalised arc consistency.
#include "bindings/bindings.hpp"
#include "gac/gac_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

Method search_by_gac(VariableOrder variable_order, ValueOrder value_order, bool settle,
                     std::uint64_t max_placements, std::uint64_t seed) {
    return [=](const PuzzleClues& clues) {
        return make_gac_search(clues, {variable_order, value_order, settle, max_placements, seed});
    };
}

}  // namespace

void bind_gac(nb::module_& m) {
    nb::enum_<VariableOrder>(m, "VariableOrder", "The line that `search_by_gac` branches on.")
        .value("DOMAIN", VariableOrder::kDomain, "The line with the fewest placements.")
        .value("DOM_WDEG", VariableOrder::kDomWdeg, "The line with the fewest placements over its weight.")
        .value("FIRST", VariableOrder::kFirst, "The first open line.");
    nb::enum_<ValueOrder>(m, "ValueOrder", "The placement of a line that `search_by_gac` tries first.")
        .value("FIRST", ValueOrder::kFirst, "The leftmost.")
        .value("SUPPORT", ValueOrder::kSupport, "The one that the crossing lines support most.")
        .value("RANDOM", ValueOrder::kRandom, "Any, by the seed.");
    m.def("search_by_gac", &search_by_gac, nb::arg("variable_order"), nb::arg("value_order"),
          nb::arg("settle"), nb::arg("max_placements"), nb::arg("seed"),
          R"(Return the search over lines that maintains generalised arc consistency.

Parameters
----------
variable_order, value_order
    Line to branch on, and its placement to try first.
settle
    Whether to settle lines before their placements are listed.
max_placements
    The most placements of a line; `Search.next` raises `Unsupported` for a puzzle with more.
seed
    Seed of the random choices.)");
}

}  // namespace nonocsp
