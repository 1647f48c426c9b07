#include "grading/records.hpp"

#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace nonocsp {
namespace {

std::vector<std::size_t> candidates(Word set) {
    std::vector<std::size_t> colours;
    for_each_cell(set, 0, [&](std::size_t colour) { colours.push_back(colour); });
    return colours;
}

std::string record_of(const CellChange& change) {
    return array(change.cell.row, change.cell.column, candidates(change.before), candidates(change.after));
}

}  // namespace

std::string record_of(const StepReason& reason) {
    Object object;
    object.add("why", json(kWhyNames[static_cast<std::size_t>(reason.why)]));
    for_each_field(reason, [&](std::string_view name, const auto& value) {
        object.add(name, name == "count" ? '"' + json(value) + '"' : json(value));
    });
    return object.text();
}

std::string record_of(const WalkStep& step) {
    return Object()
        .add("technique", json(catalogued(step.technique).name))
        .add("grade", json(catalogued(step.technique).grade))
        .add("line", json(step.line))
        .add("changes", list(step.changes, [](const CellChange& change) { return record_of(change); }))
        .add("blocks", json(step.blocks))
        .add("reasons", list(step.reasons, [](const StepReason& reason) { return record_of(reason); }))
        .add("more", json(step.more))
        .add("trail", json(step.trail))
        .text();
}

std::string record_of(const Hint& hint) {
    const auto broken = [](const BrokenLine& one) {
        return Object().add("line", json(one.line)).add("suspects", json(one.suspects)).text();
    };
    return Object()
        .add("wrong", json(hint.wrong()))
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
        .add("hardest", json(hardest))
        .add("rounds", json(effort.rounds()))
        .add("chain", json(effort.chain()))
        .add("openCells", json(effort.open_cells()))
        .add("grades", json(effort.grades()))
        .add("decidedIn", json(effort.decided_in()))
        .text();
}

}  // namespace nonocsp
