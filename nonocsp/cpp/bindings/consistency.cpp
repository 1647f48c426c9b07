// Binds the searches that keep more consistent than single lines: placements with each other (GAC), the
// segments of lines, and relaxations of lines to 2-SAT; and the solver of 2-SAT by itself.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdlib>
#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "gac/gac_search.hpp"
#include "segments/segments_search.hpp"
#include "twosat/two_sat.hpp"
#include "twosat/two_sat_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

Method search_by_gac(VariableOrder variable_order, ValueOrder value_order, bool settle,
                     std::uint64_t max_placements, std::uint64_t seed) {
    return [=](const PuzzleClues& clues) {
        return make_gac_search(clues, {variable_order, value_order, settle, max_placements, seed});
    };
}

CellsOut eliminate(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    CellsOut out = new_array<Word>(cells.shape(0), cells.shape(1));
    nb::gil_scoped_release unlocked;
    const Clues clue(cells.shape(1), flat_of(flat));
    if (clue.size() != 1) throw std::invalid_argument("there must be one clue");
    check_colours(flat, colours);
    eliminate_lines(clue, colours, span_of(cells), {out.data(), out.size()});
    return out;
}

Method search_by_segments(PixelChoice pixel) {
    return [=](const PuzzleClues& clues) { return make_segments_search(clues, pixel); };
}

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

void bind_segments(nb::module_& m) {
    nb::enum_<PixelChoice>(m, "PixelChoice", "The open pixel that `search_by_segments` gives a colour.")
        .value("FEWEST", PixelChoice::kFewest, "The one with the fewest candidates.")
        .value("FIRST", PixelChoice::kFirst, "The first in reading order.");
    m.def("search_by_segments", &search_by_segments, nb::arg("pixel"),
          R"(Return the search by messages between pixels and segments.

Parameters
----------
pixel
    The open pixel to branch on.)");
    m.def("eliminate_lines", &eliminate, nb::arg("clue"), nb::arg("cells"), nb::arg("colours"),
          R"(Return what messages leave of lines that share one clue, zeros where nothing fits.

Parameters
----------
clue
    One flat clue.
cells
    Candidate sets, shape (count, length).
colours
    Number of colours, the background included.

Raises
------
ValueError
    If there is another number of clues, or a colour does not fit.)");
}

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
