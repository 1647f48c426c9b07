// Binds the marginals of a line and belief propagation.
#include "beliefs/beliefs.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <vector>

#include "beliefs/marginals.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "line/planes.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using WeightsIn = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using SharesOut = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

constexpr double kLargestRatio = 1e75;

// The weights of one cell, by colour, relative to colour 1 or, where that is excluded, to the largest.
class CellWeights {
  public:
    CellWeights(const double* weights, std::size_t colours)
        : weights_(weights),
          unit_(weights[1] > 0 ? weights[1]
                               : std::max(*std::max_element(weights, weights + colours), 1e-300)) {
        for (std::size_t colour = 0; colour < colours; ++colour)
            if (!std::isfinite(weights[colour]) || weights[colour] < 0)
                throw std::invalid_argument("a weight is negative or not finite");
    }

    bool excludes(std::size_t colour) const { return weights_[colour] == 0; }

    // 1 where the colour is excluded.
    double relative(std::size_t colour) const {
        if (excludes(colour)) return 1;
        const double ratio = weights_[colour] / unit_;
        if (ratio > kLargestRatio || ratio < 1 / kLargestRatio)
            throw std::invalid_argument("two weights of a cell differ by more than a factor of 1e75");
        return ratio;
    }

  private:
    const double* weights_;
    double unit_;
};

// One line with weights; what they exclude is no candidate.
struct WeighedLine {
    WeighedLine(const Flat& flat, const CellsIn& cells, const WeightsIn& weights)
        : length(cells.shape(1)),
          colours(weights.shape(1)),
          clues(length, flat_of(flat)),
          planes(words_for(length) * colours),
          marginals(length, colours, std::numeric_limits<double>::infinity()) {
        if (weights.shape(0) != length) throw std::invalid_argument("every cell has its weights");
        for (const std::int32_t colour : span_of(std::get<2>(flat)))
            if (static_cast<std::size_t>(colour) >= colours)
                throw std::invalid_argument("a block's colour has no weights");
        std::vector<Word> candidates(cells.data(), cells.data() + length);
        for (std::size_t cell = 0; cell < length; ++cell) {
            const CellWeights own(weights.data() + cell * colours, colours);
            for (std::size_t colour = 0; colour < colours; ++colour) {
                if (own.excludes(colour)) candidates[cell] &= ~(Word{1} << colour);
                if (colour != 1) marginals.weights(colour)[cell] = own.relative(colour);
            }
            if ((candidates[cell] & 1) == 0) marginals.weights(0)[cell] = 0;
        }
        pack_line(candidates.data(), 1, length, colours, planes.data());
    }

    // False if no placement has weight.
    bool find() {
        const std::unique_ptr<Settler> settler = make_settler(length);
        offsets.resize(clue().blocks.size() * words_for(clue().slack + 1));
        if (!settler->settle(clue(), std::vector<Word>(planes), planes)) return false;
        if (!settler->offsets(clue(), planes, offsets)) return false;
        lay_out(clue(), offsets, layout);
        return marginals.find(clue(), offsets, layout);
    }

    double share(std::size_t cell, std::size_t colour) const {
        if (cell < layout.begin || cell >= layout.end)
            return contains(&planes[colour * words_for(length)], cell) ? 1 : 0;
        const double total = marginals.total();
        if (colour != 1)
            return std::max(0.0,
                            colour == 0 ? marginals.background()[cell] : marginals.coloured(colour)[cell]) /
                   total;
        double rest = total - marginals.background()[cell];
        for (std::size_t other = 2; other < colours; ++other) rest -= marginals.coloured(other)[cell];
        return std::max(0.0, rest) / total;
    }

    const Clue& clue() const { return clues[0]; }

    std::size_t length, colours;
    Clues clues;
    std::vector<Word> planes, offsets;
    MarginalLayout layout;
    Marginals marginals;
};

// Shares of the cells by colour, and of the blocks by start; or None.
std::optional<std::tuple<SharesOut, SharesOut>> line_marginals(const Flat& flat, const CellsIn& cells,
                                                               const WeightsIn& weights) {
    if (std::get<0>(flat).size() != 2 || weights.shape(1) < 2 || weights.shape(1) > kWordBits)
        throw std::invalid_argument("there must be one clue, and weights of 2 to 64 colours");
    WeighedLine line(flat, cells, weights);
    if (!line.find()) return std::nullopt;
    SharesOut by_cell = new_array<double>(line.length, line.colours);
    SharesOut by_start = new_array<double>(line.clue().blocks.size(), line.length);
    for (std::size_t cell = 0; cell < line.length; ++cell)
        for (std::size_t colour = 0; colour < line.colours; ++colour)
            by_cell.data()[cell * line.colours + colour] = line.share(cell, colour);
    std::fill_n(by_start.data(), by_start.size(), 0.0);
    line.marginals.for_each_start([&](std::size_t block, std::size_t cell, double share) {
        by_start.data()[block * line.length + cell] = share;
    });
    return std::tuple(by_cell, by_start);
}

// The beliefs about one puzzle, and the board that they were last asked about.
class BeliefsOf {
  public:
    explicit BeliefsOf(const PuzzleClues& clues)
        : colours_(clues.colours),
          beliefs_(clues),
          board_(clues.rows.size(), clues.columns.size(), colours_) {}

    std::size_t run(const CellsIn& cells, std::size_t sweeps, double tolerance, const StopFlag* stop,
                    std::optional<double> seconds) {
        check_shape(cells, board_.lines(Axis::kRow), board_.lines(Axis::kColumn));
        Watch watch(stop, seconds, look_for_signals);
        nb::gil_scoped_release unlocked;
        board_.read(span_of(cells));
        return beliefs_.run(board_, sweeps, tolerance, watch);
    }

    auto shares() const {
        const std::size_t rows = board_.lines(Axis::kRow), columns = board_.lines(Axis::kColumn);
        auto out = new_array<double>(rows, columns, colours_);
        for (std::size_t cell = 0; cell < rows * columns; ++cell)
            for (std::size_t colour = 0; colour < colours_; ++colour)
                out.data()[cell * colours_ + colour] = beliefs_.belief(cell, colour);
        return out;
    }

    std::optional<SharesOut> starts(bool of_column, std::size_t position) {
        const LineId id{of_column ? Axis::kColumn : Axis::kRow, position};
        if (position >= board_.lines(id.axis)) throw std::invalid_argument("there is no such line");
        std::vector<double> shares;
        if (!beliefs_.starts(id, board_, shares)) return std::nullopt;
        const std::size_t length = board_.length(id.axis);
        SharesOut out = new_array<double>(shares.size() / length, length);
        std::copy(shares.begin(), shares.end(), out.data());
        return out;
    }

    std::int64_t lines() const { return beliefs_.lines(); }

    void reset() { beliefs_.reset(); }

  private:
    std::size_t colours_;
    Beliefs beliefs_;
    Board board_;
};

// CPU seconds that sweeps from uninformed messages take.
double time_beliefs(const PuzzleClues& clues, const CellsIn& cells, std::size_t sweeps) {
    check_shape(cells, clues.rows.size(), clues.columns.size());
    Board board(clues.rows.size(), clues.columns.size(), clues.colours);
    board.read(span_of(cells));
    Beliefs beliefs(clues);
    const std::clock_t start = std::clock();
    for (std::size_t done = 0; done < sweeps; ++done) beliefs.sweep(board);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

void bind_beliefs(nb::module_& m) {
    m.def("line_marginals", &line_marginals, nb::arg("clue"), nb::arg("cells"), nb::arg("weights"),
          R"(Return the exact marginals of one line over all placements that fit.

Parameters
----------
clue
    One flat clue.
cells
    Candidate sets, shape (1, length).
weights
    Weights of the cells in each colour, shape (length, colours), at least 0; the weights of a cell are within a
    factor of 1e75 of each other.

Returns
-------
tuple or None
    P(cell has colour), shape (length, colours), and P(block starts at cell), shape (blocks, length); None if no
    placement has weight.

Raises
------
ValueError
    If a shape, a colour or a weight does not fit.)");
    m.def("time_beliefs", &time_beliefs, nb::arg("clues"), nb::arg("cells"), nb::arg("sweeps"),
          R"(Return the CPU seconds that `sweeps` sweeps take from uninformed messages.

Parameters
----------
clues
    The puzzle.
cells
    Candidate sets, shape (rows, columns).
sweeps
    Number of sweeps.)");
    nb::class_<BeliefsOf>(m, "Beliefs", "Belief propagation on one puzzle.")
        .def(nb::init<const PuzzleClues&>(), nb::arg("clues"), nb::keep_alive<1, 2>())
        .def("run", &BeliefsOf::run, nb::arg("cells"), nb::arg("sweeps"), nb::arg("tolerance"),
             nb::arg("stop").none(), nb::arg("wall").none(),
             R"(Sweep until no belief moves by the tolerance, and return the number of sweeps.

Parameters
----------
cells
    Candidate sets, shape (rows, columns).
sweeps
    The most sweeps to make.
tolerance
    The smallest change of a belief that asks for another sweep.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.)")
        .def("reset", &BeliefsOf::reset, "Forget all messages.")
        .def("shares", &BeliefsOf::shares, "Return the beliefs, shape (rows, columns, colours).")
        .def("starts", &BeliefsOf::starts, nb::arg("of_column"), nb::arg("position"),
             R"(Return P(block starts at a cell or before it) as of the last run, shape (blocks, length).

Parameters
----------
of_column
    Whether the line is a column.
position
    Number of the line, from 0.

Returns
-------
array or None
    None if no placement has weight.

Raises
------
ValueError
    If there is no such line.)")
        .def_prop_ro("lines", &BeliefsOf::lines, "Number of lines whose marginals were computed.");
}

}  // namespace nonocsp
