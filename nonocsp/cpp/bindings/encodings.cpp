// Binds the CNF encodings, and the stream that feeds their clauses to a SAT solver.
#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "encodings/automaton.hpp"
#include "encodings/direct.hpp"
#include "encodings/order.hpp"

namespace nb = nanobind;

namespace nonocsp {
namespace {

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

template <Encode encode>
nb::tuple bound(const PuzzleClues& clues, const CellsIn& cells) {
    check_shape(cells, clues.rows.size(), clues.columns.size());
    Encoding encoding;
    {
        nb::gil_scoped_release unlocked;
        encoding = encode(clues, span_of(cells));
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
        integers_.reserve(2 * static_cast<std::size_t>(variables) + 1);
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
    m.def("encode_order", &bound<encode_order>);
    m.def("encode_direct", &bound<encode_direct>);
    m.def("encode_automaton", &bound<encode_automaton>);
}

}  // namespace nonocsp
