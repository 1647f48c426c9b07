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
    std::vector<std::int32_t> offsets{0}, lengths, colours;
    for (const ReadClue& clue : clues) {
        lengths.insert(lengths.end(), clue.lengths.begin(), clue.lengths.end());
        colours.insert(colours.end(), clue.colours.begin(), clue.colours.end());
        offsets.push_back(static_cast<std::int32_t>(lengths.size()));
    }
    return nb::make_tuple(bytes_of(offsets), bytes_of(lengths), bytes_of(colours));
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
    m.def("read_list", &read, "dialect"_a, "text"_a, "line"_a, "is_whole"_a, "rows"_a, "columns"_a,
          R"(Read the puzzles of a list of clues in a `dialect` such as ``nin``, up to the first fault.

Parameters
----------
text
    The file, or a part of it that starts with a puzzle; `line` is the number of its first line.
is_whole
    Whether the file ends with the text; if not, its last puzzle is left for the next part.
rows, columns
    The size, for sets that do not say it; 0 is unknown.

Returns
-------
tuple
    What was read; the bytes of the text in UTF-8 up to the puzzle that is left; the number of its first line.)");
    m.def("list_evidence", &evidence, "dialect"_a, "head"_a, "is_cut"_a,
          R"(Return how much the `head` of a file, the first bytes in UTF-8, speaks for a `dialect`.

It `is_cut` if the file may go on behind it.

Returns
-------
tuple
    The sureness, 0 to 3; the reason; the line that speaks against it, 0 if there is none.)");
    m.def("read_typed", &typed, "text"_a,
          R"(Read clues that people type and paste.

Returns
-------
tuple
    What was read of the `text`, whose fault has no message if there are no clues; whether clues have labels.)");
}

}  // namespace nonocsp
