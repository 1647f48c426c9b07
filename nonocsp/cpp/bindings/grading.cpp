// Binds the walks of people: steps, hints, and what a puzzle asks of a person.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string_view.h>

#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grading/effort.hpp"
#include "grading/techniques.hpp"
#include "grading/walk.hpp"
#include "judging/methods.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

using Record = nb::typed<nb::dict, nb::str, nb::any>;
using Records = nb::typed<nb::list, Record>;

Record record_of(const StepReason& reason) {
    Record record;
    record["why"] = kWhyNames[static_cast<std::size_t>(reason.why)];
    for_each_field(reason, [&](const char* name, const auto& value) { record[name] = value; });
    return record;
}

Record record_of(const WalkStep& step) {
    Record record;
    Records reasons;
    nb::list changes;
    for (const StepReason& reason : step.reasons) reasons.append(record_of(reason));
    for (const auto& [cell, before, after] : step.changes)
        changes.append(nb::make_tuple(cell.row, cell.column, before, after));
    record["technique"] = catalogued(step.technique).name;
    record["line"] = placed(step.line);
    record["changes"] = changes;
    record["blocks"] = step.blocks;
    record["reasons"] = reasons;
    record["more"] = step.more;
    record["trail"] = all_placed(step.trail);
    return record;
}

Records records_of(const std::vector<WalkStep>& steps) {
    Records records;
    for (const WalkStep& step : steps) records.append(record_of(step));
    return records;
}

auto walk(const PuzzleClues& clues, const CellsIn& cells, bool asks, const StopFlag* stop,
          std::optional<double> seconds) {
    std::vector<WalkStep> steps;
    Board board = board_of(clues, cells);
    const auto contradiction = unlocked(stop, seconds, [&](Watch& watch) {
        Walk walk(clues, std::move(board), asks);
        while (walk.next(kAll, watch) == Progressed::kFound) steps.push_back(walk.step());
        return walk.contradiction();
    });
    return std::pair(records_of(steps), placed(contradiction));
}

std::size_t walk_length(const PuzzleClues& clues, const StopFlag* stop, std::optional<double> seconds) {
    return unlocked(stop, seconds, [&](Watch& watch) {
        Walk walk(clues, board_of(clues, std::nullopt), true);
        std::size_t steps = 0;
        while (walk.next(kAll, watch) == Progressed::kFound) ++steps;
        return steps;
    });
}

auto hint(const PuzzleClues& clues, const CellsIn& cells, const CellsIn& known, const StopFlag* stop,
          std::optional<double> seconds) {
    const Board board = board_of(clues, cells), of_solution = board_of(clues, known);
    const Hint hint = unlocked(stop, seconds, [&](Watch& watch) {
        Hint found(clues, board, of_solution, watch);
        found.advance(kAll, watch);
        return found;
    });
    std::vector<std::pair<std::size_t, std::size_t>> wrong;
    for (const auto& [row, column] : hint.wrong()) wrong.emplace_back(row, column);
    std::vector<std::pair<PlacedLine, std::vector<std::size_t>>> broken;
    for (const auto& [line, suspects] : hint.broken()) broken.emplace_back(placed(line), suspects);
    return std::tuple(wrong, broken, placed(hint.clash()), records_of(hint.steps()));
}

Record effort(const PuzzleClues& clues, const StopFlag* stop, std::optional<double> seconds) {
    Effort effort(clues);
    const bool interrupted =
        is_interrupted(stop, seconds, [&](Watch& watch) { effort.advance(kAll, watch); });
    Record record;
    nb::dict techniques;
    for (std::size_t i = 0; i < kTechniques; ++i)
        if (effort.techniques()[i] != 0) techniques[nb::cast(kCatalogue[i].name)] = effort.techniques()[i];
    record["least"] = kLevelNames[static_cast<std::size_t>(effort.least())];
    record["is_complete"] = effort.is_complete();
    record["is_full"] = effort.is_full();
    record["is_interrupted"] = interrupted;
    record["contradiction"] = placed(effort.contradiction());
    record["techniques"] = techniques;
    record["rounds"] = nb::tuple(nb::cast(effort.rounds()));
    record["chain"] = effort.chain();
    record["open_cells"] = effort.open_cells();
    record["grades"] = nb::tuple(nb::cast(effort.grades()));
    record["decided_in"] =
        array_of<std::int32_t>(effort.decided_in(), clues.rows.size(), clues.columns.size());
    return record;
}

// The number of a name in a table.
std::size_t number_of(const auto& table, std::string_view name, auto projection) {
    const auto known = std::ranges::find(table, name, projection);
    if (known == table.end())
        throw std::invalid_argument("there must be a name of the core: " + std::string(name));
    return static_cast<std::size_t>(known - table.begin());
}

// The findings of one technique in one line: cells with the candidates that they keep, reason, blocks.
auto line_findings(std::string_view technique, const Flat& flat, const CellsIn& cells, std::size_t colours) {
    const Clues clues = one_clue(flat, cells.shape(1), colours);
    const std::vector<Word> line(cells.data(), cells.data() + cells.shape(1));
    std::vector<std::tuple<Kept, Record, BlockList>> found;
    for (const auto& [kept, reason, blocks] :
         findings(static_cast<Technique>(number_of(kCatalogue, technique, &Catalogued::name)),
                  LineState(clues[0], line, colours)))
        found.emplace_back(kept, record_of(reason), blocks);
    return found;
}

// What a method leaves of a grid, or None at a contradiction.
std::optional<CellsOut> narrow_by(std::string_view method, const PuzzleClues& clues, const CellsIn& cells,
                                  const StopFlag* stop, std::optional<double> seconds) {
    Board board = board_of(clues, cells);
    const auto left = unlocked(stop, seconds, [&](Watch& watch) {
        const auto run = start_method(number_of(kMethods, method, std::identity()), clues, span_of(cells));
        while (!run->advance(kAll / 2, watch));
        return run->left();
    });
    if (!left) return std::nullopt;
    board.read(*left);
    return cells_of(board);
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
          R"(Return what a `technique` finds in one line, which some placement must fit.

Returns
-------
list
    For each finding its cells with the candidates that they keep, its reason, and the blocks that the reason is
    about.)");
    m.def(
        "walk", &walk, "clues"_a, "cells"_a, "asks"_a, "stop"_a.none(), "wall"_a.none(),
        R"(Walk through a puzzle as people do; one that `asks` has what-if questions where line solving ends.

Returns
-------
tuple
    The steps, each a dictionary, and the line that no placement fits in the end, or None.)");
    m.def(
        "hint", &hint, "clues"_a, "cells"_a, "known"_a, "stop"_a.none(), "wall"_a.none(),
        R"(Return the mistakes of a grid that is filled in part, or its next steps, as of `walk`; `known` of the solution are candidates.

Mistakes are wrong cells; lines that no placement fits, each with the cells that would mend it; and the line where
line solving ends in a contradiction, or None.)");
    m.def("walk_length", &walk_length, "clues"_a, "stop"_a.none(), "wall"_a.none(),
          "Return the number of steps of `walk` from the clues alone, with what-if questions.");
    m.def("effort", &effort, "clues"_a, "stop"_a.none(), "wall"_a.none(),
          "Return what a puzzle asks of a person: the fields of `Effort` in grading/effort.hpp.");
}

}  // namespace nonocsp
