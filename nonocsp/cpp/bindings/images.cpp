// Binds trials of changes to an image, and the sweeps of many images. Every call releases the GIL.
#include <nanobind/stl/optional.h>

#include <algorithm>

#include "batch/trials.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "census/image_sweeps.hpp"
#include "grid/image_trials.hpp"
#include "judging/best_change.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using ImageIn = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ImagesIn = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ChangesIn = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using CostsIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void construct(ImageTrials* self, const ImageIn& image, std::size_t colours, const StopFlag* stop,
               std::optional<double> seconds) {
    Watch watch(stop, seconds, look_for_signals);
    nb::gil_scoped_release unlocked;
    new (self) ImageTrials({image.data(), image.data() + image.size()}, image.shape(1), colours, watch);
}

CellsOut known(const ImageTrials& trials) {
    const Board& board = trials.known();
    CellsOut out = new_array<Word>(board.lines(Axis::kRow), board.lines(Axis::kColumn));
    board.write({out.data(), out.size()});
    return out;
}

std::vector<Change> changes_of(const ChangesIn& rows) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < rows.shape(0); ++i)
        changes.push_back({{static_cast<std::size_t>(rows(i, 0)), static_cast<std::size_t>(rows(i, 1))},
                           static_cast<std::uint8_t>(rows(i, 2))});
    return changes;
}

auto open_after_each(const ImageTrials& trials, const ChangesIn& rows, bool least, const StopFlag* stop,
                     std::optional<double> seconds, std::size_t jobs) {
    const std::vector<Change> changes = changes_of(rows);
    auto out = new_array<std::int32_t>(changes.size());
    nb::gil_scoped_release unlocked;
    std::ranges::copy(open_after(trials, changes, least, jobs, stop, seconds, look_for_signals), out.data());
    return out;
}

std::size_t best(const ImageTrials& trials, const ChangesIn& rows, const CostsIn& costs, double alpha,
                 const StopFlag* stop, std::optional<double> seconds, std::size_t jobs) {
    const std::vector<Change> changes = changes_of(rows);
    if (changes.empty() || changes.size() != costs.size())
        throw std::invalid_argument("there is a cost for each change, and a change at least");
    Watch watch(stop, seconds, look_for_signals);
    nb::gil_scoped_release unlocked;
    std::vector<std::int32_t> least(changes.size());
    if (trials.known().open_cells() > 0)
        least = open_after(trials, changes, true, jobs, stop, seconds, look_for_signals);
    return best_change(trials, changes, {costs.data(), costs.size()}, alpha, least, watch);
}

auto grade(const ImageSweeps& sweeps, const ImagesIn& images, const StopFlag* stop,
           std::optional<double> seconds) {
    if (images.shape(1) != sweeps.rows() || images.shape(2) != sweeps.columns())
        throw std::invalid_argument("the images do not have the size of the tables");
    const std::size_t cells = sweeps.rows() * sweeps.columns();
    auto counts = new_array<std::int32_t>(images.shape(0)), open = new_array<std::int32_t>(images.shape(0));
    Watch watch(stop, seconds, look_for_signals);
    nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < images.shape(0); ++i) {
        const auto figures = sweeps.grade({images.data() + i * cells, cells}, watch);
        counts.data()[i] = static_cast<std::int32_t>(figures.sweeps);
        open.data()[i] = static_cast<std::int32_t>(figures.open);
    }
    return std::tuple(counts, open);
}

}  // namespace

void bind_images(nb::module_& m) {
    nb::class_<ImageTrials>(
        m, "ImageTrials",
        "What line solving leaves open of the puzzles of images that differ in one cell from an image.")
        .def("__init__", &construct, nb::arg("image"), nb::arg("colours"), nb::arg("stop").none(),
             nb::arg("wall").none(),
             R"(Solve the puzzle of the image itself.

Parameters
----------
image
    Colours, shape (rows, columns).
colours
    Number of colours, the background included.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If the image has no cells, or a colour is unknown.)")
        .def("known", &known,
             "Return what line solving leaves possible of the image's own puzzle, shape (rows, columns).")
        .def("open_after", &open_after_each, nb::arg("changes"), nb::arg("least"), nb::arg("stop").none(),
             nb::arg("wall").none(), nb::arg("jobs") = 1,
             R"(Return how many cells are open after each change, shape (count,).

Parameters
----------
changes
    Row, column and new colour of each change, shape (count, 3).
least
    Whether to return lower bounds, which take a fraction of the time.
stop, wall
    A flag, and a number of seconds, that interrupt the call.
jobs
    Threads.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If a cell or a colour is unknown.)")
        .def("best_change", &best, nb::arg("changes"), nb::arg("costs"), nb::arg("alpha"),
             nb::arg("stop").none(), nb::arg("wall").none(), nb::arg("jobs") = 1,
             R"(Return the index of the change with the least ``alpha * open + cost``, the first of several.

This is *Adapt*, figure 8 of Batenburg et al. (2009); ``judging/best_change.hpp`` explains the bounds that
spare most trials.

Parameters
----------
changes
    Row, column and new colour of each change, shape (count, 3), count at least 1.
costs
    The cost of each change, shape (count,).
alpha
    Weight of a cell that line solving leaves open after the change.
stop, wall
    A flag, and a number of seconds, that interrupt the call.
jobs
    Threads that compute bounds.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If a cell or a colour is unknown, or there is no change, or not one cost for each.)");
    nb::class_<ImageSweeps>(
        m, "ImageSweeps", "The sweeps of black and white images of one size, by tables where they are small.")
        .def(nb::init<std::size_t, std::size_t, bool>(), nb::arg("rows"), nb::arg("columns"),
             nb::arg("tables") = true, nb::call_guard<nb::gil_scoped_release>(),
             R"(Prepare the tables, which takes up to a second.

Parameters
----------
rows, columns
    Size of the images.
tables
    Whether tables grade images of up to 64 cells, 10 in a line; otherwise propagation grades all images.

Raises
------
ValueError
    If there are no cells.)")
        .def("grade", &grade, nb::arg("images"), nb::arg("stop").none() = nb::none(),
             nb::arg("wall").none() = nb::none(),
             R"(Return the sweeps until nothing changes, rows first, and the cells left open, of each image.

Parameters
----------
images
    Cells of 0 and 1, shape (count, rows, columns).
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Returns
-------
tuple
    Two arrays of shape (count,): the sweeps, without useless ones at the end, and the open cells.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If the images have another size or other numbers.)");
}

}  // namespace nonocsp
