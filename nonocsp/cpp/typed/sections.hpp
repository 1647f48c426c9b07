// Gathers the numbers of typed text in sections of rows and of columns, with what stands between two numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reading/clue_text.hpp"
#include "typed/tokens.hpp"

namespace nonocsp {

// How strongly a number is separated from the one before: the higher, the more.
using Rank = std::int64_t;

enum class Side : std::uint8_t { kUnknown, kRows, kColumns };

struct TypedNumber {
    std::int32_t value;
    TextPlace place;
    std::int32_t open = 0;   // the fewest brackets that are open since the number before
    std::int32_t lines = 0;  // line ends before it: two are a blank line, kDivided a line such as ---
    Rank rank = 0;           // first of the marks before it alone, in the end of all that is
};

constexpr std::int32_t kDivided = 9;

struct LineLabel {
    std::int32_t index;
    std::size_t first;  // of its numbers
    TextPlace place;
};

struct Section {
    Side side = Side::kUnknown;
    std::vector<TypedNumber> numbers;
    std::vector<LineLabel> labels;  // in the order of the text; empty if lines have no labels of their own
    std::int32_t deepest = 0;       // brackets around a number
    TextPlace place;
};

// 0 is unknown.
struct TypedSize {
    std::int32_t rows = 0, columns = 0;  // "height 3", "width 4"
    std::int32_t first = 0, second = 0;  // "3x4", rows first or columns first
    bool is_guessed = false;             // two numbers at the start may be it
    TextPlace place;
};

// How to take what can be taken in two ways, as bits.
enum Assumption : unsigned {
    kStartsWithSize = 1,  // the first two numbers are the size
    kCommaIsWeak = 2,     // a comma without a blank separates less than a blank
    kDashIsEmpty = 4,     // a hyphen between two blanks is an empty clue; otherwise it separates
};
constexpr unsigned kAllAssumptions = 7;

struct Sections {
    std::vector<Section> found;                  // none is empty
    bool has_rows = false, has_columns = false;  // whether there are labels of them
    TypedSize size;
    std::string title;
    std::optional<ReadFault> fault;  // where reading stopped
    unsigned met = 0;                // which assumptions change something here
};

// `lines` are those that the text was cut from.
Sections sections_of(const TypedText& text, std::span<const PlainLine> lines, unsigned assumed);

}  // namespace nonocsp
