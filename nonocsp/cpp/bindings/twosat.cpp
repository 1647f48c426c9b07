// Binds the search by 2-SAT relaxations, and the solver of 2-SAT by itself.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdlib>
#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "twosat/two_sat_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using ClausesIn = nb::ndarray<const Literal, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// The literals that are true in every assignment, or None if there is no assignment.
nb::object forced_literals(std::size_t variables, const ClausesIn& clauses) {
    TwoSat two_sat(variables);
    for (std::size_t i = 0; i < clauses.shape(0); ++i) {
        const BinaryClause clause{clauses(i, 0), clauses(i, 1)};
        for (const std::int64_t literal : {clause.a, clause.b})
            if (literal == 0 || std::abs(literal) > static_cast<std::int64_t>(variables))
                throw std::invalid_argument("a literal is out of range");
        two_sat.add({&clause, 1});
    }
    Watch watch;
    std::optional<std::vector<Literal>> forced;
    {
        nb::gil_scoped_release unlocked;
        forced = two_sat.forced(watch);
    }
    if (!forced) return nb::none();
    auto array = new_array<Literal>(forced->size());
    std::copy(forced->begin(), forced->end(), array.data());
    return nb::cast(array);
}

std::unique_ptr<Search> search_by_two_sat(const PuzzleClues& clues, bool looks_ahead, bool complete) {
    return std::make_unique<TwoSatSearch>(clues, looks_ahead, complete);
}

}  // namespace

void bind_twosat(nb::module_& m) {
    m.def("forced_literals", &forced_literals);
    m.def("search_by_two_sat", &search_by_two_sat, nb::keep_alive<0, 1>());
}

}  // namespace nonocsp
