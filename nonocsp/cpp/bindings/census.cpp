// Binds the census of a size, shard by shard; a call releases the GIL while it counts.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "census/solution_census.hpp"
#include "census/sweep_census.hpp"

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

auto count_sweeps(const SweepCensus& census, const ShardTuple& shard, const StopFlag* stop,
                  std::optional<double> seconds) {
    const std::vector<std::uint64_t> histogram = count(census, shard, stop, seconds);
    auto array = new_array<std::uint64_t>(histogram.size());
    std::ranges::copy(histogram, array.data());
    return array;
}

auto count_solutions(const SolutionCensus& census, const ShardTuple& shard, const StopFlag* stop,
                     std::optional<double> seconds) {
    const SolutionCensus::Counts counts = count(census, shard, stop, seconds);
    return std::tuple(counts.images, counts.descriptions, counts.unique, counts.most);
}

}  // namespace

void bind_census(nb::module_& m) {
    nb::class_<SweepCensus>(m, "SweepCensus")
        .def(nb::init<std::size_t, std::size_t>(), nb::arg("rows"), nb::arg("columns"))
        .def("shards", &shards<SweepCensus>)
        .def("count", &count_sweeps, nb::arg("shard"), nb::arg("stop").none(), nb::arg("seconds").none());
    nb::class_<SolutionCensus>(m, "SolutionCensus")
        .def(nb::init<std::size_t, std::size_t>(), nb::arg("rows"), nb::arg("columns"))
        .def("shards", &shards<SolutionCensus>)
        .def("count", &count_solutions, nb::arg("shard"), nb::arg("stop").none(), nb::arg("seconds").none());
}

}  // namespace nonocsp
