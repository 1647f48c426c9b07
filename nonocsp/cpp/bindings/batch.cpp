// Binds runs of a method on one puzzle and on many, and the verifiers of grids and proofs.
#include "batch/batch.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <string_view>
#include <unordered_map>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "verification/drat_check.hpp"
#include "verification/verifier.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

using FlatTuple = nb::typed<nb::tuple, nb::bytes, nb::bytes, nb::bytes>;  // offsets, lengths, colours
using FlatPuzzle = std::tuple<FlatTuple, FlatTuple, std::size_t>;         // rows, columns, colours
using FindingTuple =
    nb::typed<nb::tuple, nb::typed<nb::list, nb::bytes>, std::optional<nb::bytes>, std::optional<nb::bytes>,
              bool, End, nb::str, nb::typed<nb::dict, nb::str, Statistic>, double, double>;

verification::StatedClues stated(const Flat& flat) {
    return {span_of(std::get<0>(flat)), span_of(std::get<1>(flat)), span_of(std::get<2>(flat))};
}

std::vector<std::int32_t> copied(nb::handle array) {
    if (!PyBytes_Check(array.ptr())) throw std::invalid_argument("clues are the bytes of 32-bit numbers");
    const auto numbers = span_of(nb::borrow<nb::bytes>(array));
    return {numbers.begin(), numbers.end()};
}

OwnedClues owned(const nb::tuple& flat) {
    if (flat.size() != 3) throw std::invalid_argument("clues are offsets, lengths and colours");
    return {copied(flat[0]), copied(flat[1]), copied(flat[2])};
}

OwnedPuzzle owned(const FlatPuzzle& puzzle) {
    const auto& [rows, columns, colours] = puzzle;
    if (colours < 1 || colours > kWordBits) throw std::invalid_argument("there are 1 to 64 colours");
    return {owned(rows), owned(columns), colours};
}

nb::object grid_of(const std::vector<Word>& cells) {
    if (cells.empty()) return nb::none();
    return nb::bytes(cells.data(), cells.size() * sizeof(Word));
}

// The Python string of a literal, made once.
nb::handle string_of(std::string_view literal) {
    static auto& known = *new std::unordered_map<const char*, PyObject*>;
    PyObject*& string = known[literal.data()];
    if (string == nullptr) string = PyUnicode_InternFromString(literal.data());
    return string;
}

nb::dict dict_of(const Statistics& statistics) {
    nb::dict dict;
    for (const auto& [name, value] : statistics) {
        dict[string_of(name)] =
            std::visit([](const auto& known) -> nb::object { return nb::cast(known); }, value);
    }
    return dict;
}

FindingTuple tuple_of(const Finding& finding) {
    nb::list solutions;
    for (const auto& cells : finding.solutions) solutions.append(grid_of(cells));
    nb::tuple tuple =
        nb::make_tuple(solutions, grid_of(finding.partial), grid_of(finding.wrong), finding.is_exhausted,
                       finding.end, finding.message, dict_of(finding.statistics), finding.wall, finding.cpu);
    return nb::steal<FindingTuple>(tuple.release());
}

FindingTuple run_once(const Method& method, const FlatPuzzle& puzzle, std::size_t wanted,
                      std::optional<double> seconds, const StopFlag* stop) {
    const OwnedPuzzle copy = owned(puzzle);
    return tuple_of(unlocked(stop, seconds, [&](Watch& watch) {
        return run(method, copy, {wanted, seconds}, watch, CpuOf::kProcess);
    }));
}

void put(Batch& batch, const std::vector<FlatPuzzle>& puzzles) {
    std::vector<OwnedPuzzle> copies;
    copies.reserve(puzzles.size());
    for (const FlatPuzzle& puzzle : puzzles) copies.push_back(owned(puzzle));
    nb::gil_scoped_release unlocked;
    batch.put(std::move(copies));
}

nb::typed<nb::list, FindingTuple> take(Batch& batch, std::size_t most, bool waits) {
    std::vector<Finding> findings;
    {
        nb::gil_scoped_release unlocked;
        findings = batch.take(most, waits, look_for_signals);
    }
    nb::list tuples;
    for (const Finding& finding : findings) tuples.append(tuple_of(finding));
    return nb::steal<nb::typed<nb::list, FindingTuple>>(tuples.release());
}

auto wrong_lines(const Flat& rows, const Flat& columns, const CellsIn& cells) {
    std::vector<std::pair<bool, std::size_t>> lines;
    for (const auto& [is_column, position] :
         verification::wrong_lines(stated(rows), stated(columns), span_of(cells)))
        lines.emplace_back(is_column, position);
    return lines;
}

std::pair<std::int64_t, std::string> check_drat(const Ints& clauses, const nb::bytes& proof,
                                                const nb::object& progress) {
    if (clauses.shape(0) > 0 && clauses.data()[clauses.shape(0) - 1] != 0)
        throw std::invalid_argument("the last clause does not end with 0");
    const std::string_view bytes(proof.c_str(), proof.size());
    nb::gil_scoped_release unlocked;
    const verification::DratCheck found =
        verification::check_drat(span_of(clauses), bytes, [&](std::size_t read) {
            const nb::gil_scoped_acquire locked;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (!progress.is_none()) progress(read);
        });
    return {found.lemmas, found.fault};
}

}  // namespace

void bind_batch(nb::module_& m) {
    nb::enum_<End>(m, "End", "Why a run ended.")
        .value("SETTLED", End::kSettled, "It has the solutions that were wanted, or all there are.")
        .value("INTERRUPTED", End::kInterrupted, "A stop flag was set, or the time is over.")
        .value("UNSUPPORTED", End::kUnsupported, "The puzzle is beyond the method.")
        .value("MEMORY", End::kMemory, "Out of memory.")
        .value("WRONG", End::kWrong, "A grid failed verification, or came twice.")
        .value("FAULT", End::kFault, "Any other exception.");
    m.def(
        "run", &run_once, "method"_a, "puzzle"_a, "wanted"_a, "wall"_a.none(), "stop"_a.none(),
        R"(Run a `method` on a `puzzle`, up to the number of solutions that are `wanted`, and verify each of them.

A puzzle is flat clues of the rows and of the columns, and the number of colours.

Returns
-------
tuple
    Solutions as candidate sets, 64 bits a cell, row by row; the grid where an incomplete method got stuck, and one that failed
    verification, or None; whether there are no other solutions; the end; its message; statistics; wall and CPU
    seconds without verification.)");
    nb::class_<Batch>(
        m, "Batch",
        "Runs of a method on many puzzles, in threads; their findings come in the puzzles' order.")
        .def(
            "__init__",
            [](Batch* self, const Method& method, std::size_t wanted, std::optional<double> seconds,
               std::size_t threads) { new (self) Batch(method, {wanted, seconds}, threads); },
            "method"_a, "wanted"_a, "wall"_a.none(), "threads"_a,
            "Prepare runs of a `method`, each up to the solutions `wanted`, as of `run`, in at most so many "
            "`threads`.")
        .def("put", &put, "puzzles"_a, "Add `puzzles`, as for `run`.")
        .def("take", &take, "most"_a, "waits"_a,
             "Return `most` findings whose turn has come, as those of `run`; `waits` for the first, if there "
             "are "
             "puzzles.")
        .def_prop_ro("size", &Batch::size, "Number of puzzles whose findings were not taken.")
        .def_prop_ro("waiting", &Batch::waiting, "Number of puzzles that no thread has begun.");
    m.def(
        "wrong_lines", &wrong_lines, "rows"_a, "columns"_a, "cells"_a,
        R"(Return the lines of a grid whose runs are not their clue, as (is it a column, position), rows first.

A cell with several candidates, or none, is in no run. It shares no code with the searches.)");
    m.def("check_drat", &check_drat, "clauses"_a, "proof"_a, "progress"_a.none(),
          R"(Check that a proof shows that clauses have no model.

A lemma must follow by unit propagation, or be blocked on its first literal. It shares no code with the searches.

Parameters
----------
clauses
    Literals, each clause with a 0 at its end; otherwise a ValueError.
proof
    In the binary form of DRAT.
progress
    Called now and then with the number of bytes that are checked.

Returns
-------
tuple
    The number of lemmas, and what is wrong and at which byte; empty if nothing is.)");
}

}  // namespace nonocsp
