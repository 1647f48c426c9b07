// Lists of clues as programs write them: one reader for all, driven by a table of dialects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "reading/clue_text.hpp"

namespace nonocsp {

// The numbers that come before the clues of a puzzle.
enum class ListHead { kNone, kWidthHeight, kHeightWidth, kHeightThenWidth };

struct ListText;

struct ListDialect {
    std::string_view name;
    void (*read)(const ListText& list);
    ListHead head;
    std::string_view between;  // of a list with a size: starts the line between its axes; blank: an empty one
    std::string_view comments;   // a line that starts with one of these says nothing
    bool has_comments_anywhere;  // not above the clues alone
    bool has_comments_in_lines;  // what follows # in a line says nothing
};

// The dialect of that name; throws std::invalid_argument.
const ListDialect& list_dialect(std::string_view name);

struct ListRequest {
    std::int32_t first_line = 1;  // the number of the text's first line in its file
    bool is_whole = true;   // the file ends with the text; if not, the last puzzle is left for the next one
    std::int32_t rows = 0;  // for sets that do not say their size; 0 is unknown
    std::int32_t columns = 0;
};

// How much a text speaks for a dialect: nonocsp.formats.base.Sureness.
enum Sureness : std::int32_t { kNo, kWeak, kStrong, kCertain };

struct ListReading {
    Reading reading;
    std::size_t used = 0;     // bytes of the text up to the puzzle that is left
    std::int32_t line = 1;    // the number of the line there
    Sureness sureness = kNo;  // by what was read up to the first fault
};

// The puzzles of a text in UTF-8, up to the first fault. Takes time proportional to the text.
ListReading read_list(const ListDialect& dialect, std::string_view text, const ListRequest& request);

// How much the head of a file speaks for a dialect: nonocsp.formats.base.Evidence.
struct ListEvidence {
    std::int32_t sureness;
    std::string why;
    std::int32_t line = 0;
};

// `is_cut`: the file may go on behind its head, whose last line is then left out.
ListEvidence list_evidence(const ListDialect& dialect, std::string_view head, bool is_cut);

}  // namespace nonocsp
