// Binds trials of changes to an image. Every call releases the GIL while it works.
#include "grid/image_trials.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using ImageIn = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ChangesIn = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

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

auto open_after(const ImageTrials& trials, const ChangesIn& rows, bool least, const StopFlag* stop,
                std::optional<double> seconds) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < rows.shape(0); ++i)
        changes.push_back({{static_cast<std::size_t>(rows(i, 0)), static_cast<std::size_t>(rows(i, 1))},
                           static_cast<std::uint8_t>(rows(i, 2))});
    auto out = new_array<std::int32_t>(changes.size());
    Watch watch(stop, seconds, look_for_signals);
    nb::gil_scoped_release unlocked;
    std::ranges::copy(trials.open_after(changes, least, watch), out.data());
    return out;
}

}  // namespace

void bind_trials(nb::module_& m) {
    nb::class_<ImageTrials>(
        m, "ImageTrials",
        "What line solving leaves open of the puzzles of images that differ in one cell from an image.")
        .def("__init__", &construct, nb::arg("image"), nb::arg("colours"), nb::arg("stop").none(),
             nb::arg("seconds").none(),
             R"(Solve the puzzle of the image itself.

Parameters
----------
image
    Colours, shape (rows, columns).
colours
    Number of colours, the background included.
stop, seconds
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If the image has no cells, or a colour is unknown.)")
        .def("known", &known,
             "Return what line solving leaves possible of the image's own puzzle, shape (rows, columns).")
        .def("open_after", &open_after, nb::arg("changes"), nb::arg("least"), nb::arg("stop").none(),
             nb::arg("seconds").none(),
             R"(Return how many cells are open after each change, shape (count,).

Parameters
----------
changes
    Row, column and new colour of each change, shape (count, 3).
least
    Whether to return lower bounds, which take a fraction of the time.
stop, seconds
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If a cell or a colour is unknown.)");
}

}  // namespace nonocsp
