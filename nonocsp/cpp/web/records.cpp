#include "web/records.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/json.hpp"

namespace nonocsp {
namespace {

// As many as a page offers of a set.
constexpr std::size_t kMostPuzzles = 1000;

std::string record_of(const ReadClue& clue) {
    std::vector<std::int32_t> numbers{clue.place.line};
    for (std::size_t i = 0; i < clue.lengths.size(); ++i)
        numbers.insert(numbers.end(), {clue.lengths[i], clue.colours[i]});
    return json(numbers);
}

std::string record_of(const ReadPuzzle& puzzle) {
    const auto colour = [](const ReadColour& colour) {
        return array(colour.key, colour.character, colour.word, colour.remark);
    };
    const auto clue = [](const ReadClue& clue) { return record_of(clue); };
    return Object()
        .add("title", json(puzzle.title))
        .add("advice", json(puzzle.advice))
        .add("colours", list(puzzle.colours, colour))
        .add("rows", list(puzzle.rows, clue))
        .add("columns", list(puzzle.columns, clue))
        .add("goal", json(puzzle.goal))
        .text();
}

}  // namespace

std::string record_of(const Mender& mender) {
    const auto block = [](const TypedBlock& block) {
        return Object().add("length", json(block.length)).add("colour", json(block.colour)).text();
    };
    const auto line = [&](const auto& changed) {
        return Object().add("line", json(changed.first)).add("clue", list(changed.second, block)).text();
    };
    const auto mend = [&](const Mend& mend) {
        return Object()
            .add("kind", json(kMendNames[static_cast<std::size_t>(mend.change.kind)]))
            .add("lines", list(changed_lines(mender.draft(), mend.change), line))
            .text();
    };
    return Object()
        .add("isComplete", json(mender.is_complete()))
        .add("mends", list(mender.found(), mend))
        .add("contradiction", json(mender.contradiction().lines()))
        .text();
}

std::string record_of(const ListEvidence& evidence, const Reading& reading) {
    const auto puzzles = std::span(reading.puzzles).first(std::min(reading.puzzles.size(), kMostPuzzles));
    const auto note = [](const ReadNote& note) { return array(note.message, note.place.line); };
    const std::optional<ReadFault>& fault = reading.fault;
    return Object()
        .add("sureness", json(evidence.sureness))
        .add("why", json(evidence.why))
        .add("line", json(evidence.line))
        .add("puzzles", list(puzzles, [](const ReadPuzzle& puzzle) { return record_of(puzzle); }))
        .add("notes", list(reading.notes, note))
        .add("fault",
             fault ? array(fault->message, fault->expected, fault->place.line, fault->place.column) : "null")
        .text();
}

std::string record_of(const TypedReading& typed) {
    const std::optional<ReadFault>& fault = typed.reading.fault;
    if (!fault) return record_of({2, "clues of rows and columns with as many cells"}, typed.reading);
    const std::int32_t line = typed.has_labels ? fault->place.line : 0;
    return record_of({typed.has_labels, fault->message, line}, typed.reading);
}

}  // namespace nonocsp
