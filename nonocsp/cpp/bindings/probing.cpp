// Binds fully probing: the search, and its fixpoint by itself.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "probing/probing_search.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using GroupsOut = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;

// Numbers the groups of two or more cells from 1 on; those opposite to a group's first cell are negative.
template <class Board>
void write_groups(const ProbedBoard<Board>& probed, std::int32_t* numbers) {
    std::fill_n(numbers, probed.board.lines(Axis::kRow) * probed.board.lines(Axis::kColumn), 0);
    if (probed.groups.empty()) return;  // there was nothing to probe
    std::int32_t group = 0;
    probed.board.for_each_open([&](Cell cell) {
        const std::size_t first = probed.number(cell);
        if (numbers[first] != 0 || probed.groups.size_of(first) == 1) return;
        ++group;
        probed.groups.for_each_member(
            first, [&](std::size_t member, bool opposite) { numbers[member] = opposite ? -group : group; });
    });
}

struct ProbingResult {
    bool fits = true, interrupted = false;
    std::int64_t probes = 0, settles = 0;
};

// Narrows cells by probing, and writes the groups if they are asked for.
template <class Board>
ProbingResult narrow_by_probing(const PuzzleClues& clues, ProbingLevel level, std::span<Word> cells,
                                std::int32_t* groups, Watch& watch) {
    Prober<Board> prober(clues, level, groups != nullptr);
    ProbedBoard<Board> probed(Board(clues.rows.size(), clues.columns.size(), clues.colours));
    probed.board.read(cells);
    ProbingResult result;
    try {
        result.fits = prober.start(probed, watch) && prober.to_fixpoint(probed, nullptr, watch);
    } catch (const Interrupted&) {
        result.interrupted = true;
    }
    probed.board.write(cells);
    if (groups != nullptr) write_groups(probed, groups);
    result.probes = prober.probes();
    result.settles = prober.settles();
    return result;
}

auto probe_fixpoint(const PuzzleClues& clues, const std::optional<CellsIn>& cells, ProbingLevel level,
                    bool with_groups, const StopFlag* stop, std::optional<double> seconds) {
    const std::size_t rows = clues.rows.size(), columns = clues.columns.size();
    if (cells) check_shape(*cells, rows, columns);
    CellsOut out = new_array<Word>(rows, columns);
    const std::span<Word> narrowed(out.data(), out.size());
    if (cells)
        std::ranges::copy(span_of(*cells), narrowed.begin());
    else
        std::ranges::fill(narrowed, ~Word{0});
    std::optional<GroupsOut> groups;
    if (with_groups) groups = new_array<std::int32_t>(rows, columns);
    Watch watch(stop, seconds, look_for_signals);
    ProbingResult result;
    {
        nb::gil_scoped_release unlocked;
        const auto narrow = takes_small_boards(clues, level, with_groups) ? narrow_by_probing<SmallBoard>
                                                                          : narrow_by_probing<Board>;
        result = narrow(clues, level, narrowed, groups ? groups->data() : nullptr, watch);
    }
    return std::tuple(out, groups, !result.fits, result.probes, result.settles, result.interrupted);
}

Method search_by_probing(ProbingLevel level, bool groups, std::size_t min_group, ProbingScore score,
                         ProbingOrder order, std::uint64_t seed, std::optional<std::int64_t> budget) {
    const ProbingOptions options{level, groups, min_group, score, order, seed, budget};
    return [=](const PuzzleClues& clues) { return make_probing_search(clues, options); };
}

std::optional<CellsOut> root(const ProbingSearch& search) {
    const Board* root = search.root();
    if (root == nullptr) return std::nullopt;
    CellsOut cells = new_array<Word>(root->lines(Axis::kRow), root->lines(Axis::kColumn));
    root->write({cells.data(), cells.size()});
    return cells;
}

}  // namespace

void bind_probing(nb::module_& m) {
    nb::enum_<ProbingLevel>(m, "ProbingLevel", "What probes know of each other (Wu et al. 2013).")
        .value("FP1", ProbingLevel::kFp1, "Nothing.")
        .value("FP2", ProbingLevel::kFp2,
               "Contrapositives: if probing a excludes b, the probe of b starts without a.")
        .value("FP3", ProbingLevel::kFp3,
               "Also what follows from them: a probe that decides a cell excludes what the cell's own probe "
               "does.");
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
    m.def("probe_fixpoint", &probe_fixpoint, nb::arg("clues"), nb::arg("cells").none(), nb::arg("level"),
          nb::arg("with_groups"), nb::arg("stop").none(), nb::arg("wall").none(),
          R"(Probe every open cell until nothing changes.

Parameters
----------
clues
    The puzzle.
cells
    Candidate sets to start from, shape (rows, columns); None: everything is possible.
level
    What the probes know of each other.
with_groups
    Whether to collect groups of cells.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Returns
-------
tuple
    Candidates, groups or None (both of shape (rows, columns)), whether there is a contradiction, probes, lines
    settled, whether the call was interrupted.

Raises
------
Unsupported
    If the level is not FP1, and line solving leaves more than 8192 candidates of open cells.)");
    bind_exception<BudgetSpent>(m, "BudgetSpent", "The search has made all the probes that it may make.");
    nb::class_<ProbingSearch, Search>(
        m, "ProbingSearch",
        "The search that `search_by_probing` makes; its `next` also raises `BudgetSpent`.")
        .def_prop_ro("root", &root, nb::rv_policy::move,
                     "Candidates of the root after its probes, without the solutions that they completed, "
                     "shape (rows, columns); None before that, or if nothing is left.");
    m.def("search_by_probing", &search_by_probing, nb::arg("level"), nb::arg("groups"), nb::arg("min_group"),
          nb::arg("score"), nb::arg("order"), nb::arg("seed"), nb::arg("budget").none() = nb::none(),
          R"(Return the depth-first search that probes at every node; it makes a `ProbingSearch`.

Parameters
----------
level
    What the probes know of each other.
groups, min_group
    Whether to paint groups at once, and the smallest group that is.
score, order
    How to choose the cell to branch on, and its first candidate.
seed
    Seed of the random choices.
budget
    The most probes after the root; at the root that many, and two more for each candidate that they remove.)");
}

}  // namespace nonocsp
