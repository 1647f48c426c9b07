// Binds the search by 2-SAT relaxations, and the solver of 2-SAT by itself.
#include <nanobind/stl/optional.h>

#include <cstdlib>
#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "twosat/two_sat.hpp"
#include "twosat/two_sat_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using ClausesIn = nb::ndarray<const Literal, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// The literals that are true in every assignment, or None if there is no assignment.
auto forced_literals(std::size_t variables, const ClausesIn& clauses) {
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
    std::optional<decltype(new_array<Literal>(std::size_t{0}))> array;
    if (forced) {
        array = new_array<Literal>(forced->size());
        std::copy(forced->begin(), forced->end(), array->data());
    }
    return array;
}

Method search_by_two_sat(bool looks_ahead, bool complete) {
    return [=](const PuzzleClues& clues) { return make_two_sat_search(clues, {looks_ahead, complete}); };
}

}  // namespace

void bind_twosat(nb::module_& m) {
    m.def("forced_literals", &forced_literals, nb::arg("variables"), nb::arg("clauses"),
          R"(Return the literals that are true in every assignment; None if there is no assignment.

Parameters
----------
variables
    Number of variables.
clauses
    Clauses of two literals, shape (count, 2).

Raises
------
ValueError
    If a literal is out of range.)");
    m.def("search_by_two_sat", &search_by_two_sat, nb::arg("looks_ahead"), nb::arg("complete"),
          R"(Return the search by 2-SAT relaxations of the lines.

Parameters
----------
looks_ahead
    Whether to try the candidates of open cells (Solver1) or not (Solver0).
complete
    Whether to search; otherwise only the root is narrowed.)");
}

}  // namespace nonocsp
