// Binds the CNF encodings, and the stream that feeds their clauses to a SAT solver.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "bindings.hpp"
#include "encoding_order.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flat = std::tuple<Ints, Ints, Ints>;  // offsets, lengths, colours
using CellsIn = nb::ndarray<const Word, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> span_of(const Ints& ints) { return {ints.data(), ints.shape(0)}; }

FlatClues flat_of(const Flat& flat) {
    return {span_of(std::get<0>(flat)), span_of(std::get<1>(flat)), span_of(std::get<2>(flat))};
}

// A NumPy array that takes the vector over.
template <class T>
auto array_of(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

nb::tuple arrays_of(Encoding encoding) {
    std::vector<std::int32_t> cells;
    std::vector<std::uint8_t> colours;
    for (const CellVariable& variable : encoding.cells) {
        cells.push_back(variable.cell);
        colours.push_back(static_cast<std::uint8_t>(variable.colour));
    }
    const std::int32_t variables = encoding.clauses.variables(), count = encoding.clauses.count();
    return nb::make_tuple(variables, count, array_of(encoding.clauses.take_literals()),
                          array_of(std::move(cells)), array_of(std::move(colours)));
}

nb::tuple bound_encode_order(const Flat& rows, const Flat& columns, std::size_t colours,
                             const CellsIn& cells) {
    Encoding encoding;
    {
        nb::gil_scoped_release unlocked;
        const FlatClues flat_rows = flat_of(rows), flat_columns = flat_of(columns);
        const PuzzleClues clues(flat_rows, flat_columns, colours);
        if (cells.shape(0) != clues.rows.size() || cells.shape(1) != clues.columns.size())
            throw std::invalid_argument("the candidates do not have the shape of the puzzle");
        encoding = encode_order(clues, flat_rows, flat_columns, {cells.data(), cells.size()});
    }
    return arrays_of(std::move(encoding));
}

// An iterator that pauses after every clause: each `for` over it, or each call of a SAT solver's add_clause,
// takes one clause. No list is made for any clause, and one Python integer for each literal.
class ClauseStream {
  public:
    ClauseStream(Ints literals, std::int32_t variables)
        : literals_(std::move(literals)),
          next_(literals_.data()),
          end_(next_ + literals_.size()),
          zero_(variables) {
        for (const std::int32_t* literal = next_; literal != end_; ++literal)
            if (*literal < -variables || *literal > variables)
                throw std::invalid_argument("a literal is out of range");
        for (std::int32_t literal = -variables; literal <= variables; ++literal)
            integers_.push_back(nb::int_(literal));
    }

    // A new reference, or null at the end of a clause.
    PyObject* next() {
        if (next_ == end_) return nullptr;
        const std::int32_t literal = *next_++;
        if (literal == 0) return nullptr;
        return nb::object(integers_[static_cast<std::size_t>(zero_ + literal)]).release().ptr();
    }

  private:
    Ints literals_;
    const std::int32_t *next_, *end_;
    std::int32_t zero_;
    std::vector<nb::object> integers_;  // [zero_ + literal]
};

PyObject* iterate(PyObject* self) { return Py_NewRef(self); }
PyObject* advance(PyObject* self) { return nb::inst_ptr<ClauseStream>(self)->next(); }

PyType_Slot stream_slots[] = {{Py_tp_iter, reinterpret_cast<void*>(iterate)},
                              {Py_tp_iternext, reinterpret_cast<void*>(advance)},
                              {0, nullptr}};

}  // namespace

void bind_encoding(nb::module_& m) {
    nb::class_<ClauseStream>(m, "ClauseStream", nb::type_slots(stream_slots))
        .def(nb::init<Ints, std::int32_t>());
    m.def("encode_order", &bound_encode_order);
}

}  // namespace nonocsp
