// NumPy arrays as the bindings take them (contiguous, on the CPU, read without a copy) and return them; clues
// as the bytes of their arrays, which need no NumPy; and lines as pairs of numbers.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/coordinates.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

using Ints =
    nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
// Offsets, lengths and colours as the bytes of int32 arrays: nonocsp.model.FlatClues.
using Flat = std::tuple<nanobind::bytes, nanobind::bytes, nanobind::bytes>;
using CellsIn = nanobind::ndarray<const Word, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

using CellsOut = nanobind::ndarray<nanobind::numpy, Word, nanobind::ndim<2>>;

using PlacedLine = std::pair<int, std::size_t>;  // axis (0 row, 1 column), position

inline PlacedLine placed(LineId line) { return {static_cast<int>(line.axis), line.position}; }

inline std::optional<PlacedLine> placed(const std::optional<LineId>& line) {
    return line ? std::optional(placed(*line)) : std::nullopt;
}

inline std::vector<PlacedLine> all_placed(const std::vector<LineId>& lines) {
    std::vector<PlacedLine> positions;
    for (const LineId line : lines) positions.push_back(placed(line));
    return positions;
}

inline std::span<const std::int32_t> span_of(const Ints& ints) { return {ints.data(), ints.shape(0)}; }
inline std::span<const std::int32_t> span_of(const nanobind::bytes& ints) {
    return {static_cast<const std::int32_t*>(ints.data()), ints.size() / sizeof(std::int32_t)};
}
inline std::span<const Word> span_of(const CellsIn& cells) { return {cells.data(), cells.size()}; }

inline FlatClues flat_of(const Flat& flat) {
    return {span_of(std::get<0>(flat)), span_of(std::get<1>(flat)), span_of(std::get<2>(flat))};
}

// `colours` counts the background; a set of them is a word.
inline void check_colours(const Flat& flat, std::size_t colours) {
    if (colours < 1 || colours > kWordBits) throw std::invalid_argument("there are 1 to 64 colours");
    for (const std::int32_t colour : span_of(std::get<2>(flat)))
        if (static_cast<std::size_t>(colour) >= colours)
            throw std::invalid_argument("a block's colour is unknown");
}

// The only clue of flat clues.
inline Clues one_clue(const Flat& flat, std::size_t length, std::size_t colours) {
    if (flat_of(flat).offsets.size() != 2) throw std::invalid_argument("there must be one clue");
    check_colours(flat, colours);
    return Clues(length, flat_of(flat));
}

inline nanobind::bytes bytes_of(const std::vector<std::int32_t>& ints) {
    return nanobind::bytes(ints.data(), ints.size() * sizeof(std::int32_t));
}

inline nanobind::tuple tuple_of(const OwnedClues& clues) {
    return nanobind::make_tuple(bytes_of(clues.offsets), bytes_of(clues.lengths), bytes_of(clues.colours));
}

// The value of an enumeration by its name; `names` are in the order of the values.
template <class Enum>
Enum named(std::string_view name, std::initializer_list<std::string_view> names) {
    const auto* found = std::ranges::find(names, name);
    if (found == names.end()) throw std::invalid_argument("there is no choice " + std::string(name));
    return static_cast<Enum>(found - names.begin());
}

// A NumPy array that owns its memory, which is not initialised.
template <class T, class... Dims>
auto new_array(Dims... dims) {
    T* data = new T[(dims * ...)];
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<sizeof...(Dims)>>(data, {dims...}, owner);
}

// A NumPy array of a shape with the values of a range.
template <class T, class Range, class... Dims>
auto array_of(const Range& values, Dims... dims) {
    auto array = new_array<T>(dims...);
    std::ranges::copy(values, array.data());
    return array;
}

// One that takes a vector over.
template <class T>
auto array_of(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(kept->data(), {kept->size()}, owner);
}

inline void check_shape(const PuzzleClues& clues, const CellsIn& cells) {
    if (cells.shape(0) != clues.rows.size() || cells.shape(1) != clues.columns.size())
        throw std::invalid_argument("the candidates do not have the shape of the puzzle");
}

// The grid of a puzzle with the candidates `cells`, or with all.
template <class Grid = Board>
Grid board_of(const PuzzleClues& clues, const std::optional<CellsIn>& cells) {
    if (!cells) return grid_of<Grid>(clues);
    check_shape(clues, *cells);
    return grid_of<Grid>(clues, span_of(*cells));
}

template <class Grid>
CellsOut cells_of(const Grid& board) {
    CellsOut cells = new_array<Word>(board.lines(Axis::kRow), board.lines(Axis::kColumn));
    board.write({cells.data(), cells.size()});
    return cells;
}

}  // namespace nonocsp
