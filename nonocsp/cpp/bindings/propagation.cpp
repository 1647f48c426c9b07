// Binds the clues of a puzzle, their propagation and the stop flag. Calls release the GIL while they work.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grid/components.hpp"
#include "grid/propagator.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using Position = std::tuple<int, std::size_t>;  // axis (0 row, 1 column), position

Board board_of(const PuzzleClues& clues, const std::optional<CellsIn>& cells) {
    const std::size_t rows = clues.rows.size(), columns = clues.columns.size();
    if (cells) check_shape(*cells, rows, columns);
    return Board(rows, columns, clues.colours);
}

// The components of settled candidates: first row and column, clues, candidates.
auto components(const PuzzleClues& clues, const CellsIn& cells) {
    Board board = board_of(clues, cells);
    board.read(span_of(cells));
    std::vector<std::tuple<std::size_t, std::size_t, std::unique_ptr<PuzzleClues>, CellsOut>> found;
    for (Component& component : components_of(clues, board)) {
        CellsOut out =
            new_array<Word>(component.board.lines(Axis::kRow), component.board.lines(Axis::kColumn));
        component.board.write({out.data(), out.size()});
        found.emplace_back(component.first.row, component.first.column, std::move(component.clues), out);
    }
    return found;
}

enum class Order { kQueue, kSweeps };

// Settles lines from `cells` on, as `settle` does with a propagator and a board.
template <class Settle>
auto propagated(const PuzzleClues& clues, const std::optional<CellsIn>& cells, const StopFlag* stop,
                std::optional<double> seconds, const Settle& settle) {
    Board board = board_of(clues, cells);
    CellsOut out = new_array<Word>(clues.rows.size(), clues.columns.size());
    Watch watch(stop, seconds, look_for_signals);
    Propagator propagator(clues);
    Sweeps result;
    bool interrupted = false;
    {
        nb::gil_scoped_release unlocked;
        if (cells) board.read(span_of(*cells));
        try {
            result = settle(propagator, board, watch);
        } catch (const Interrupted&) {
            interrupted = true;
        }
        board.write({out.data(), out.size()});
    }
    std::optional<Position> contradiction;
    if (result.contradiction)
        contradiction = {static_cast<int>(result.contradiction->axis), result.contradiction->position};
    return std::tuple(out, contradiction, propagator.settles(), result.count, interrupted);
}

auto propagate(const PuzzleClues& clues, const std::optional<CellsIn>& cells, Order order,
               const StopFlag* stop, std::optional<double> seconds) {
    return propagated(clues, cells, stop, seconds, [&](Propagator& propagator, Board& board, Watch& watch) {
        if (order == Order::kSweeps) return propagator.by_sweeps(board, watch);
        propagator.touch_all();
        return Sweeps{propagator.to_fixpoint(board, watch)};
    });
}

auto sweep(const PuzzleClues& clues, const std::optional<CellsIn>& cells, bool columns, const StopFlag* stop,
           std::optional<double> seconds) {
    return propagated(clues, cells, stop, seconds, [&](Propagator& propagator, Board& board, Watch& watch) {
        return Sweeps{propagator.sweep(board, columns ? Axis::kColumn : Axis::kRow, watch)};
    });
}

constexpr const char* kPropagateDoc =
    R"(Settle dirty lines until nothing changes; at the start every line is dirty.

Parameters
----------
cells
    Candidate sets to start from, shape (rows, columns); None: everything is possible.
order
    Order of the lines.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Returns
-------
tuple
    Candidates, shape (rows, columns); the line that no placement fits, as (axis, position) with axis 0 for
    rows, or None; lines settled; sweeps; whether the call was interrupted.)";

// Stage, conflicts, open cells or None, share or None.
auto snapshot(const StopFlag& stop) {
    const auto [stage, conflicts, open_cells, share] = stop.progress().snapshot();
    return std::tuple(stage, conflicts, open_cells < 0 ? std::nullopt : std::optional(open_cells),
                      share < 0 ? std::nullopt : std::optional(share));
}

void report(const StopFlag& stop, Stage stage, std::optional<std::size_t> open_cells) {
    stop.progress().begin(stage);
    if (open_cells) stop.progress().note_open_cells(*open_cells);
}

}  // namespace

void bind_propagation(nb::module_& m) {
    nb::enum_<Stage>(m, "Stage", "A stage of a search.")
        .value("SEARCHING", Stage::kSearching, "A search of one stage.")
        .value("ENCODING", Stage::kEncoding, "A model is made for another solver.")
        .value("BACKTRACKING", Stage::kBacktracking, "Backtracking with line solving.")
        .value("PROBING", Stage::kProbing, "Fully probing.")
        .value("LEARNING", Stage::kLearning, "A search that learns from its conflicts.")
        .value("COUNTING", Stage::kCounting, "A count without a search.");
    nb::class_<StopFlag>(
        m, "StopFlag",
        "A flag that one thread sets and the core polls; the core tells its progress in return.")
        .def(nb::init<>())
        .def("set", &StopFlag::set, "Tell the calls that poll this flag to stop.")
        .def("is_set", &StopFlag::is_set, "Return whether `set` was called.")
        .def_prop_ro(
            "progress", &snapshot,
            "Stage; conflicts so far; open cells at the root, or None; share of the stage's work that is "
            "done, or None where nobody can tell.")
        .def("report", &report, nb::arg("stage"), nb::arg("open_cells").none() = nb::none(),
             R"(Tell the progress of a search outside the core.

Parameters
----------
stage
    What begins.
open_cells
    Open cells at the root.)");
    nb::enum_<Order>(m, "Order", "In which order dirty lines are settled; the fixpoint is the same.")
        .value("QUEUE", Order::kQueue, "First dirty, first settled.")
        .value("SWEEPS", Order::kSweeps,
               "Alternating h-sweeps and v-sweeps, rows first, as the difficulty of a puzzle is defined.");
    nb::class_<PuzzleClues>(m, "PuzzleClues", "The compiled clues of a puzzle.")
        .def(
            "__init__",
            [](PuzzleClues* self, const Flat& rows, const Flat& columns, std::size_t colours) {
                check_colours(rows, colours);
                new (self) PuzzleClues(flat_of(rows), flat_of(columns), colours);
            },
            nb::arg("rows"), nb::arg("columns"), nb::arg("colours"),
            R"(Compile the clues of a puzzle.

Parameters
----------
rows, columns
    Offsets, lengths and colours of the blocks, as in `nonocsp.model.FlatClues`.
colours
    Number of colours, the background included, 1 to 64.

Raises
------
ValueError
    If a clue does not fit its line, or a colour is unknown.)")
        .def("propagate", &propagate, nb::arg("cells").none(), nb::arg("order"), nb::arg("stop").none(),
             nb::arg("wall").none(), kPropagateDoc)
        .def("components", &components, nb::arg("cells"),
             R"(Split candidates at the fixpoint of settle into independent puzzles.

Parameters
----------
cells
    The candidates of all cells.

Returns
-------
list
    First row, first column, clues and candidates of each component, those with few open cells first.)")
        .def("sweep", &sweep, nb::arg("cells").none(), nb::arg("columns"), nb::arg("stop").none(),
             nb::arg("wall").none(),
             R"(Settle every row, or every column, each from the grid as it was at the start.

Parameters
----------
columns
    Whether to settle columns.
cells, stop, wall
    As in `propagate`.

Returns
-------
tuple
    As of `propagate`.)");
}

}  // namespace nonocsp
