#include "web/records.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "web/json.hpp"

namespace nonocsp {
namespace {

std::string candidates(Word set) {
    std::string text;
    for_each_cell(set, 0, [&](std::size_t colour) { text += (text.empty() ? "" : ",") + json(colour); });
    return "[" + text + "]";
}

std::string record_of(const CellChange& change) {
    return "[" + json(change.cell.row) + "," + json(change.cell.column) + "," + candidates(change.before) +
           "," + candidates(change.after) + "]";
}

std::string record_of(const StepReason& reason) {
    Object object;
    object.add("why", json(kWhyNames[static_cast<std::size_t>(reason.why)]));
    for_each_field(reason, [&](std::string_view name, const auto& value) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, BlockList>)
            object.add(name, list(value));
        else if (name == "count")
            object.add(name, '"' + json(value) + '"');
        else
            object.add(name, json(value));
    });
    return object.text();
}

// As many as a page offers of a set.
constexpr std::size_t kMostPuzzles = 1000;

std::string record_of(const ReadClue& clue) {
    std::vector<std::int32_t> numbers{clue.place.line};
    for (std::size_t i = 0; i < clue.lengths.size(); ++i)
        numbers.insert(numbers.end(), {clue.lengths[i], clue.colours[i]});
    return list(numbers);
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
        .add("goal", list(puzzle.goal))
        .text();
}

}  // namespace

std::string record_of(const WalkStep& step) {
    return Object()
        .add("technique", json(catalogued(step.technique).name))
        .add("grade", json(catalogued(step.technique).grade))
        .add("line", json(step.line))
        .add("changes", list(step.changes, [](const CellChange& change) { return record_of(change); }))
        .add("blocks", list(step.blocks))
        .add("reasons", list(step.reasons, [](const StepReason& reason) { return record_of(reason); }))
        .add("more", json(step.more))
        .add("trail", list(step.trail))
        .text();
}

std::string record_of(const Hint& hint) {
    const auto broken = [](const BrokenLine& one) {
        return Object().add("line", json(one.line)).add("suspects", list(one.suspects)).text();
    };
    return Object()
        .add("wrong", list(hint.wrong()))
        .add("broken", list(hint.broken(), broken))
        .add("clash", json(hint.clash()))
        .add("steps", list(hint.steps(), [](const WalkStep& step) { return record_of(step); }))
        .text();
}

std::string record_of(const Effort& effort) {
    Object techniques;
    std::vector<std::string_view> hardest;  // that a line needs
    int grade = 0;
    for (std::size_t i = 0; i < kTechniques; ++i) {
        if (effort.techniques()[i] == 0) continue;
        techniques.add(kCatalogue[i].name, json(effort.techniques()[i]));
        if (kCatalogue[i].grade == kGrades) continue;
        if (kCatalogue[i].grade > grade) hardest.clear();
        grade = kCatalogue[i].grade;
        hardest.push_back(kCatalogue[i].name);
    }
    return Object()
        .add("least", json(kLevelNames[static_cast<std::size_t>(effort.least())]))
        .add("isComplete", json(effort.is_complete()))
        .add("isFull", json(effort.is_full()))
        .add("contradiction", json(effort.contradiction()))
        .add("techniques", techniques.text())
        .add("grade", json(grade))
        .add("hardest", list(hardest))
        .add("rounds", list(effort.rounds()))
        .add("chain", json(effort.chain()))
        .add("openCells", json(effort.open_cells()))
        .add("grades", list(effort.grades()))
        .add("decidedIn", list(effort.decided_in()))
        .text();
}

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
        .add("contradiction", list(mender.contradiction().lines()))
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
