#include "grading/deductions.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "grading/techniques.hpp"
#include "line/planes.hpp"

namespace nonocsp {
namespace {

// Joins what a technique finds in a line.
std::unique_ptr<Deduction> joined(LineId line, Technique technique, const LineState& state) {
    const std::vector<LineFinding> found = findings(technique, state);
    if (found.empty()) return nullptr;
    Deduction deduction{line, technique, {}, {}, {}};
    std::vector<Word> kept = state.cells();
    std::vector<StepReason> reasons;
    for (const LineFinding& finding : found) {
        for (const auto& [cell, candidates] : finding.cells)
            kept[static_cast<std::size_t>(cell)] &= candidates;
        deduction.blocks.insert(deduction.blocks.end(), finding.blocks.begin(), finding.blocks.end());
        if (std::ranges::find(reasons, finding.reason) == reasons.end()) reasons.push_back(finding.reason);
    }
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] != state.cells()[i])
            deduction.changes.push_back({cell_of(line, i), state.cells()[i], kept[i]});
    std::ranges::sort(deduction.blocks);
    deduction.blocks.erase(std::ranges::unique(deduction.blocks).begin(), deduction.blocks.end());
    deduction.more = reasons.size() - std::min(reasons.size(), kMostReasons);
    reasons.resize(reasons.size() - deduction.more, {.why = Why::kColours});
    deduction.reasons = std::move(reasons);
    return std::make_unique<Deduction>(std::move(deduction));
}

Word colours_of(const Clue& clue) {
    Word colours = 1;
    for (const Block& block : clue.blocks) colours |= Word{1} << block.colour;
    return colours;
}

}  // namespace

std::size_t decided(std::span<const CellChange> changes) {
    return static_cast<std::size_t>(std::ranges::count_if(
        changes, [](const CellChange& change) { return std::has_single_bit(change.after); }));
}

Deductions::Deductions(const PuzzleClues& clues, Board grid)
    : clues_(clues),
      grid_(std::move(grid)),
      number_(clues.rows.size()),
      settlers_{make_settler(clues.rows.line_length()), make_settler(clues.columns.line_length())},
      prospects_(clues.rows.size() + clues.columns.size()) {
    for (std::size_t number = 0; number < prospects_.size(); ++number)
        if (!look_at(number)) return;
}

bool Deductions::look_at(std::size_t number) {
    const LineId id = line(number);
    const std::span<const Word> planes = grid_.line(id);
    settled_.resize(planes.size());
    prospects_[number].reset();
    if (!settlers_[nonocsp::index(id.axis)]->settle(clues_[id], planes, settled_)) {
        contradiction_ = id;
        return false;
    }
    if (std::ranges::equal(planes, settled_)) return true;
    std::vector<Word> cells(clues_[id].length);
    unpack_line(planes.data(), cells.size(), grid_.colours(), cells.data());
    prospects_[number] =
        std::make_shared<Prospect>(Prospect{LineState(clues_[id], std::move(cells), grid_.colours())});
    return true;
}

const Deduction* Deductions::deduction(std::size_t number, Technique technique) {
    Prospect& prospect = *prospects_[number];
    std::unique_ptr<Deduction>& deduction = prospect.deductions[nonocsp::index(technique)];
    bool& is_searched = prospect.is_searched[nonocsp::index(technique)];
    if (!is_searched) deduction = joined(line(number), technique, prospect.state);
    is_searched = true;
    return deduction.get();
}

std::vector<const Deduction*> Deductions::easiest() {
    std::vector<const Deduction*> found;
    int grade = 1;
    for (std::size_t i = 0; i < kTechniques && !contradiction_; ++i) {
        if (kCatalogue[i].grade > grade && !found.empty()) break;
        grade = kCatalogue[i].grade;
        for (std::size_t number = 0; number < prospects_.size(); ++number)
            if (prospects_[number] != nullptr)
                if (const Deduction* one = deduction(number, static_cast<Technique>(i))) found.push_back(one);
    }
    return found;
}

const Deduction* Deductions::cheapest() {
    const auto gain = [](const Deduction* one) {
        return std::pair(decided(one->changes), one->changes.size());
    };
    const Deduction* best = nullptr;
    for (const Deduction* one : easiest())
        if (best == nullptr || gain(one) > gain(best)) best = one;
    return best;
}

void Deductions::apply(std::span<const CellChange> changes) {
    std::vector<std::uint8_t> is_touched(prospects_.size());
    for (const CellChange& change : changes) {
        assert((change.after & ~grid_.candidates(change.cell)) == 0);
        grid_.narrow_cell(change.cell, change.after);
        is_touched[number_({Axis::kRow, change.cell.row})] = 1;
        is_touched[number_({Axis::kColumn, change.cell.column})] = 1;
    }
    for (std::size_t number = 0; number < prospects_.size(); ++number)
        if (is_touched[number] != 0 && !look_at(number)) return;
}

std::vector<CellChange> Deductions::unshared_colours() const {
    std::vector<CellChange> changes;
    if (grid_.colours() == 2) return changes;
    grid_.for_each_open([&](Cell cell) {
        const Word before = grid_.candidates(cell);
        const Word after =
            before & colours_of(clues_.rows[cell.row]) & colours_of(clues_.columns[cell.column]);
        if (after != before) changes.push_back({cell, before, after});
    });
    return changes;
}

}  // namespace nonocsp
