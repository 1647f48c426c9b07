// Binds the search by generalised arc consistency.
#include <nanobind/stl/unique_ptr.h>

#include "bindings/bindings.hpp"
#include "gac/gac_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

std::unique_ptr<Search> search_by_gac(const PuzzleClues& clues, VariableOrder variable_order,
                                      ValueOrder value_order, bool settle, std::uint64_t max_placements,
                                      std::uint64_t seed) {
    return std::make_unique<GacSearch>(clues,
                                       GacOptions{variable_order, value_order, settle, max_placements, seed});
}

}  // namespace

void bind_gac(nb::module_& m) {
    nb::enum_<VariableOrder>(m, "VariableOrder")
        .value("DOMAIN", VariableOrder::kDomain)
        .value("DOM_WDEG", VariableOrder::kDomWdeg)
        .value("FIRST", VariableOrder::kFirst);
    nb::enum_<ValueOrder>(m, "ValueOrder")
        .value("FIRST", ValueOrder::kFirst)
        .value("SUPPORT", ValueOrder::kSupport)
        .value("RANDOM", ValueOrder::kRandom);
    m.def("search_by_gac", &search_by_gac, nb::keep_alive<0, 1>(), nb::arg("clues"),
          nb::arg("variable_order"), nb::arg("value_order"), nb::arg("settle"), nb::arg("max_placements"),
          nb::arg("seed"));
}

}  // namespace nonocsp
