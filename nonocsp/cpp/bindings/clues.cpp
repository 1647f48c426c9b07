// Clues that come from Python: lists of numbers into flat arrays, and whether flat clues describe a puzzle.
#include <limits>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

using FlatBytes = nb::typed<nb::tuple, nb::bytes, nb::bytes, nb::bytes>;

bool is_list(PyObject* value) { return PyList_CheckExact(value) || PyTuple_CheckExact(value); }

Py_ssize_t size_of(PyObject* items) {
    return PyList_CheckExact(items) ? PyList_Size(items) : PyTuple_Size(items);
}

PyObject* item_of(PyObject* items, Py_ssize_t i) {
    return PyList_CheckExact(items) ? PyList_GetItem(items, i) : PyTuple_GetItem(items, i);
}

// 0 for what is no whole number from 1 on that fits.
std::int32_t positive(PyObject* value) {
    if (!PyLong_CheckExact(value)) return 0;
    int overflow = 0;
    const long number = PyLong_AsLongAndOverflow(value, &overflow);
    return overflow == 0 && number > 0 && number <= std::numeric_limits<std::int32_t>::max()
               ? static_cast<std::int32_t>(number)
               : 0;
}

bool append_block(PyObject* block, bool pairs, OwnedClues& flat) {
    std::int32_t length = positive(block), colour = 1;
    if (length == 0) {
        if (!pairs || !is_list(block) || size_of(block) != 2) return false;
        length = positive(item_of(block, 0));
        colour = positive(item_of(block, 1));
    }
    flat.add_block(length, colour);
    return length != 0 && colour != 0;
}

std::optional<FlatBytes> flat_clues(nb::handle clues, bool pairs) {
    OwnedClues flat;
    if (!is_list(clues.ptr())) return std::nullopt;
    for (Py_ssize_t i = 0; i < size_of(clues.ptr()); ++i) {
        PyObject* clue = item_of(clues.ptr(), i);
        if (!is_list(clue)) return std::nullopt;
        for (Py_ssize_t b = 0; b < size_of(clue); ++b)
            if (!append_block(item_of(clue, b), pairs, flat)) return std::nullopt;
        flat.end_line();
    }
    return nb::borrow<FlatBytes>(tuple_of(flat));
}

void check_offsets(const FlatClues& flat) {
    const auto& offsets = flat.offsets;
    if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
        static_cast<std::size_t>(offsets.back()) != flat.lengths.size() ||
        flat.colours.size() != flat.lengths.size())
        throw std::invalid_argument("the offsets of the clues do not index their blocks");
}

// Adds the cells of each colour; false if a block has no cells or a colour beyond `sums`, or a line is too
// short.
bool add_cells(const FlatClues& flat, std::size_t line_length, std::vector<std::size_t>& sums) {
    for (std::size_t line = 0; line + 1 < flat.offsets.size(); ++line) {
        std::size_t needed = 0;
        std::int32_t before = 0;
        for (auto b = static_cast<std::size_t>(flat.offsets[line]);
             b < static_cast<std::size_t>(flat.offsets[line + 1]); ++b) {
            const std::int32_t length = flat.lengths[b], colour = flat.colours[b];
            if (length < 1 || colour < 1 || static_cast<std::size_t>(colour) >= sums.size()) return false;
            needed += static_cast<std::size_t>(length) + (colour == before ? 1 : 0);
            sums[static_cast<std::size_t>(colour)] += static_cast<std::size_t>(length);
            before = colour;
        }
        if (needed > line_length) return false;
    }
    return true;
}

bool clues_agree(const Flat& rows, const Flat& columns, std::size_t colours) {
    const FlatClues of_rows = flat_of(rows), of_columns = flat_of(columns);
    check_offsets(of_rows);
    check_offsets(of_columns);
    std::vector<std::size_t> in_rows(colours), in_columns(colours);
    return add_cells(of_rows, of_columns.offsets.size() - 1, in_rows) &&
           add_cells(of_columns, of_rows.offsets.size() - 1, in_columns) && in_rows == in_columns;
}

}  // namespace

void bind_clues(nb::module_& m) {
    m.def("flat_clues", &flat_clues, "clues"_a.none(), "pairs"_a,
          R"(Return offsets, lengths and colours of clues as the bytes of int32 arrays.

None unless `clues` are lists or tuples of lengths from 1 on, or with `pairs` also of pairs of length and colour.)");
    m.def("clues_agree", &clues_agree, "rows"_a, "columns"_a, "colours"_a,
          R"(Return whether flat clues describe a puzzle.

Each block has cells and a known colour, each clue fits its line, and rows and columns have the same number
of cells of each colour.)");
}

}  // namespace nonocsp
