// Binds the searches: one class for all, a function for each method that makes one, and the counters,
// the hybrid search with its parameters, and its proofs.
#include "search/search.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "blocks/blocks_search.hpp"
#include "counting/solution_counter.hpp"
#include "gac/gac_search.hpp"
#include "hybrid/hybrid.hpp"
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
        [](std::string_view variable_order, std::string_view value_order, bool settle,
           std::uint64_t max_placements, std::uint64_t seed) -> Method {
            const GacOptions options{named<VariableOrder>(variable_order, {"domain", "dom_wdeg", "first"}),
                                     named<ValueOrder>(value_order, {"first", "support", "random"}), settle,
                                     max_placements, seed};
            return [=](const PuzzleClues& clues) { return make_gac_search(clues, options); };
        },
        "variable_order"_a, "value_order"_a, "settle"_a, "max_placements"_a, "seed"_a,
        "Return the search over lines that maintains generalised arc consistency: `variable_order` chooses a "
        "line, `value_order` its placement, `settle` settles lines before, and a puzzle with more than "
        "`max_placements` of a line is `Unsupported`.");
    m.def(
        "search_by_segments",
        [](std::string_view pixel) -> Method {
            const auto choice = named<PixelChoice>(pixel, {"fewest", "first"});
            return [=](const PuzzleClues& clues) { return make_segments_search(clues, choice); };
        },
        "pixel"_a, "Return the search by messages between pixels and segments; it branches on a `pixel`.");
    m.def(
        "search_by_two_sat",
        [](bool looks_ahead, bool complete) -> Method {
            return
                [=](const PuzzleClues& clues) { return make_two_sat_search(clues, {looks_ahead, complete}); };
        },
        "looks_ahead"_a, "complete"_a,
        "Return the search by 2-SAT relaxations of the lines; it tries candidates of open cells if it "
        "`looks_ahead` (Solver1), and only narrows the root if it is not `complete`.");
    m.def(
        "search_by_probing",
        [](ProbingLevel level, bool groups, std::size_t min_group, std::string_view score,
           std::string_view order, std::uint64_t seed) -> Method {
            const auto weighs =
                named<ProbingScore>(score, {"sum", "min", "max", "product", "sqrt", "min_logm", "min_logd"});
            const auto first = named<ProbingOrder>(order, {"larger", "smaller", "background", "random"});
            const ProbingOptions options{level, groups, min_group, weighs, first, seed};
            return [=](const PuzzleClues& clues) { return make_probing_search(clues, options); };
        },
        "level"_a, "groups"_a, "min_group"_a, "score"_a, "order"_a, "seed"_a,
        "Return the depth-first search that probes at every node, at a `level`; it paints `groups` of at "
        "least "
        "`min_group` cells at once, and branches on the cell of the best `score`, in an `order`.");
}

Method search_by_hybrid(bool backtracking, std::int64_t budget, std::string_view guidance, std::size_t memory,
                        std::uint64_t seed, std::size_t threads,
                        const std::map<std::string, double>& parameters, std::shared_ptr<ProofLog> proof) {
    const std::size_t most = std::size_t{4} << 30;  // a clause is found by an index of 32 bits
    HybridOptions options{
        backtracking,           budget, named<Guidance>(guidance, {"none", "beliefs", "dives"}),
        std::min(memory, most), seed,   std::max(threads, std::size_t{1})};
    options.proof = std::move(proof);
    for (const auto& [name, value] : parameters) set_parameter(options.search, name, value);
    return [=](const PuzzleClues& clues) { return std::make_unique<HybridSearch>(clues, options); };
}

nb::object default_of(const SearchParameter& parameter) {
    const double value = parameter.get(SearchOptions{});
    if (parameter.is_whole()) return nb::int_(static_cast<std::int64_t>(value));
    return nb::float_(value);
}

void bind_hybrid(nb::module_& m) {
    nb::class_<ProofLog>(m, "ProofLog", "A proof that `search_by_hybrid` writes, in the binary form of DRAT.")
        .def(nb::init<std::size_t>(), "most_bytes"_a, "Make an empty proof of at most `most_bytes`.")
        .def_prop_ro(
            "content", [](const ProofLog& log) { return nb::bytes(log.bytes().data(), log.bytes().size()); },
            "The proof so far.");
    m.def("search_by_hybrid", &search_by_hybrid, "backtracking"_a, "budget"_a, "guidance"_a, "memory"_a,
          "seed"_a, "threads"_a = 1, "parameters"_a = std::map<std::string, double>{}, "proof"_a = nb::none(),
          R"(Return the search by backtracking, by probing, and by learning once the budget is spent.

`guidance` leads to a first solution, `threads` race, `budget` probes are made, and two more for each candidate that they remove. `memory` is in bytes, `parameters`
are those of `search_parameters`, and `proof` gets a proof of what the search finds; then it uses one thread.)");
    nb::class_<SearchParameter>(m, "SearchParameter",
                                "A parameter of the learning search; values with names are numbered from 0.")
        .def_ro("name", &SearchParameter::name, "Its name.")
        .def_prop_ro("default", &default_of, nb::sig("def default(self) -> int | float"),
                     "The value that it has otherwise; an int if only whole numbers are valid.")
        .def_ro("least", &SearchParameter::least, "The smallest valid value.")
        .def_ro("most", &SearchParameter::most, "The largest valid value.")
        .def_ro("choices", &SearchParameter::choices, "The names of its values; empty for a number.");
    m.def("search_parameters", &search_parameters,
          "Return all parameters of the learning search that `search_by_hybrid` takes.");
}

}  // namespace

void bind_search(nb::module_& m) {
    bind_exception<TooManyStates>(m, "TooManyStates",
                                  "A method that keeps states would need more memory than it may use.",
                                  PyExc_MemoryError);
    nb::class_<Search>(m, "Search", "A stream of the solutions of a puzzle; `Method.search` makes one.")
        .def("next", &next, "stop"_a.none(), "wall"_a.none(),
             "Return the next solution as candidate sets, shape (rows, columns); None after the last.")
        .def("statistics", &Search::statistics, "Return what was counted so far, as (name, value) pairs.");
    nb::class_<Method>(m, "Method",
                       "A way to search, with its options; the ``search_by_…`` functions make one.")
        .def("search", &Method::operator(), nb::keep_alive<0, 2>(), "clues"_a,
             "Return a search of a puzzle, at its start.");
    nb::class_<SolutionCounter> counter(m, "SolutionCounter",
                                        "Counts all solutions by sweeps over the cells.");
    bind_counter<SolutionCounter>(counter);
    counter.def("statistics", &SolutionCounter::statistics,
                "Return what was counted so far, as (name, value) pairs.");
    nb::class_<MddSearch, Search> diagrams(m, "MddSearch",
                                           "A stream of solutions from decision diagrams of all of them.");
    bind_counter<MddSearch>(diagrams);
    bind_methods(m);
    bind_hybrid(m);
}

}  // namespace nonocsp
