// Binds the CNF encodings, and the stream that feeds their clauses to a SAT solver.
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "encodings/encoding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

auto arrays_of(Encoding encoding) {
    std::vector<std::int32_t> cells;
    std::vector<std::uint8_t> colours;
    for (const CellVariable& variable : encoding.cells) {
        cells.push_back(variable.cell);
        colours.push_back(static_cast<std::uint8_t>(variable.colour));
    }
    const std::int32_t variables = encoding.clauses.variables(), count = encoding.clauses.count();
    return std::tuple(variables, count, array_of(encoding.clauses.take_literals()),
                      array_of(std::move(cells)), array_of(std::move(colours)));
}

template <Encode encode>
auto bound(const PuzzleClues& clues, const CellsIn& cells) {
    check_shape(clues, cells);
    return arrays_of(unlocked(nullptr, std::nullopt, [&](Watch&) { return encode(clues, span_of(cells)); }));
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

constexpr const char* kEncodeDoc =
    "Encode what the cells leave open; return the number of variables, the number of clauses, literals (each "
    "clause ended by 0), and the cell (row-major) and the colour of each cell variable.";

}  // namespace

void bind_encoding(nb::module_& m) {
    nb::class_<ClauseStream>(m, "ClauseStream", nb::type_slots(stream_slots),
                             "An iterator over literals that pauses after each clause: every ``for`` over it "
                             "takes one clause.")
        .def(nb::init<Ints, std::int32_t>(), "literals"_a, "variables"_a,
             "Stream `literals`, each clause ended by 0, of `variables` from 1 on.");
    m.def("encode_order", &bound<encode_order>, "clues"_a, "cells"_a, kEncodeDoc);
    m.def("encode_direct", &bound<encode_direct>, "clues"_a, "cells"_a, kEncodeDoc);
    m.def("encode_automaton", &bound<encode_automaton>, "clues"_a, "cells"_a, kEncodeDoc);
}

}  // namespace nonocsp
