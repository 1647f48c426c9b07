#include "reading/lists.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

using enum ListHead;

// clang-format off
constexpr std::array kDialects{
    // name, reader, head, between the axes, comments, also in a line?, columns first?, also between clues?
    ListDialect{"nin",          read_sized_list,     kWidthHeight,     ListBreak::kNothing,          "#%",  true,  false, true},
    ListDialect{"height-first", read_sized_list,     kHeightWidth,     ListBreak::kNothing,          "#%",  true,  false, true},
    ListDialect{"mk",           read_sized_list,     kHeightWidth,     ListBreak::kHashLine,         "#%",  false, false, false},
    ListDialect{"cwd",          read_sized_list,     kHeightThenWidth, ListBreak::kBlankLine,        "#%",  false, false, false},
    ListDialect{"keen",         read_parted_list,    kNothing,         ListBreak::kBlankOrAmpersand, "#%*", false, false, true},
    ListDialect{"counted",      read_counted_list,   kAnySize,         ListBreak::kBlankOrAmpersand, "#%",  true,  false, true},
    ListDialect{"tournament",   read_numbered_lists, kNumber,          ListBreak::kNothing,          "",    false, true,  false},
    ListDialect{"picross",      read_grids,          kGrid,            ListBreak::kKeyword,          "#",   false, false, true},
    ListDialect{"olsak",        read_colon_list,     kColons,          ListBreak::kKeyword,          "",    false, false, false},
    ListDialect{"bosch",        read_keyed_list,     kKeys,            ListBreak::kKeyword,          "",    false, false, false},
};
// clang-format on

}  // namespace

const ListDialect& list_dialect(std::string_view name) {
    const auto* found = std::ranges::find(kDialects, name, &ListDialect::name);
    if (found == kDialects.end()) throw std::invalid_argument("there is no dialect " + std::string(name));
    return *found;
}

ListReading read_list(const ListDialect& dialect, std::string_view text, const ListRequest& request) {
    ListReading found{{}, text.size(), request.first_line};
    try {
        dialect.read({dialect, text, request, found});
    } catch (ReadFault& fault) {
        found.reading.fault = std::move(fault);
    }
    return found;
}

std::size_t read_size(const TextLine& line, std::string_view word, std::string_view what) {
    const std::optional<std::int32_t> size = number_of(word);
    if (size && *size >= 1 && *size <= static_cast<std::int32_t>(kMostTextLines))
        return static_cast<std::size_t>(*size);
    throw ReadFault{std::string(what) + " " + quoted(word),
                    "a " + std::string(what) + " from 1 to 4096",
                    {line.number, 0}};
}

std::vector<TextLine> without_spare_blanks(std::vector<TextLine> lines, std::size_t expected) {
    while (lines.size() > expected && is_blank(lines.back().text)) lines.pop_back();
    return lines;
}

ReadClues read_clues(std::span<const TextLine> lines) {
    ReadClues clues;
    clues.reserve(lines.size() + 1);
    for (const TextLine& line : lines) clues.push_back(read_lengths(line));
    return clues;
}

void restore_lost_clue(ReadClues& clues, std::size_t expected, std::size_t middle) {
    if (clues.size() + 1 != expected || clues.size() < middle) return;
    const std::span<const ReadClue> all = clues;
    if (cells_of(all.first(middle)) != cells_of(all.subspan(middle))) return;
    const std::int32_t last = clues.empty() ? 0 : clues.back().place.line;
    clues.push_back({{}, {}, {last + 1, 0}});
}

ReadPuzzle split_clues(ReadClues clues, std::size_t middle, bool columns_first) {
    ReadPuzzle puzzle;
    if (!clues.empty()) puzzle.place = clues.front().place;
    const auto at = clues.begin() + static_cast<std::ptrdiff_t>(std::min(middle, clues.size()));
    puzzle.rows.assign(std::make_move_iterator(clues.begin()), std::make_move_iterator(at));
    puzzle.columns.assign(std::make_move_iterator(at), std::make_move_iterator(clues.end()));
    if (columns_first) std::swap(puzzle.rows, puzzle.columns);
    return puzzle;
}

bool fits_at(std::span<const ReadClue> clues, std::size_t middle) {
    return clues_fit(clues.first(middle), clues.subspan(middle));
}

ReadPuzzle puzzle_of(const ListText& list, ReadClues clues, std::size_t middle) {
    ReadClues meant = without_counts(clues);
    if (!meant.empty() && fits_at(meant, middle)) {
        const TextPlace place = clues.front().place;
        if (fits_at(clues, middle)) {
            list.note(
                "the first number of each clue could also be the number of lengths behind it: --from counted",
                place);
        } else {
            list.note("the first number of each clue is read as the number of lengths behind it", place);
            clues = std::move(meant);
        }
    }
    return split_clues(std::move(clues), middle, list.dialect.columns_first);
}

}  // namespace nonocsp
