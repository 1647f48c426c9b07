#include "web/reading_record.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace nonocsp {
namespace {

// As many as a page offers of a set.
constexpr std::size_t kMostPuzzles = 1000;

std::string json(std::int32_t number) { return std::to_string(number); }

std::string json(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20)
            quoted += std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
        else
            quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    }
    return quoted + '"';
}

template <class Items, class Make>
std::string list(const Items& items, Make make) {
    std::string text = "[";
    for (const auto& item : items) text += (text.size() > 1 ? "," : "") + make(item);
    return text + "]";
}

std::string clue(const ReadClue& clue) {
    std::string text = "[" + json(clue.place.line);
    for (std::size_t i = 0; i < clue.lengths.size(); ++i)
        text += "," + json(clue.lengths[i]) + "," + json(clue.colours[i]);
    return text + "]";
}

std::string colour(const ReadColour& colour) {
    return "[" + json(colour.key) + "," + json(colour.character) + "," + json(colour.word) + "," +
           json(colour.remark) + "]";
}

std::string puzzle(const ReadPuzzle& puzzle) {
    return "{\"title\":" + json(puzzle.title) + ",\"advice\":" + json(puzzle.advice) +
           ",\"colours\":" + list(puzzle.colours, colour) + ",\"rows\":" + list(puzzle.rows, clue) +
           ",\"columns\":" + list(puzzle.columns, clue) + ",\"goal\":" +
           list(puzzle.goal, [](const std::string& row) { return json(std::string_view(row)); }) + "}";
}

std::string note(const ReadNote& note) {
    return "[" + json(note.message) + "," + json(note.place.line) + "]";
}

}  // namespace

std::string record_of(const ListEvidence& evidence, const Reading& reading) {
    const std::vector<ReadPuzzle>& all = reading.puzzles;
    const std::span<const ReadPuzzle> puzzles = std::span(all).first(std::min(all.size(), kMostPuzzles));
    std::string fault = "null";
    if (reading.fault)
        fault = "[" + json(reading.fault->message) + "," + json(reading.fault->expected) + "," +
                json(reading.fault->place.line) + "," + json(reading.fault->place.column) + "]";
    return "{\"sureness\":" + json(evidence.sureness) + ",\"why\":" + json(evidence.why) +
           ",\"line\":" + json(evidence.line) + ",\"puzzles\":" + list(puzzles, puzzle) +
           ",\"notes\":" + list(reading.notes, note) + ",\"fault\":" + fault + "}";
}

std::string record_of(const TypedReading& typed) {
    const std::optional<ReadFault>& fault = typed.reading.fault;
    if (!fault) return record_of({2, "clues of rows and columns with as many cells"}, typed.reading);
    const std::int32_t line = typed.has_labels ? fault->place.line : 0;
    return record_of({typed.has_labels, fault->message, line}, typed.reading);
}

}  // namespace nonocsp
