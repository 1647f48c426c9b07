// Binds the searches: one class for all, a function for each method that makes one, and the counters.
#include "search/search.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "blocks/blocks_search.hpp"
#include "counting/solution_counter.hpp"
#include "gac/gac_search.hpp"
#include "mdd/mdd_search.hpp"
#include "probing/probing_search.hpp"
#include "segments/segments_search.hpp"
#include "twosat/two_sat_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

std::optional<CellsOut> next(Search& search, const StopFlag* stop, std::optional<double> seconds) {
    CellsOut cells = new_array<Word>(search.clues().rows.size(), search.clues().columns.size());
    const bool found = unlocked(
        stop, seconds, [&](Watch& watch) { return search.next(watch, {cells.data(), cells.size()}); });
    return found ? std::optional(cells) : std::nullopt;
}

// Python sees the class of a search by probing: it has more methods.
nb::object start(const Method& method, const PuzzleClues& clues) {
    std::unique_ptr<Search> search = method(clues);
    if (dynamic_cast<ProbingSearch*>(search.get()) == nullptr) return nb::cast(std::move(search));
    return nb::cast(std::unique_ptr<ProbingSearch>(static_cast<ProbingSearch*>(search.release())));
}

std::optional<CellsOut> root(const ProbingSearch& search) {
    return search.root() == nullptr ? std::nullopt : std::optional(cells_of(*search.root()));
}

nb::int_ whole_number(const Natural& number) {
    return nb::steal<nb::int_>(PyLong_FromString(number.hex().c_str(), nullptr, 16));
}

// The methods that count; `Bound` is a class of `Counter`.
template <class Counter, class Bound>
void bind_counter(Bound& bound) {
    bound
        .def(nb::init<const PuzzleClues&, std::size_t>(), nb::keep_alive<1, 2>(), "clues"_a, "memory"_a,
             "Prepare the count; its states may take `memory` bytes.")
        .def(
            "count",
            [](Counter& counter, const StopFlag* stop, std::optional<double> seconds) {
                return whole_number(
                    unlocked(stop, seconds, [&](Watch& watch) { return counter.count(watch); }));
            },
            "stop"_a.none(), "wall"_a.none(),
            "Return the exact number of solutions; raise `TooManyStates` if the memory does not suffice.")
        .def(
            "at_least",
            [](const Counter& counter, bool solvable) { return whole_number(counter.at_least(solvable)); },
            "solvable"_a,
            R"(Return a lower bound of the number of solutions, also after `count` was cut off.

If the puzzle is known to be `solvable`, every part that was not counted has a solution, too.)");
}

void bind_enums(nb::module_& m) {
    nb::enum_<VariableOrder>(m, "VariableOrder", "The line that `search_by_gac` branches on.")
        .value("DOMAIN", VariableOrder::kDomain, "The line with the fewest placements.")
        .value("DOM_WDEG", VariableOrder::kDomWdeg, "The line with the fewest placements over its weight.")
        .value("FIRST", VariableOrder::kFirst, "The first open line.");
    nb::enum_<ValueOrder>(m, "ValueOrder", "The placement of a line that `search_by_gac` tries first.")
        .value("FIRST", ValueOrder::kFirst, "The leftmost.")
        .value("SUPPORT", ValueOrder::kSupport, "The one that the crossing lines support most.")
        .value("RANDOM", ValueOrder::kRandom, "Any, by the seed.");
    nb::enum_<PixelChoice>(m, "PixelChoice", "The open pixel that `search_by_segments` gives a colour.")
        .value("FEWEST", PixelChoice::kFewest, "The one with the fewest candidates.")
        .value("FIRST", PixelChoice::kFirst, "The first in reading order.");
    nb::enum_<ProbingScore>(m, "ProbingScore",
                            "How the gains of a cell's probes are weighed (Wu et al. 2013).")
        .value("SUM", ProbingScore::kSum)
        .value("MIN", ProbingScore::kMin)
        .value("MAX", ProbingScore::kMax)
        .value("PRODUCT", ProbingScore::kProduct)
        .value("SQRT", ProbingScore::kSqrt)
        .value("MIN_LOGM", ProbingScore::kMinLogM)
        .value("MIN_LOGD", ProbingScore::kMinLogD);
    nb::enum_<ProbingOrder>(m, "ProbingOrder", "The candidate of a cell that is searched first.")
        .value("LARGER", ProbingOrder::kLarger, "The one whose probe paints more.")
        .value("SMALLER", ProbingOrder::kSmaller, "The one whose probe paints less.")
        .value("BACKGROUND", ProbingOrder::kBackground, "The background.")
        .value("RANDOM", ProbingOrder::kRandom, "Any, by the seed.");
}

void bind_methods(nb::module_& m) {
    m.def(
        "search_by_blocks",
        [](bool rows_first) -> Method {
            return [=](const PuzzleClues& clues) {
                return make_blocks_search(clues, rows_first ? Axis::kRow : Axis::kColumn);
            };
        },
        "rows_first"_a,
        "Return the search by enumeration of block positions; it lays rows if `rows_first`, else columns.");
    m.def(
        "search_by_gac",
        [](VariableOrder variable_order, ValueOrder value_order, bool settle, std::uint64_t max_placements,
           std::uint64_t seed) -> Method {
            return [=](const PuzzleClues& clues) {
                return make_gac_search(clues, {variable_order, value_order, settle, max_placements, seed});
            };
        },
        "variable_order"_a, "value_order"_a, "settle"_a, "max_placements"_a, "seed"_a,
        R"(Return the search over lines that maintains generalised arc consistency.

Parameters
----------
variable_order, value_order
    Line to branch on, and its placement to try first.
settle
    Whether to settle lines before their placements are listed.
max_placements
    The most placements of a line; a puzzle with more is `Unsupported`.)");
    m.def(
        "search_by_segments",
        [](PixelChoice pixel) -> Method {
            return [=](const PuzzleClues& clues) { return make_segments_search(clues, pixel); };
        },
        "pixel"_a, "Return the search by messages between pixels and segments; it branches on a `pixel`.");
    m.def(
        "search_by_two_sat",
        [](bool looks_ahead, bool complete) -> Method {
            return
                [=](const PuzzleClues& clues) { return make_two_sat_search(clues, {looks_ahead, complete}); };
        },
        "looks_ahead"_a, "complete"_a,
        R"(Return the search by 2-SAT relaxations of the lines.

Parameters
----------
looks_ahead
    Whether to try the candidates of open cells (Solver1) or not (Solver0).
complete
    Whether to search; otherwise only the root is narrowed.)");
    m.def(
        "search_by_probing",
        [](ProbingLevel level, bool groups, std::size_t min_group, ProbingScore score, ProbingOrder order,
           std::uint64_t seed, std::optional<std::int64_t> budget) -> Method {
            const ProbingOptions options{level, groups, min_group, score, order, seed, budget};
            return [=](const PuzzleClues& clues) { return make_probing_search(clues, options); };
        },
        "level"_a, "groups"_a, "min_group"_a, "score"_a, "order"_a, "seed"_a, "budget"_a.none() = nb::none(),
        R"(Return the depth-first search that probes at every node; it makes a `ProbingSearch`.

Parameters
----------
level
    What the probes know of each other.
groups, min_group
    Whether to paint groups at once, and the smallest group that is.
score, order
    How to choose the cell to branch on, and its first candidate.
budget
    The most probes after the root; at the root that many, and two more for each candidate that they remove.)");
}

}  // namespace

void bind_search(nb::module_& m) {
    bind_exception<TooManyStates>(m, "TooManyStates",
                                  "A method that keeps states would need more memory than it may use.",
                                  PyExc_MemoryError);
    bind_exception<BudgetSpent>(m, "BudgetSpent", "The search has made all the probes that it may make.");
    nb::class_<Search>(m, "Search", "A stream of the solutions of a puzzle; `Method.search` makes one.")
        .def("next", &next, "stop"_a.none(), "wall"_a.none(),
             "Return the next solution as candidate sets, shape (rows, columns); None after the last.")
        .def("statistics", &Search::statistics, "Return what was counted so far, as (name, value) pairs.");
    nb::class_<Method>(m, "Method",
                       "A way to search, with its options; the ``search_by_…`` functions make one.")
        .def("search", &start, nb::keep_alive<0, 2>(), "clues"_a,
             nb::sig("def search(self, clues: PuzzleClues) -> Search"),
             "Return a search of a puzzle, at its start.");
    nb::class_<ProbingSearch, Search>(
        m, "ProbingSearch",
        "The search that `search_by_probing` makes; its `next` also raises `BudgetSpent`.")
        .def_prop_ro("root", &root, nb::rv_policy::move,
                     "Candidates of the root after its probes, without the solutions that they completed, "
                     "shape (rows, columns); None before that, or if nothing is left.");
    nb::class_<SolutionCounter> counter(m, "SolutionCounter",
                                        "Counts all solutions by sweeps over the cells.");
    bind_counter<SolutionCounter>(counter);
    counter.def("statistics", &SolutionCounter::statistics,
                "Return what was counted so far, as (name, value) pairs.");
    nb::class_<MddSearch, Search> diagrams(m, "MddSearch",
                                           "A stream of solutions from decision diagrams of all of them.");
    bind_counter<MddSearch>(diagrams);
    bind_enums(m);
    bind_methods(m);
}

}  // namespace nonocsp
