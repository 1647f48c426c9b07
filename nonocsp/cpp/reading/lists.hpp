// Lists of clues as programs write them: one reader for all, driven by a table of dialects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "reading/reading.hpp"

namespace nonocsp {

// What comes before the clues of a puzzle.
enum class ListHead {
    kNothing,
    kWidthHeight,      // two numbers in a line
    kHeightWidth,      // two numbers in a line
    kHeightThenWidth,  // two lines
    kAnySize,          // none, or two numbers in one or two lines, in either order
    kNumber,           // $k
    kGrid,             // GRID and a name, ROWS, COLUMNS
    kColons,           // lines that start with a colon, and colours
    kKeys,             // number_of_rows: and so on
};

// What stands between the clues of the two axes.
enum class ListBreak { kNothing, kBlankLine, kHashLine, kBlankOrAmpersand, kKeyword };

struct ListText;

struct ListDialect {
    std::string_view name;
    void (*read)(const ListText& list);
    ListHead head;
    ListBreak between;
    std::string_view comments;  // a line that starts with one of these says nothing
    bool comments_inside;       // what follows # in a line says nothing
    bool columns_first;
    bool may_be_inside;  // comments may stand between clues
};

// The dialect of that name; throws std::invalid_argument.
const ListDialect& list_dialect(std::string_view name);

struct ListRequest {
    std::int32_t first_line = 1;  // the number of the text's first line in its file
    bool is_whole = true;   // the file ends with the text; if not, the last puzzle is left for the next one
    std::int32_t rows = 0;  // for sets that do not say their size; 0 is unknown
    std::int32_t columns = 0;
};

struct ListReading {
    Reading reading;
    std::size_t used = 0;     // bytes of the text up to the puzzle that is left
    std::int32_t line = 1;    // the number of the line there
    bool has_head = false;    // of a list with a size
    bool has_middle = false;  // the clues of its first axis end where they should
};

// The puzzles of a text in UTF-8, up to the first fault. Takes time proportional to the text.
ListReading read_list(const ListDialect& dialect, std::string_view text, const ListRequest& request);

// How much the head of a file speaks for a dialect: nonocsp.formats.base.Evidence.
struct ListEvidence {
    std::int32_t sureness;  // 0 no, 1 weak, 2 strong, 3 certain
    std::string why;
    std::int32_t line = 0;
};

// `is_cut`: the file may go on behind its head, whose last line is then left out.
ListEvidence list_evidence(const ListDialect& dialect, std::string_view head, bool is_cut);

}  // namespace nonocsp
