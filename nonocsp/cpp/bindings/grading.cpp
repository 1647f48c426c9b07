// Binds the walks of people: steps, hints, and what a puzzle asks of a person.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grading/effort.hpp"
#include "grading/hint.hpp"
#include "grading/techniques.hpp"
#include "grading/walk.hpp"
#include "judging/methods.hpp"
#include "line/planes.hpp"
#include "line/settler.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

using Record = nb::typed<nb::dict, nb::str, nb::any>;
using Records = nb::typed<nb::list, Record>;
std::optional<PlacedLine> placed(const std::optional<LineId>& line) {
    return line ? std::optional(placed(*line)) : std::nullopt;
}

Board grid_of(const PuzzleClues& clues, const CellsIn& cells) {
    check_shape(cells, clues.rows.size(), clues.columns.size());
    Board board(clues.rows.size(), clues.columns.size(), clues.colours);
    board.read(span_of(cells));
    return board;
}

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

auto walk(const PuzzleClues& clues, const CellsIn& cells, bool asks, const StopFlag* stop,
          std::optional<double> seconds) {
    std::vector<WalkStep> steps;
    std::optional<LineId> contradiction;
    Board board = grid_of(clues, cells);
    Watch watch(stop, seconds, look_for_signals);
    {
        nb::gil_scoped_release unlocked;
        Walk walk(clues, std::move(board), asks);
        while (walk.next(kAll, watch) == Progressed::kFound) steps.push_back(walk.step());
        contradiction = walk.contradiction();
    }
    Records records;
    for (const WalkStep& step : steps) records.append(record_of(step));
    return std::pair(records, placed(contradiction));
}

auto hint(const PuzzleClues& clues, const CellsIn& cells, const CellsIn& known, const StopFlag* stop,
          std::optional<double> seconds) {
    const Board board = grid_of(clues, cells), of_solution = grid_of(clues, known);
    Watch watch(stop, seconds, look_for_signals);
    std::optional<Hint> hint;
    {
        nb::gil_scoped_release unlocked;
        hint.emplace(clues, board, of_solution, watch);
        hint->advance(kAll, watch);
    }
    Records steps;
    for (const WalkStep& step : hint->steps()) steps.append(record_of(step));
    std::vector<std::pair<std::size_t, std::size_t>> wrong;
    for (const auto& [row, column] : hint->wrong()) wrong.emplace_back(row, column);
    std::vector<std::pair<PlacedLine, std::vector<std::size_t>>> broken;
    for (const auto& [line, suspects] : hint->broken()) broken.emplace_back(placed(line), suspects);
    return std::tuple(wrong, broken, placed(hint->clash()), steps);
}

Record effort(const PuzzleClues& clues, const StopFlag* stop, std::optional<double> seconds) {
    Watch watch(stop, seconds, look_for_signals);
    std::optional<Effort> effort;
    bool interrupted = false;
    {
        nb::gil_scoped_release unlocked;
        effort.emplace(clues);
        try {
            effort->advance(kAll, watch);
        } catch (const Interrupted&) {
            interrupted = true;
        }
    }
    Record record;
    nb::dict techniques;
    for (std::size_t i = 0; i < kTechniques; ++i)
        if (effort->techniques()[i] != 0) techniques[nb::cast(kCatalogue[i].name)] = effort->techniques()[i];
    auto decided_in = new_array<std::int32_t>(clues.rows.size(), clues.columns.size());
    std::ranges::copy(effort->decided_in(), decided_in.data());
    record["least"] = kLevelNames[static_cast<std::size_t>(effort->least())];
    record["is_complete"] = effort->is_complete();
    record["is_full"] = effort->is_full();
    record["is_interrupted"] = interrupted;
    record["contradiction"] = placed(effort->contradiction());
    record["techniques"] = techniques;
    record["rounds"] = nb::tuple(nb::cast(effort->rounds()));
    record["chain"] = effort->chain();
    record["open_cells"] = effort->open_cells();
    record["grades"] = nb::tuple(nb::cast(effort->grades()));
    record["decided_in"] = decided_in;
    return record;
}

// The findings of one technique in one line: cells with the candidates that they keep, reason, blocks.
auto line_findings(std::string_view technique, const Flat& flat, const CellsIn& cells, std::size_t colours) {
    check_colours(flat, colours);
    const Clues clues(cells.shape(1), flat_of(flat));
    if (clues.size() != 1 || cells.shape(0) != 1)
        throw std::invalid_argument("there must be one clue, and one line");
    const auto catalogued = std::ranges::find(kCatalogue, technique, &Catalogued::name);
    if (catalogued == kCatalogue.end()) throw std::invalid_argument("the technique is unknown");
    std::vector<Word> planes(words_for(cells.shape(1)) * colours);
    pack_line(cells.data(), 1, cells.shape(1), colours, planes.data());
    if (!make_settler(cells.shape(1))->feasible(clues[0], planes))
        throw std::invalid_argument("no placement of the clue fits the line");
    const LineState line(clues[0], {cells.data(), cells.data() + cells.shape(1)}, colours);
    std::vector<std::tuple<Kept, Record, BlockList>> found;
    for (const auto& [kept, reason, blocks] :
         findings(static_cast<Technique>(catalogued - kCatalogue.begin()), line))
        found.emplace_back(kept, record_of(reason), blocks);
    return found;
}

// What a method leaves of a grid, or None at a contradiction.
auto narrow_by(std::string_view method, const PuzzleClues& clues, const CellsIn& cells, const StopFlag* stop,
               std::optional<double> seconds) {
    check_shape(cells, clues.rows.size(), clues.columns.size());
    const auto known = std::ranges::find(kMethods, method);
    if (known == kMethods.end()) throw std::invalid_argument("the method is unknown");
    Watch watch(stop, seconds, look_for_signals);
    std::optional<std::vector<Word>> left;
    {
        nb::gil_scoped_release unlocked;
        const auto run =
            start_method(static_cast<std::size_t>(known - kMethods.begin()), clues, span_of(cells));
        while (!run->advance(kAll / 2, watch));
        left = run->left();
    }
    std::optional<CellsOut> out;
    if (left) {
        out = new_array<Word>(clues.rows.size(), clues.columns.size());
        std::ranges::copy(*left, out->data());
    }
    return out;
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
    m.def("narrow_by", &narrow_by, nb::arg("method"), nb::arg("clues"), nb::arg("cells"),
          nb::arg("stop").none(), nb::arg("wall").none(),
          R"(Return what a method leaves of a grid, shape (rows, columns); None at a contradiction.

Parameters
----------
method
    One of `methods`.
clues
    The puzzle.
cells
    Candidate sets at the fixpoint of settle, shape (rows, columns).
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
Unsupported
    If the puzzle is beyond the method.)");
    m.def("line_findings", &line_findings, nb::arg("technique"), nb::arg("clue"), nb::arg("cells"),
          nb::arg("colours"),
          R"(Return what a technique finds in one line.

Parameters
----------
technique
    Its name.
clue, cells, colours
    As of `settle_lines`, with one clue and one line.

Returns
-------
list
    For each finding its cells with the candidates that they keep, its reason, and the blocks that the reason is
    about.

Raises
------
ValueError
    If no placement fits, or the technique is unknown.)");
    m.def("walk", &walk, nb::arg("clues"), nb::arg("cells"), nb::arg("asks"), nb::arg("stop").none(),
          nb::arg("wall").none(),
          R"(Walk through a puzzle as people do.

Parameters
----------
clues
    The puzzle.
cells
    Candidate sets to start from, shape (rows, columns).
asks
    Whether to ask what-if questions where line solving ends.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Returns
-------
tuple
    The steps, each a dictionary, and the line that no placement fits in the end, or None. A line is axis (0 for
    rows) and position.

Raises
------
Interrupted
    If the flag was set or the time is over.)");
    m.def("hint", &hint, nb::arg("clues"), nb::arg("cells"), nb::arg("known"), nb::arg("stop").none(),
          nb::arg("wall").none(),
          R"(Return the mistakes of a grid that is filled in part, or its next step.

Parameters
----------
clues
    The puzzle.
cells
    Candidate sets of the grid, shape (rows, columns).
known
    What is known of the solution, as candidate sets.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Returns
-------
tuple
    Wrong cells; lines that no placement fits, each with the cells that would mend it; the line where line
    solving ends in a contradiction, or None; the steps, as of `walk`.

Raises
------
Interrupted
    If the flag was set or the time is over.)");
    m.def("effort", &effort, nb::arg("clues"), nb::arg("stop").none(), nb::arg("wall").none(),
          R"(Measure what a puzzle asks of a person.

Parameters
----------
clues
    The puzzle.
stop, wall
    A flag, and a number of seconds, that end the walk early.

Returns
-------
dict
    The fields of `Effort` in grading/effort.hpp.)");
}

}  // namespace nonocsp
