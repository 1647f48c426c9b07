// Binds the hybrid search and its proofs.
#include "hybrid/hybrid.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <string>

#include "bindings/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

Method search_by_hybrid(bool backtracking, std::int64_t budget, Guidance guidance, std::size_t memory,
                        std::uint64_t seed, std::size_t threads,
                        const std::map<std::string, double>& parameters, std::shared_ptr<ProofLog> proof) {
    const std::size_t most = std::size_t{4} << 30;  // a clause is found by an index of 32 bits
    HybridOptions options{backtracking,           budget, guidance,
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

}  // namespace

void bind_hybrid(nb::module_& m) {
    nb::enum_<Guidance>(m, "Guidance", "Guidance of `search_by_hybrid` to a first solution.")
        .value("NONE", Guidance::kNone, "None.")
        .value("BELIEFS", Guidance::kBeliefs, "Likely values first.")
        .value("DIVES", Guidance::kDives, "Likely values first, and dives along beliefs.");
    nb::class_<ProofLog>(m, "ProofLog", "A proof that `search_by_hybrid` writes, in the binary form of DRAT.")
        .def(nb::init<std::size_t>(), "most_bytes"_a, "Make an empty proof of at most `most_bytes`.")
        .def_prop_ro(
            "content", [](const ProofLog& log) { return nb::bytes(log.bytes().data(), log.bytes().size()); },
            "The proof so far.");
    m.def("search_by_hybrid", &search_by_hybrid, "backtracking"_a, "budget"_a, "guidance"_a, "memory"_a,
          "seed"_a, "threads"_a = 1, "parameters"_a = std::map<std::string, double>{}, "proof"_a = nb::none(),
          R"(Return the search by backtracking, by probing, and by learning once the budget is spent.

Parameters
----------
backtracking
    Whether to begin with plain backtracking.
budget
    Probes, and two more for each candidate that they remove.
guidance
    What leads to a first solution.
memory
    Bytes for learnt clauses, at most 4 GiB.
threads
    How many learning searches race; with more than one, chance decides which solution comes first.
parameters
    Parameters of the learning search by name, as `search_parameters` describes them.
proof
    Gets a proof of what the search finds; then it uses one thread.)");
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

}  // namespace nonocsp
