#include "judging/clue_draft.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/bits.hpp"

namespace nonocsp {
namespace {

// A slip of one costs less than one of two; a number that is twice there, or that looks like its neighbour
// and is not there, less than any other number; clues that change places less if they are neighbours.
constexpr std::int32_t kByOne = 0, kTwin = 1, kByTwo = 2, kSwap = 3, kColour = 3, kAny = 4, kSizes = 4,
                       kExchange = 5;

std::vector<TypedClue> clues_of(const FlatClues& flat) {
    std::vector<TypedClue> clues;
    for (std::size_t i = 0; i + 1 < flat.offsets.size(); ++i) {
        TypedClue& clue = clues.emplace_back();
        for (auto b = static_cast<std::size_t>(flat.offsets[i]);
             b < static_cast<std::size_t>(flat.offsets[i + 1]); ++b)
            clue.push_back({flat.lengths[b], flat.colours[b]});
    }
    return clues;
}

bool fits(const TypedClue& clue, std::size_t length) {
    std::int64_t cells = 0;
    for (std::size_t j = 0; j < clue.size(); ++j)
        cells += clue[j].length + (j > 0 && clue[j].colour == clue[j - 1].colour ? 1 : 0);
    return cells <= static_cast<std::int64_t>(length);
}

bool has_twin(const TypedClue& clue, std::size_t at, TypedBlock block) {
    return (at > 0 && clue[at - 1] == block) || (at < clue.size() && clue[at] == block);
}

// What the sums of all colours ask for.
struct Repair {
    std::int32_t colour = 0, other = 0;  // the rows have `cells` more of the first, and fewer of the other
    std::int64_t cells = 0;
};

// Nothing if no single change can make the sums agree.
std::optional<Repair> repair_of(const std::vector<std::int64_t>& surplus) {
    std::vector<std::int32_t> wrong;
    for (std::size_t colour = 0; colour < surplus.size(); ++colour)
        if (surplus[colour] != 0) wrong.push_back(static_cast<std::int32_t>(colour));
    const auto of = [&](std::int32_t colour) { return surplus[static_cast<std::size_t>(colour)]; };
    if (wrong.empty()) return Repair{};
    if (wrong.size() == 1) return Repair{wrong[0], 0, of(wrong[0])};
    if (wrong.size() != 2 || of(wrong[0]) + of(wrong[1]) != 0) return std::nullopt;
    if (of(wrong[0]) < 0) std::swap(wrong[0], wrong[1]);
    return Repair{wrong[0], wrong[1], of(wrong[0])};
}

class Changes {
  public:
    Changes(const ClueDraft& draft, std::size_t most) : draft_(draft), most_(most) {}

    std::vector<ClueChange> list() {
        const std::optional<Repair> repair = repair_of(draft_.surplus());
        if (repair) list_of_lines(*repair);
        if (draft_.lines[0].size() != draft_.lines[1].size())
            add({MendKind::kSizes, kSizes, {Axis::kRow, 0}});
        if (repair && repair->cells == 0) list_exchanges();
        std::ranges::stable_sort(changes_, {}, &ClueChange::cost);
        return std::move(changes_);
    }

  private:
    bool is_full() const { return changes_.size() >= most_; }
    void add(const ClueChange& change) {
        if (!is_full()) changes_.push_back(change);
    }

    void list_of_lines(const Repair& repair) {
        for (const Axis axis : {Axis::kRow, Axis::kColumn})
            for (std::size_t i = 0; i < draft_.lines[index(axis)].size() && !is_full(); ++i) {
                const LineId line{axis, i};
                if (repair.cells == 0)
                    list_swaps(line);
                else if (repair.other == 0)
                    list_numbers(line, repair.colour, axis == Axis::kRow ? -repair.cells : repair.cells);
                else
                    list_colours(line, repair);
            }
    }

    void list_swaps(LineId line) {
        const TypedClue& clue = draft_[line];
        for (std::size_t j = 0; j + 1 < clue.size(); ++j)
            if (clue[j] != clue[j + 1]) add({MendKind::kSwap, kSwap, line, j});
    }

    // The changes that give a line `more` cells of a colour, or take some from it.
    void list_numbers(LineId line, std::int32_t colour, std::int64_t more) {
        const TypedClue& clue = draft_[line];
        const std::int32_t cost = std::abs(more) == 1 ? kByOne : std::abs(more) == 2 ? kByTwo : kAny;
        const auto limit = static_cast<std::int64_t>(kMaxLength);
        for (std::size_t j = 0; j < clue.size(); ++j) {
            const std::int64_t length = clue[j].length + more;
            if (clue[j].colour != colour) continue;
            if (length >= 1 && length <= limit)
                add({MendKind::kNumber, cost, line, j, {static_cast<std::int32_t>(length), colour}});
            if (length == 0 && (j == 0 || clue[j - 1] != clue[j]))
                add({MendKind::kExtra, j + 1 < clue.size() && clue[j + 1] == clue[j] ? kTwin : kAny, line,
                     j});
        }
        if (more < 1 || more > limit) return;
        const TypedBlock block{static_cast<std::int32_t>(more), colour};
        for (std::size_t j = 0; j <= clue.size(); ++j)
            if (j == 0 || clue[j - 1] != block)
                add({MendKind::kMissing, has_twin(clue, j, block) ? kTwin : kAny, line, j, block});
    }

    void list_colours(LineId line, const Repair& repair) {
        const TypedClue& clue = draft_[line];
        const bool is_row = line.axis == Axis::kRow;
        const TypedBlock from{static_cast<std::int32_t>(std::min<std::int64_t>(repair.cells, INT32_MAX)),
                              is_row ? repair.colour : repair.other};
        for (std::size_t j = 0; j < clue.size(); ++j)
            if (clue[j] == from)
                add({MendKind::kColour,
                     kColour,
                     line,
                     j,
                     {from.length, is_row ? repair.other : repair.colour}});
    }

    void list_exchanges() {
        const std::size_t most_lines = std::max(draft_.lines[0].size(), draft_.lines[1].size());
        for (std::size_t apart = 1; apart < most_lines && !is_full(); ++apart)
            for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
                const std::vector<TypedClue>& clues = draft_.lines[index(axis)];
                for (std::size_t i = 0; i + apart < clues.size(); ++i)
                    if (clues[i] != clues[i + apart])
                        add({MendKind::kExchange,
                             kExchange + static_cast<std::int32_t>(apart),
                             {axis, i},
                             i + apart});
            }
    }

    const ClueDraft& draft_;
    std::size_t most_;
    std::vector<ClueChange> changes_;
};

}  // namespace

void append(OwnedClues& clues, const TypedClue& clue) {
    for (const auto [length, colour] : clue) clues.add_block(length, colour);
    clues.end_line();
}

ClueDraft::ClueDraft(const FlatClues& rows, const FlatClues& columns, std::size_t colour_count)
    : colours(colour_count) {
    const PuzzleClues checked(rows, columns, colours);
    lines = {clues_of(rows), clues_of(columns)};
}

PuzzleClues ClueDraft::compiled() const {
    std::array<OwnedClues, 2> flat;
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (const TypedClue& clue : lines[index(axis)]) append(flat[index(axis)], clue);
    return PuzzleClues(flat[0].view(), flat[1].view(), colours);
}

std::vector<std::int64_t> ClueDraft::surplus() const {
    std::vector<std::int64_t> cells(colours);
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (const TypedClue& clue : lines[index(axis)])
            for (const auto [length, colour] : clue)
                cells[static_cast<std::size_t>(colour)] +=
                    axis == Axis::kRow ? length : -std::int64_t{length};
    return cells;
}

bool ClueDraft::is_consistent() const {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (const TypedClue& clue : lines[index(axis)])
            if (!fits(clue, lines[index(crossing(axis))].size())) return false;
    return std::ranges::all_of(surplus(), [](std::int64_t cells) { return cells == 0; });
}

ClueDraft ClueDraft::with_sizes_exchanged() const {
    std::vector<TypedClue> all = lines[0];
    all.insert(all.end(), lines[1].begin(), lines[1].end());
    const auto end_of_rows = all.begin() + static_cast<std::ptrdiff_t>(lines[1].size());
    return {{all.begin(), end_of_rows}, {end_of_rows, all.end()}, colours};
}

std::vector<std::pair<LineId, TypedClue>> changed_lines(const ClueDraft& draft, const ClueChange& change) {
    if (change.kind == MendKind::kSizes) return {};
    TypedClue clue = draft[change.line];
    const auto at = clue.begin() + static_cast<std::ptrdiff_t>(change.at);
    switch (change.kind) {
        case MendKind::kSwap:
            std::iter_swap(at, at + 1);
            break;
        case MendKind::kExtra:
            clue.erase(at);
            break;
        case MendKind::kMissing:
            clue.insert(at, change.block);
            break;
        case MendKind::kExchange: {
            const LineId other{change.line.axis, change.at};
            return {{change.line, draft[other]}, {other, clue}};
        }
        default:
            *at = change.block;
    }
    return {{change.line, std::move(clue)}};
}

std::vector<ClueChange> likely_changes(const ClueDraft& draft, std::size_t most) {
    return Changes(draft, most).list();
}

}  // namespace nonocsp
