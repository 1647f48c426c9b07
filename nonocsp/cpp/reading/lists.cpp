#include "reading/lists.hpp"

#include <array>
#include <iterator>
#include <stdexcept>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

using enum ListHead;

// clang-format off
constexpr std::array kDialects{
    // name, reader, head, between the axes, comments, also between clues?, also in a line?
    ListDialect{"nin",          read_sized_list,     kWidthHeight,     "",  "#%",  true,  true},
    ListDialect{"height-first", read_sized_list,     kHeightWidth,     "",  "#%",  true,  true},
    ListDialect{"mk",           read_sized_list,     kHeightWidth,     "#", "#%",  false, false},
    ListDialect{"cwd",          read_sized_list,     kHeightThenWidth, " ", "#%",  false, false},
    ListDialect{"keen",         read_parted_list,    kNone,            "",  "#%*", true,  false},
    ListDialect{"counted",      read_counted_list,   kNone,            "" , "#%",  true,  true},
    ListDialect{"tournament",   read_numbered_lists, kNone,            "",  "",    false, false},
    ListDialect{"picross",      read_grids,          kNone,            "",  "#",   true,  false},
    ListDialect{"olsak",        read_colon_list,     kNone,            "",  "",    false, false},
    ListDialect{"bosch",        read_keyed_list,     kNone,            "",  "",    false, false},
};
// clang-format on

bool fits(const ListReading& found) {
    const std::vector<ReadPuzzle>& puzzles = found.reading.puzzles;
    return puzzles.size() == 1 && clues_fit(puzzles[0].rows, puzzles[0].columns);
}

// What speaks against a dialect that can be read: it is another one's, or its clues are no puzzle; else
// empty.
std::string objection(std::string_view dialect, std::string_view text, const ListReading& found,
                      bool is_cut) {
    const auto read_as = [&](std::string_view name) { return read_list(list_dialect(name), text, {}); };
    const bool has_no_mark = dialect == "nin" || dialect == "height-first";
    if (has_no_mark && !found.reading.fault && text.find('#') != text.npos && read_as("mk").sureness > kNo)
        return "a line with # stands between the clues";
    if (dialect == "height-first" &&
        (is_cut || found.sureness < kStrong || !fits(found) || fits(read_as("nin"))))
        return "the clues do not need the height first";
    if (dialect == "counted" && !is_cut && !fits(found))
        return "the clues behind their counts do not fit each other";
    return "";
}

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

ListEvidence list_evidence(const ListDialect& dialect, std::string_view text, bool is_cut) {
    if (is_cut) text = text.substr(0, text.find_last_of("\r\n") + 1);
    std::string head(text);
    std::ranges::replace(head, '?', '0');  // so that the reader can refuse unknown clues by name
    const ListReading found = read_list(dialect, head, {1, !is_cut});
    const auto at_line = [](TextPlace place, const std::string& what) {
        return place.line > 0 ? "line " + std::to_string(place.line) + ": " + what : what;
    };
    if (const std::string why = objection(dialect.name, head, found, is_cut); !why.empty())
        return {kNo, why, 1};
    if (const std::optional<ReadFault>& fault = found.reading.fault) {
        const bool has_no_size = found.sureness == kNo && fault->message == "no size";
        return {found.sureness, at_line(fault->place, fault->message),
                has_no_size ? 1 : std::max(fault->place.line, 1)};
    }
    if (found.sureness != kWeak) return {found.sureness, "the file ends too early"};
    if (is_cut) return {kWeak, "its head alone does not tell"};
    const std::vector<ReadNote>& notes = found.reading.notes;
    if (!notes.empty())
        return {kWeak, at_line(notes.back().place, notes.back().message), notes.back().place.line};
    if (head != text) return {kStrong, ""};
    return {kWeak, "the two sections of clues do not fit each other",
            found.reading.puzzles[0].columns.back().place.line};
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

ReadClues read_clues(std::span<const TextLine> lines, std::size_t most) {
    ReadClues clues;
    clues.reserve(std::min(lines.size(), most) + 1);
    for (const TextLine& line : lines.first(std::min(lines.size(), most)))
        clues.push_back(read_lengths(line));
    return clues;
}

void restore_lost_clue(ReadClues& clues, std::size_t expected, std::size_t middle) {
    if (clues.size() + 1 != expected || clues.size() < middle) return;
    const std::span<const ReadClue> all = clues;
    if (cells_of(all.first(middle)) != cells_of(all.subspan(middle))) return;
    const std::int32_t last = clues.empty() ? 0 : clues.back().place.line;
    clues.push_back({{}, {}, {last + 1, 0}});
}

bool fits_at(std::span<const ReadClue> clues, std::size_t middle) {
    return clues_fit(clues.first(middle), clues.subspan(middle));
}

ReadPuzzle split_clues(ReadClues clues, std::size_t middle, bool columns_first) {
    ReadPuzzle puzzle;
    const auto at = clues.begin() + static_cast<std::ptrdiff_t>(std::min(middle, clues.size()));
    puzzle.rows.assign(std::make_move_iterator(clues.begin()), std::make_move_iterator(at));
    puzzle.columns.assign(std::make_move_iterator(at), std::make_move_iterator(clues.end()));
    if (columns_first) std::swap(puzzle.rows, puzzle.columns);
    return puzzle;
}

ReadPuzzle puzzle_of(const ListText& list, ReadClues clues, std::size_t middle, bool columns_first) {
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
    return split_clues(std::move(clues), middle, columns_first);
}

}  // namespace nonocsp
