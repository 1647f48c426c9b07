// Binds settle, propagation and the stop flag. Arrays come in C order; every call releases the GIL while it
// works.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grid/propagator.hpp"
#include "line/planes.hpp"
#include "line/start_lists.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using Position = std::tuple<int, std::size_t>;  // axis (0 row, 1 column), position

Board board_of(const PuzzleClues& clues, const std::optional<CellsIn>& cells) {
    const std::size_t rows = clues.rows.size(), columns = clues.columns.size();
    if (cells) check_shape(*cells, rows, columns);
    return Board(rows, columns, clues.colours);
}

enum class Schedule { kQueue, kSweeps, kRows, kColumns };

Sweeps run(Propagator& propagator, Board& board, Schedule schedule, Watch& watch) {
    switch (schedule) {
        case Schedule::kQueue:
            propagator.touch_all();
            return {propagator.to_fixpoint(board, watch)};
        case Schedule::kSweeps:
            return propagator.by_sweeps(board, watch);
        case Schedule::kRows:
            return {propagator.sweep(board, Axis::kRow, watch)};
        case Schedule::kColumns:
            return {propagator.sweep(board, Axis::kColumn, watch)};
    }
    throw std::invalid_argument("unknown schedule");
}

nb::tuple propagate(const PuzzleClues& clues, const std::optional<CellsIn>& cells, Schedule schedule,
                    const StopFlag* stop, std::optional<double> seconds) {
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
            result = run(propagator, board, schedule, watch);
        } catch (const Interrupted&) {
            interrupted = true;
        }
        board.write({out.data(), out.size()});
    }
    std::optional<Position> contradiction;
    if (result.contradiction)
        contradiction = {static_cast<int>(result.contradiction->axis), result.contradiction->position};
    return nb::make_tuple(out, contradiction, propagator.settles(), result.count, interrupted);
}

// A clue with many lines of its length, or many clues with one line each, as planes.
struct Batch {
    Batch(const Flat& flat, const CellsIn& cells, std::size_t colours)
        : clues(cells.shape(1), flat_of(flat)),
          stride(words_for(cells.shape(1)) * colours),
          planes(cells.shape(0) * stride),
          settler(make_settler(cells.shape(1))) {
        if (clues.size() != 1 && clues.size() != cells.shape(0))
            throw std::invalid_argument("there must be one clue, or one for each line");
        check_colours(flat, colours);
        for (std::size_t i = 0; i < cells.shape(0); ++i)
            pack_line(cells.data() + i * cells.shape(1), 1, cells.shape(1), colours, &planes[i * stride]);
    }

    std::size_t size() const { return planes.size() / stride; }
    const Clue& clue(std::size_t i) const { return clues[clues.size() == 1 ? 0 : i]; }
    std::span<const Word> line(std::size_t i) const { return std::span(planes).subspan(i * stride, stride); }

    Clues clues;
    std::size_t stride;
    std::vector<Word> planes;
    std::unique_ptr<Settler> settler;
};

nb::tuple settle_lines(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    CellsOut out = new_array<Word>(cells.shape(0), cells.shape(1));
    auto fits = new_array<bool>(cells.shape(0));
    {
        nb::gil_scoped_release unlocked;
        Batch batch(flat, cells, colours);
        std::vector<Word> settled(batch.stride);
        for (std::size_t i = 0; i < cells.shape(0); ++i) {
            fits.data()[i] = batch.settler->settle(batch.clue(i), batch.line(i), settled);
            if (!fits.data()[i]) std::fill(settled.begin(), settled.end(), Word{0});
            unpack_line(settled.data(), cells.shape(1), colours, out.data() + i * cells.shape(1));
        }
    }
    return nb::make_tuple(out, fits);
}

auto feasible_lines(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    auto fits = new_array<bool>(cells.shape(0));
    {
        nb::gil_scoped_release unlocked;
        Batch batch(flat, cells, colours);
        for (std::size_t i = 0; i < cells.shape(0); ++i)
            fits.data()[i] = batch.settler->feasible(batch.clue(i), batch.line(i));
    }
    return fits;
}

// Seconds that `repeats` rounds of settling every line take, packing and unpacking left out.
double time_settle(const Flat& flat, const CellsIn& cells, std::size_t colours, std::size_t repeats) {
    nb::gil_scoped_release unlocked;
    Batch batch(flat, cells, colours);
    std::vector<Word> settled(batch.stride);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t round = 0; round < repeats; ++round)
        for (std::size_t i = 0; i < batch.size(); ++i)
            batch.settler->settle(batch.clue(i), batch.line(i), settled);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A list with one array of cells a block, or None.
nb::object starts(const Flat& flat, const CellsIn& cells, std::size_t colours) {
    Batch batch(flat, cells, colours);
    StartLists lists;
    const BlockStarts* starts = lists.find(batch.clue(0), batch.line(0), *batch.settler);
    if (starts == nullptr) return nb::none();
    nb::list blocks;
    for (const std::vector<std::int32_t>& found : *starts) {
        auto array = new_array<std::int32_t>(found.size());
        std::copy(found.begin(), found.end(), array.data());
        blocks.append(array);
    }
    return blocks;
}

}  // namespace

void bind_lines(nb::module_& m) {
    nb::class_<StopFlag>(m, "StopFlag")
        .def(nb::init<>())
        .def("set", &StopFlag::set)
        .def("is_set", &StopFlag::is_set);
    nb::enum_<Schedule>(m, "Schedule")
        .value("QUEUE", Schedule::kQueue)
        .value("SWEEPS", Schedule::kSweeps)
        .value("ROWS", Schedule::kRows)
        .value("COLUMNS", Schedule::kColumns);
    nb::class_<PuzzleClues>(m, "PuzzleClues")
        .def("__init__",
             [](PuzzleClues* self, const Flat& rows, const Flat& columns, std::size_t colours) {
                 check_colours(rows, colours);
                 new (self) PuzzleClues(flat_of(rows), flat_of(columns), colours);
             })
        .def("propagate", &propagate, nb::arg("cells").none(), nb::arg("schedule"), nb::arg("stop").none(),
             nb::arg("seconds").none());
    m.def("settle_lines", &settle_lines);
    m.def("feasible_lines", &feasible_lines);
    m.def("starts", &starts);
    m.def("time_settle", &time_settle);
}

}  // namespace nonocsp
