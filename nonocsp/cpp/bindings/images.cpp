// Binds trials of changes to an image, the sweeps of many images, and the census of a size, shard by shard.

#include "batch/trials.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "census/image_tables.hpp"
#include "census/solution_census.hpp"
#include "census/sweep_census.hpp"
#include "grid/image_trials.hpp"
#include "judging/repair_map.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

using ImageIn = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ImagesIn = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ChangesIn = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using CostsIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void construct(ImageTrials* self, const ImageIn& image, std::size_t colours, const StopFlag* stop,
               std::optional<double> seconds) {
    unlocked(stop, seconds, [&](Watch& watch) {
        return new (self)
            ImageTrials({image.data(), image.data() + image.size()}, image.shape(1), colours, watch);
    });
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
    std::vector<std::int32_t> open;
    {
        nb::gil_scoped_release released;
        open = open_after(trials, changes_of(rows), least, jobs, stop, seconds, look_for_signals);
    }
    return array_of(std::move(open));
}

std::size_t best(const ImageTrials& trials, const ChangesIn& rows, const CostsIn& costs, double alpha,
                 const StopFlag* stop, std::optional<double> seconds, std::size_t jobs) {
    const std::vector<Change> changes = changes_of(rows);
    if (changes.empty() || changes.size() != costs.size())
        throw std::invalid_argument("there is a cost for each change, and a change at least");
    return unlocked(stop, seconds, [&](Watch& watch) {
        std::vector<std::int32_t> least(changes.size());
        if (trials.known().open_cells() > 0)
            least = open_after(trials, changes, true, jobs, stop, seconds, look_for_signals);
        return best_change(trials, changes, {costs.data(), costs.size()}, alpha, least, watch);
    });
}

auto grade(const ImageSweeps& sweeps, const ImagesIn& images, const StopFlag* stop,
           std::optional<double> seconds) {
    if (images.shape(1) != sweeps.rows() || images.shape(2) != sweeps.columns())
        throw std::invalid_argument("the images do not have the size of the tables");
    const std::size_t cells = sweeps.rows() * sweeps.columns();
    auto counts = new_array<std::int32_t>(images.shape(0)), open = new_array<std::int32_t>(images.shape(0));
    unlocked(stop, seconds, [&](Watch& watch) {
        for (std::size_t i = 0; i < images.shape(0); ++i) {
            const auto figures = sweeps.grade({images.data() + i * cells, cells}, watch);
            counts.data()[i] = static_cast<std::int32_t>(figures.sweeps);
            open.data()[i] = static_cast<std::int32_t>(figures.open);
        }
        return 0;
    });
    return std::tuple(counts, open);
}

using ShardTuple = std::tuple<std::size_t, std::size_t, std::uint64_t>;  // first, last, weight

template <class Census>
std::vector<ShardTuple> shards(const Census& census) {
    std::vector<ShardTuple> tuples;
    for (const Shard& shard : census.shards()) tuples.emplace_back(shard.first, shard.last, shard.weight);
    return tuples;
}

template <class Census>
auto count(const Census& census, const ShardTuple& tuple, const StopFlag* stop,
           std::optional<double> seconds) {
    const auto [first, last, weight] = tuple;
    const Shard shard{first, last, weight};
    return unlocked(stop, seconds, [&](Watch& watch) { return census.count(shard, watch); });
}

auto to_array(const SweepCensus::Histogram& histogram) {
    return array_of<std::uint64_t>(histogram, histogram.size());
}

auto count_sweeps(const SweepCensus& census, const ShardTuple& shard, const StopFlag* stop,
                  std::optional<double> seconds) {
    return to_array(count(census, shard, stop, seconds));
}

auto count_sample(const SweepSample& sample, std::size_t draws, std::uint64_t seed, const StopFlag* stop,
                  std::optional<double> seconds) {
    return to_array(unlocked(stop, seconds, [&](Watch& watch) { return sample.count(draws, seed, watch); }));
}

auto count_solutions(const SolutionCensus& census, const ShardTuple& shard, const StopFlag* stop,
                     std::optional<double> seconds) {
    const SolutionCensus::Counts counts = count(census, shard, stop, seconds);
    return std::tuple(counts.images, counts.descriptions, counts.unique, counts.most);
}

void bind_census(nb::module_& m) {
    constexpr const char* size = "Prepare the census of a size; ValueError if it is out of reach.";
    constexpr const char* shards_of =
        "Return the shards to count: first and last line, by contents or clues, and number of reflections.";
    nb::class_<SweepCensus>(m, "SweepCensus", "Grades all black and white images of a size.")
        .def(nb::init<std::size_t, std::size_t>(), "rows"_a, "columns"_a, size)
        .def("shards", &shards<SweepCensus>, shards_of)
        .def("count", &count_sweeps, "shard"_a, "stop"_a.none(), "wall"_a.none(),
             "Return how many images of a `shard`, regardless of its weight, have each difficulty in sweeps; "
             "at 0, how many are not simple.");
    nb::class_<SweepSample>(m, "SweepSample",
                            "Grades random black and white images of every shard of a size.")
        .def(nb::init<std::size_t, std::size_t>(), "rows"_a, "columns"_a, size)
        .def("count", &count_sample, "draws"_a, "seed"_a, "stop"_a.none(), "wall"_a.none(),
             "Return what `SweepCensus.count` does, of so many `draws` of each shard times its weight; every "
             "image of the size is equally likely.");
    nb::class_<SolutionCensus>(m, "SolutionCensus", "Counts the solutions of all descriptions of a size.")
        .def(nb::init<std::size_t, std::size_t>(), "rows"_a, "columns"_a, size)
        .def("shards", &shards<SolutionCensus>, shards_of)
        .def("count", &count_solutions, "shard"_a, "stop"_a.none(), "wall"_a.none(),
             "Return images, descriptions, descriptions with one solution, and the most solutions of one, of "
             "a `shard`, regardless of its weight.");
}

}  // namespace

void bind_images(nb::module_& m) {
    nb::class_<ImageTrials>(
        m, "ImageTrials",
        "What line solving leaves open of the puzzles of images that differ in one cell from an image.")
        .def("__init__", &construct, "image"_a, "colours"_a, "stop"_a.none(), "wall"_a.none(),
             "Solve the puzzle of the `image` itself: colours, shape (rows, columns).")
        .def(
            "known", [](const ImageTrials& trials) { return cells_of(trials.known()); },
            "Return what line solving leaves possible of the image's own puzzle.")
        .def("open_after", &open_after_each, "changes"_a, "least"_a, "stop"_a.none(), "wall"_a.none(),
             "jobs"_a = 1,
             R"(Return how many cells are open after each change, shape (count,).

`changes` are rows, columns and new colours, shape (count, 3); the `least` numbers are bounds, which take a
fraction of the time; `jobs` are threads.)")
        .def("best_change", &best, "changes"_a, "costs"_a, "alpha"_a, "stop"_a.none(), "wall"_a.none(),
             "jobs"_a = 1,
             "Return the first change with the least ``alpha * open + cost``; `judging/repair_map.hpp` says "
             "how. `costs` have shape (count,); `changes` and `jobs` are those of `open_after`.");
    nb::class_<ImageSweeps>(
        m, "ImageSweeps", "The sweeps of black and white images of one size, by tables where they are small.")
        .def(nb::init<std::size_t, std::size_t, bool>(), "rows"_a, "columns"_a, "tables"_a = true,
             nb::call_guard<nb::gil_scoped_release>(),
             "Prepare `tables` for up to 64 cells, 10 in a line; propagation grades all others.")
        .def("grade", &grade, "images"_a, "stop"_a.none() = nb::none(), "wall"_a.none() = nb::none(),
             "Return the sweeps, rows first, until nothing changes, and the cells left open, of each of many "
             "images of 0 and 1, shape (count, rows, columns).");
    bind_census(m);
}

}  // namespace nonocsp
