#include "grading/effort.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace nonocsp {
namespace {

// The highest grade of technique that a puzzle of these levels needs.
constexpr int kEasyGrade = 2, kMediumGrade = 3;
// The most questions of a hard puzzle, and the most sweeps until each ends.
constexpr std::int64_t kHardQuestions = 3;
constexpr int kHardChain = 4;

}  // namespace

Effort::Effort(const PuzzleClues& clues, Deductions start)
    : deductions_(std::move(start)), trial_(clues), decided_in_(clues.rows.size() * clues.columns.size()) {
    if (const std::vector<CellChange> colours = deductions_.unshared_colours(); !colours.empty()) {
        count(Technique::kColours);
        apply(colours, 1);
    }
}

bool Effort::advance(std::int64_t trials, Watch& watch) {
    while (!is_over_ && !contradiction()) {
        watch.check();
        if (!is_asking_)
            if (const std::vector<const Deduction*> deductions = deductions_.easiest(); !deductions.empty()) {
                apply_all(deductions);
                continue;
            }
        const std::size_t open = grid().open_cells();
        if (open_cells_ == 0) open_cells_ = open;
        const Progressed progressed = open == 0 ? Progressed::kNothing : ask(trials, watch);
        if (progressed == Progressed::kPaused) return false;
        if (progressed == Progressed::kNothing) is_complete_ = is_over_ = true;
        if (least() == Level::kExpert) is_over_ = true;
    }
    if (contradiction()) is_complete_ = is_over_ = true;
    return true;
}

// Counts the steps of the shorter way: rows or columns first.
void Effort::apply_all(const std::vector<const Deduction*>& deductions) {
    const std::size_t columns = grid().lines(Axis::kColumn);
    std::vector<Word> left;  // of each cell that changes; all bits of the others
    std::vector<Technique> shorter;
    const auto name = [](Technique technique) { return catalogued(technique).name; };
    for (const Axis first : {Axis::kRow, Axis::kColumn}) {
        std::vector<Technique> steps;
        left.assign(decided_in_.size(), ~Word{0});
        for (const Axis axis : {first, crossing(first)})
            for (const Deduction* one : deductions) {
                if (one->line.axis != axis) continue;
                bool is_new = false;
                for (const CellChange& change : one->changes) {
                    Word& now = left[change.cell.row * columns + change.cell.column];
                    is_new = is_new || (now & change.before & ~change.after) != 0;
                    now &= change.after;
                }
                if (is_new) steps.push_back(one->technique);
            }
        std::ranges::sort(steps);
        const bool is_shorter = steps.size() != shorter.size()
                                    ? steps.size() < shorter.size()
                                    : std::ranges::lexicographical_compare(steps, shorter, {}, name, name);
        if (first == Axis::kRow || is_shorter) shorter = std::move(steps);
    }
    for (const Technique technique : shorter) count(technique);
    std::vector<CellChange> changes;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (left[i] != ~Word{0}) changes.push_back({{i / columns, i % columns}, 0, left[i]});
    apply(changes, catalogued(deductions.front()->technique).grade);
}

Progressed Effort::ask(std::int64_t& trials, Watch& watch) {
    const std::size_t columns = grid().lines(Axis::kColumn);
    if (!is_asking_) {
        next_ = 0;
        shortest_ = std::numeric_limits<int>::max();
        refuted_.clear();
    }
    is_asking_ = true;
    for (; next_ < decided_in_.size(); ++next_) {
        const Cell cell{next_ / columns, next_ % columns};
        const Word left = grid().candidates(cell);
        if (std::has_single_bit(left)) continue;
        if (trials <= 0) return Progressed::kPaused;
        for_each_cell(left, 0, [&](std::size_t colour) {
            --trials;
            const int length = trial_.sweeps_to_contradiction(grid(), cell, colour, shortest_, watch);
            if (length == 0) return;
            if (length < shortest_) refuted_.clear();
            shortest_ = length;
            refuted_.try_emplace(next_, left).first->second &= ~(Word{1} << colour);
        });
    }
    is_asking_ = false;
    if (refuted_.empty()) return Progressed::kNothing;
    chain_ = std::max(chain_, shortest_);
    count(Technique::kProbe);
    std::vector<CellChange> changes;
    for (const auto& [cell, after] : refuted_)
        changes.push_back({{cell / columns, cell % columns}, 0, after});
    apply(changes, kGrades);
    return Progressed::kFound;
}

void Effort::apply(const std::vector<CellChange>& changes, int grade) {
    const std::size_t columns = grid().lines(Axis::kColumn);
    grades_.push_back(static_cast<std::uint8_t>(grade));
    for (const CellChange& change : changes) {
        std::uint32_t& round = decided_in_[change.cell.row * columns + change.cell.column];
        if (round == 0 && std::has_single_bit(change.after))
            round = static_cast<std::uint32_t>(grades_.size());
    }
    deductions_.apply(changes);
}

std::array<std::int64_t, kGrades> Effort::rounds() const {
    std::array<std::int64_t, kGrades> rounds{};
    for (const std::uint8_t grade : grades_) ++rounds[grade - std::size_t{1}];
    return rounds;
}

Level Effort::least() const {
    if (is_complete_ && !is_full()) return Level::kExpert;
    if (rounds().back() > kHardQuestions || chain_ > kHardChain) return Level::kExpert;
    const int grade = grades_.empty() ? 1 : *std::ranges::max_element(grades_);
    if (grade <= kEasyGrade) return Level::kEasy;
    return grade <= kMediumGrade ? Level::kMedium : Level::kHard;
}

}  // namespace nonocsp
