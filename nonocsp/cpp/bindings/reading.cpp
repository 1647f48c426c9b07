// Binds the readers of clue texts: what they find as tuples, which nonocsp.engine.reading names.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <string_view>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "reading/lists.hpp"
#include "typed/typed.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonocsp {
namespace {

using ListAnswer = nb::typed<nb::tuple, nb::any, std::size_t, std::int32_t>;
using EvidenceAnswer = nb::typed<nb::tuple, int, nb::str, std::int32_t>;
using TypedAnswer = nb::typed<nb::tuple, nb::any, bool>;

nb::object place_of(const TextPlace& place) { return nb::make_tuple(place.line, place.column); }

// Offsets, lengths and colours.
nb::object clues_of(const std::vector<ReadClue>& clues) {
    OwnedClues flat;
    for (const ReadClue& clue : clues) {
        for (std::size_t i = 0; i < clue.lengths.size(); ++i)
            flat.add_block(clue.lengths[i], clue.colours[i]);
        flat.end_line();
    }
    return tuple_of(flat);
}

nb::bytes lines_of(const ReadPuzzle& puzzle) {
    std::vector<std::int32_t> lines;
    for (const auto* clues : {&puzzle.rows, &puzzle.columns})
        for (const ReadClue& clue : *clues) lines.push_back(clue.place.line);
    return bytes_of(lines);
}

template <class Items, class Make>
nb::list list_of(const Items& items, Make make) {
    nb::list list;
    for (const auto& item : items) list.append(make(item));
    return list;
}

nb::object puzzle_of(const ReadPuzzle& puzzle) {
    const auto colour_of = [](const ReadColour& colour) {
        return nb::make_tuple(colour.key, colour.character, colour.word, colour.remark);
    };
    const auto text_of = [](const std::string& text) { return nb::cast(text); };
    return nb::make_tuple(clues_of(puzzle.rows), clues_of(puzzle.columns), lines_of(puzzle), puzzle.title,
                          list_of(puzzle.goal, text_of), list_of(puzzle.colours, colour_of), puzzle.advice);
}

nb::object reading_of(const Reading& reading) {
    const auto note_of = [](const ReadNote& note) {
        return nb::make_tuple(note.message, place_of(note.place));
    };
    nb::object fault = nb::none();
    if (reading.fault)
        fault =
            nb::make_tuple(reading.fault->message, reading.fault->expected, place_of(reading.fault->place));
    return nb::make_tuple(list_of(reading.puzzles, puzzle_of), list_of(reading.notes, note_of), fault);
}

ListAnswer read(std::string_view dialect, std::string_view text, std::int32_t line, bool is_whole,
                std::int32_t rows, std::int32_t columns) {
    ListReading found;
    {
        nb::gil_scoped_release unlocked;
        found = read_list(list_dialect(dialect), text, {line, is_whole, rows, columns});
    }
    return nb::borrow<ListAnswer>(nb::make_tuple(reading_of(found.reading), found.used, found.line));
}

EvidenceAnswer evidence(std::string_view dialect, const nb::bytes& head, bool is_cut) {
    const ListEvidence found = list_evidence(list_dialect(dialect), {head.c_str(), head.size()}, is_cut);
    const nb::str why(
        PyUnicode_DecodeUTF8(found.why.data(), static_cast<Py_ssize_t>(found.why.size()), "replace"),
        nb::detail::steal_t{});
    return nb::borrow<EvidenceAnswer>(nb::make_tuple(found.sureness, why, found.line));
}

TypedAnswer typed(std::string_view text) {
    TypedReading found;
    {
        nb::gil_scoped_release unlocked;
        found = read_typed(text);
    }
    return nb::borrow<TypedAnswer>(nb::make_tuple(reading_of(found.reading), found.has_labels));
}

}  // namespace

void bind_reading(nb::module_& m) {  // nonocsp.engine.reading says what they take and return
    m.def(
        "read_list", &read, "dialect"_a, "text"_a, "line"_a, "is_whole"_a, "rows"_a, "columns"_a,
        "Read the puzzles of a `text` in a `dialect` such as ``nin``, up to the first fault, and up to what "
        "may go on if it `is_whole` not.");
    m.def("list_evidence", &evidence, "dialect"_a, "head"_a, "is_cut"_a,
          "Return how much the `head` of a file, which `is_cut` or not, speaks for a `dialect`.");
    m.def("read_typed", &typed, "text"_a, "Read a `text` of clues that people type and paste.");
}

}  // namespace nonocsp
