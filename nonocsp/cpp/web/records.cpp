#include "web/records.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nonocsp {
namespace {

std::string json(std::integral auto number) { return std::to_string(number); }
std::string json(bool truth) { return truth ? "true" : "false"; }
std::string json(std::string_view name) { return '"' + std::string(name) + '"'; }

std::string json(const LineId& line) {
    return std::string(line.axis == Axis::kRow ? "[\"row\"," : "[\"column\",") + json(line.position) + "]";
}

std::string json(const Cell& cell) { return "[" + json(cell.row) + "," + json(cell.column) + "]"; }

template <class T>
std::string json(const std::optional<T>& maybe) {
    return maybe ? json(*maybe) : "null";
}

template <class Items, class Make>
std::string list(const Items& items, Make make) {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : ",") + make(item);
    return "[" + text + "]";
}

template <class Items>
std::string list(const Items& items) {
    return list(items, [](const auto& item) { return json(item); });
}

// An object, field by field.
class Object {
  public:
    Object& add(std::string_view name, const std::string& value) {
        text_ += (text_.empty() ? "\"" : ",\"") + std::string(name) + "\":" + value;
        return *this;
    }
    std::string text() const { return "{" + text_ + "}"; }

  private:
    std::string text_;
};

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

}  // namespace nonocsp
