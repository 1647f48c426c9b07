// Binds the census of a size, shard by shard; a call releases the GIL while it counts.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "census/solution_census.hpp"
#include "census/sweep_census.hpp"
#include "census/sweep_sample.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

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
    Watch watch(stop, seconds, look_for_signals);
    const auto [first, last, weight] = tuple;
    nb::gil_scoped_release unlocked;
    return census.count({first, last, weight}, watch);
}

auto to_array(const SweepCensus::Histogram& histogram) {
    auto array = new_array<std::uint64_t>(histogram.size());
    std::ranges::copy(histogram, array.data());
    return array;
}

auto count_sweeps(const SweepCensus& census, const ShardTuple& shard, const StopFlag* stop,
                  std::optional<double> seconds) {
    return to_array(count(census, shard, stop, seconds));
}

auto count_sample(const SweepSample& sample, std::size_t draws, std::uint64_t seed, const StopFlag* stop,
                  std::optional<double> seconds) {
    Watch watch(stop, seconds, look_for_signals);
    SweepCensus::Histogram histogram;
    {
        nb::gil_scoped_release unlocked;
        histogram = sample.count(draws, seed, watch);
    }
    return to_array(histogram);
}

auto count_solutions(const SolutionCensus& census, const ShardTuple& shard, const StopFlag* stop,
                     std::optional<double> seconds) {
    const SolutionCensus::Counts counts = count(census, shard, stop, seconds);
    return std::tuple(counts.images, counts.descriptions, counts.unique, counts.most);
}

constexpr const char* kSizeDoc = R"(Prepare the census of a size.

Parameters
----------
rows, columns
    The size of the images.

Raises
------
ValueError
    If the size is out of reach.)";

}  // namespace

void bind_census(nb::module_& m) {
    nb::class_<SweepCensus>(m, "SweepCensus", "Grades all black and white images of a size.")
        .def(nb::init<std::size_t, std::size_t>(), nb::arg("rows"), nb::arg("columns"), kSizeDoc)
        .def("shards", &shards<SweepCensus>,
             R"(Return the shards to count, as tuples (first line, last line, weight).

The outer lines are given by their contents; the weight is the number of shards that are reflections of this one,
itself included.)")
        .def(
            "count", &count_sweeps, nb::arg("shard"), nb::arg("stop").none(), nb::arg("wall").none(),
            R"(Return how many images of a shard have each difficulty in sweeps; at 0, how many are not simple.

Parameters
----------
shard
    One of `shards`; its weight is left to the caller.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If the size has no such lines.)");
    nb::class_<SweepSample>(m, "SweepSample",
                            "Grades random black and white images of every shard of a size.")
        .def(nb::init<std::size_t, std::size_t>(), nb::arg("rows"), nb::arg("columns"), kSizeDoc)
        .def(
            "count", &count_sample, nb::arg("draws"), nb::arg("seed"), nb::arg("stop").none(),
            nb::arg("wall").none(),
            R"(Return how many images of a sample have each difficulty in sweeps; at 0, how many are not simple.

Every image of the size is equally likely.

Parameters
----------
draws
    Number of images of each shard, to be multiplied by its weight.
seed
    Seed of the random numbers.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.)");
    nb::class_<SolutionCensus>(m, "SolutionCensus", "Counts the solutions of all descriptions of a size.")
        .def(nb::init<std::size_t, std::size_t>(), nb::arg("rows"), nb::arg("columns"), kSizeDoc)
        .def("shards", &shards<SolutionCensus>,
             R"(Return the shards to count, as tuples (first line, last line, weight).

The outer lines are given by the numbers of their clues; the weight is the number of shards that are reflections
of this one, itself included.)")
        .def("count", &count_solutions, nb::arg("shard"), nb::arg("stop").none(), nb::arg("wall").none(),
             R"(Return images, descriptions, descriptions with one solution, and the most solutions of one.

Parameters
----------
shard
    One of `shards`; its weight is left to the caller.
stop, wall
    A flag, and a number of seconds, that interrupt the call.

Raises
------
Interrupted
    If the flag was set or the time is over.
ValueError
    If the size has no such clues.)");
}

}  // namespace nonocsp
