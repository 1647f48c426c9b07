// Binds the walks of people: steps, hints, and what a puzzle asks of a person.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grading/records.hpp"
#include "grading/techniques.hpp"
#include "judging/methods.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

std::string walk(const PuzzleClues& clues, const CellsIn& cells, bool asks, const StopFlag* stop,
                 std::optional<double> seconds) {
    std::vector<WalkStep> steps;
    Board board = board_of(clues, cells);
    const auto contradiction = unlocked(stop, seconds, [&](Watch& watch) {
        Walk walk(clues, Deductions(clues, std::move(board)), asks);
        while (walk.next(kAll, watch) == Progressed::kFound) steps.push_back(walk.step());
        return walk.contradiction();
    });
    return Object()
        .add("steps", list(steps, [](const WalkStep& step) { return record_of(step); }))
        .add("contradiction", json(contradiction))
        .text();
}

std::string hint(const PuzzleClues& clues, const CellsIn& cells, const CellsIn& known, const StopFlag* stop,
                 std::optional<double> seconds) {
    const Board board = board_of(clues, cells), of_solution = board_of(clues, known);
    return unlocked(stop, seconds, [&](Watch& watch) {
        Hint found(clues, board, of_solution, watch);
        found.advance(kAll, watch);
        return record_of(found);
    });
}

auto effort(const PuzzleClues& clues, bool counts_steps, const StopFlag* stop,
            std::optional<double> seconds) {
    const Deductions start(clues, board_of(clues, std::nullopt));
    Effort effort(clues, start);
    std::optional<std::size_t> steps;
    const bool interrupted = is_interrupted(stop, seconds, [&](Watch& watch) {
        effort.advance(kAll, watch);
        if (!counts_steps || !effort.is_complete() || !effort.is_full()) return;
        Walk walk(clues, start, true);
        std::size_t count = 0;
        while (walk.next(kAll, watch) == Progressed::kFound) ++count;
        steps = count;
    });
    return std::tuple(record_of(effort), steps, interrupted);
}

// The number of a name in a table.
std::size_t number_of(const auto& table, std::string_view name, auto projection) {
    const auto known = std::ranges::find(table, name, projection);
    if (known == table.end())
        throw std::invalid_argument("there must be a name of the core: " + std::string(name));
    return static_cast<std::size_t>(known - table.begin());
}

std::string line_findings(std::string_view technique, const Flat& flat, const CellsIn& cells,
                          std::size_t colours) {
    const Clues clues = one_clue(flat, cells.shape(1), colours);
    const std::vector<Word> line(cells.data(), cells.data() + cells.shape(1));
    const auto record = [](const LineFinding& finding) {
        const auto cell = [](const auto& kept) { return array(kept.first, kept.second); };
        return Object()
            .add("cells", list(finding.cells, cell))
            .add("reason", record_of(finding.reason))
            .add("blocks", json(finding.blocks))
            .text();
    };
    const auto number = number_of(kCatalogue, technique, &Catalogued::name);
    return list(findings(static_cast<Technique>(number), LineState(clues[0], line, colours)), record);
}

// What a method leaves of a grid, or None at a contradiction.
std::optional<CellsOut> narrow_by(std::string_view method, const PuzzleClues& clues, const CellsIn& cells,
                                  const StopFlag* stop, std::optional<double> seconds) {
    check_shape(clues, cells);
    const auto left = unlocked(stop, seconds, [&](Watch& watch) {
        const auto run = start_method(number_of(kMethods, method, std::identity()), clues, span_of(cells));
        while (!run->advance(kAll / 2, watch));
        return run->left();
    });
    if (!left) return std::nullopt;
    return array_of<Word>(*left, clues.rows.size(), clues.columns.size());
}

auto catalogue() {
    std::vector<std::pair<std::string_view, int>> techniques;
    for (const auto& [name, grade] : kCatalogue) techniques.emplace_back(name, grade);
    return techniques;
}

}  // namespace

void bind_grading(nb::module_& m) {
    m.def("catalogue", &catalogue, "Return the techniques, the cheapest first: name and grade.");
    m.def(
        "methods", [] { return std::vector(kMethods.begin(), kMethods.end()); },
        "Return the methods between line solving and nested what-if, the weakest first.");
    m.def("narrow_by", &narrow_by, "method"_a, "clues"_a, "cells"_a, "stop"_a.none(), "wall"_a.none(),
          "Return what a `method` leaves of candidates at the fixpoint of settle; None at a contradiction.");
    m.def("line_findings", &line_findings, "technique"_a, "clue"_a, "cells"_a, "colours"_a,
          "Return what a `technique` finds in one line, which some placement must fit, as JSON.");
    m.def("walk", &walk, "clues"_a, "cells"_a, "asks"_a, "stop"_a.none(), "wall"_a.none(),
          "Walk through a puzzle as people do, and return its steps as JSON; one that `asks` has what-if "
          "questions where line solving ends.");
    m.def("hint", &hint, "clues"_a, "cells"_a, "known"_a, "stop"_a.none(), "wall"_a.none(),
          "Return the mistakes of a grid that is filled in part, or its next steps, as JSON; `known` of the "
          "solution are candidates.");
    m.def("effort", &effort, "clues"_a, "counts_steps"_a, "stop"_a.none(), "wall"_a.none(),
          "Return what a puzzle asks of a person, as JSON; if it `counts_steps`, those of `walk` to the full "
          "grid, else or without one None; and whether the call was interrupted.");
}

}  // namespace nonocsp
