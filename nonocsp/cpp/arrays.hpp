// NumPy arrays as the bindings take them (contiguous, on the CPU, read without a copy) and return them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <span>
#include <tuple>

#include "bits.hpp"
#include "clue.hpp"

namespace nonocsp {

using Ints =
    nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Flat = std::tuple<Ints, Ints, Ints>;  // offsets, lengths, colours
using CellsIn = nanobind::ndarray<const Word, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

using CellsOut = nanobind::ndarray<nanobind::numpy, Word, nanobind::ndim<2>>;

inline std::span<const std::int32_t> span_of(const Ints& ints) { return {ints.data(), ints.shape(0)}; }
inline std::span<const Word> span_of(const CellsIn& cells) { return {cells.data(), cells.size()}; }

inline FlatClues flat_of(const Flat& flat) {
    return {span_of(std::get<0>(flat)), span_of(std::get<1>(flat)), span_of(std::get<2>(flat))};
}

// A NumPy array that owns its memory, which is not initialised.
template <class T, class... Dims>
auto new_array(Dims... dims) {
    T* data = new T[(dims * ...)];
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<sizeof...(Dims)>>(data, {dims...}, owner);
}

}  // namespace nonocsp
