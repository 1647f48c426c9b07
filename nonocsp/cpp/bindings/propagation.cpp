// Binds the stop flag, the clues of a puzzle, and what narrows its candidates: propagation, probing, beliefs.
#include "beliefs/beliefs.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grid/propagator.hpp"
#include "probing/prober.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

using GroupsOut = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;

enum class Order { kQueue, kSweeps };

// Settles lines from `cells` on, as `settle` does with a propagator and a board.
template <class Settle>
auto propagated(const PuzzleClues& clues, const std::optional<CellsIn>& cells, const StopFlag* stop,
                std::optional<double> seconds, const Settle& settle) {
    Board board = board_of(clues, cells);
    Propagator propagator(clues);
    Sweeps result;
    const bool interrupted =
        is_interrupted(stop, seconds, [&](Watch& watch) { result = settle(propagator, board, watch); });
    return std::tuple(cells_of(board), placed(result.contradiction), propagator.settles(), result.count,
                      interrupted);
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

auto sweeps(const PuzzleClues& clues, const StopFlag* stop, std::optional<double> seconds) {
    Board board = board_of(clues, std::nullopt), turned = board;
    Sweeps by_rows, by_columns;
    const bool interrupted = is_interrupted(stop, seconds, [&](Watch& watch) {
        Propagator propagator(clues);
        propagator.by_sweeps(board, watch, by_rows);
        if (!by_rows.contradiction) propagator.by_sweeps(turned, watch, by_columns, Axis::kColumn);
    });
    return std::tuple(
        cells_of(board), array_of<std::int32_t>(by_rows.decided_in, clues.rows.size(), clues.columns.size()),
        by_rows.count, by_columns.count, by_rows.useful, by_rows.contradiction.has_value(), interrupted);
}

// Numbers the groups of two or more cells from 1 on; those opposite to a group's first cell are negative.
template <class Grid>
GroupsOut groups_of(const ProbedBoard<Grid>& probed) {
    GroupsOut groups =
        new_array<std::int32_t>(probed.board.lines(Axis::kRow), probed.board.lines(Axis::kColumn));
    std::int32_t* numbers = groups.data();
    std::fill_n(numbers, groups.size(), 0);
    if (probed.groups.empty()) return groups;  // there was nothing to probe
    std::int32_t group = 0;
    probed.board.for_each_open([&](Cell cell) {
        const std::size_t first = probed.number(cell);
        if (numbers[first] != 0 || probed.groups.size_of(first) == 1) return;
        ++group;
        probed.groups.for_each_member(
            first, [&](std::size_t member, bool opposite) { numbers[member] = opposite ? -group : group; });
    });
    return groups;
}

template <class Grid>
auto probe(const PuzzleClues& clues, const std::optional<CellsIn>& cells, ProbingLevel level,
           bool with_groups, const StopFlag* stop, std::optional<double> seconds) {
    Prober<Grid> prober(clues, level, with_groups);
    ProbedBoard<Grid> probed(board_of<Grid>(clues, cells));
    bool fits = true;
    const bool interrupted = is_interrupted(stop, seconds, [&](Watch& watch) {
        fits = prober.start(probed, watch) && prober.to_fixpoint(probed, nullptr, watch);
    });
    return std::tuple(cells_of(probed.board), with_groups ? std::optional(groups_of(probed)) : std::nullopt,
                      !fits, prober.probes(), prober.settles(), interrupted);
}

auto probe_fixpoint(const PuzzleClues& clues, const std::optional<CellsIn>& cells, ProbingLevel level,
                    bool with_groups, const StopFlag* stop, std::optional<double> seconds) {
    const auto run = takes_small_boards(clues, level, with_groups) ? probe<SmallBoard> : probe<Board>;
    return run(clues, cells, level, with_groups, stop, seconds);
}

auto beliefs(const PuzzleClues& clues, const CellsIn& cells, std::size_t sweeps, double tolerance,
             const StopFlag* stop, std::optional<double> seconds) {
    const Board board = board_of(clues, cells);
    Beliefs beliefs(clues);
    unlocked(stop, seconds, [&](Watch& watch) { return beliefs.run(board, sweeps, tolerance, watch); });
    auto shares = new_array<double>(clues.rows.size(), clues.columns.size(), clues.colours);
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares.data()[i] = beliefs.belief(i / clues.colours, i % clues.colours);
    return shares;
}

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
    bind_exception<Interrupted>(m, "Interrupted", "A stop flag was set, or the time is over.");
    bind_exception<Unsupported>(m, "Unsupported",
                                "A puzzle is beyond a method; the message says which limit.");
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
        .def("report", &report, "stage"_a, "open_cells"_a.none() = nb::none(),
             "Tell that a `stage` of a search outside the core begins, with `open_cells` at the root.");
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
            "rows"_a, "columns"_a, "colours"_a)
        .def("propagate", &propagate, "cells"_a.none(), "order"_a, "stop"_a.none(), "wall"_a.none(),
             "Settle dirty lines in an `order` until nothing changes; return candidates, the line that no "
             "placement fits or None, lines settled, sweeps, and whether the call was interrupted.")
        .def("sweep", &sweep, "cells"_a.none(), "columns"_a, "stop"_a.none(), "wall"_a.none(),
             "Settle every row, or with `columns` every column, each from the grid as it was at the start; "
             "return what `propagate` returns.")
        .def(
            "sweeps", &sweeps, "stop"_a.none(), "wall"_a.none(),
            "Sweep from the clues alone until nothing changes, rows first; then again, columns first. Return "
            "candidates, for each cell the sweep that decides it or 0, the number of sweeps both ways, lines "
            "that changed, and whether there was a contradiction and an interruption.");
    nb::enum_<ProbingLevel>(m, "ProbingLevel", "What probes know of each other (Wu et al. 2013).")
        .value("FP1", ProbingLevel::kFp1, "Nothing.")
        .value("FP2", ProbingLevel::kFp2,
               "Contrapositives: if probing a excludes b, the probe of b starts without a.")
        .value("FP3", ProbingLevel::kFp3,
               "Also what follows from them: a probe that decides a cell excludes what the cell's own probe "
               "does.");
    m.def("probe_fixpoint", &probe_fixpoint, "clues"_a, "cells"_a.none(), "level"_a, "with_groups"_a,
          "stop"_a.none(), "wall"_a.none(),
          "Probe every open cell until nothing changes, at a `level`, and collect groups of cells "
          "`with_groups`; return the fields of `nonocsp.engine.Probing`.");
    m.def("beliefs", &beliefs, "clues"_a, "cells"_a, "sweeps"_a, "tolerance"_a, "stop"_a.none(),
          "wall"_a.none(),
          "Return the beliefs after at most so many `sweeps` of belief propagation, or when none moves by "
          "the `tolerance`; shape (rows, columns, colours).");
}

}  // namespace nonocsp
