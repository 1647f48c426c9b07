// The clues of a puzzle as someone typed them, and the changes that undo one typing error. A draft need not
// describe a puzzle: a clue may be too long for its line, and rows and columns may disagree on the cells of a
// colour.
//
// That disagreement says which changes are worth a trial. Where the rows have `d` cells of a colour more than
// the columns, only a change that takes `d` cells from the rows or gives them to the columns can help: one
// number by `d`, or a number `d` too many or missing. Where all sums agree, the change must keep them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coordinates.hpp"
#include "line/clue.hpp"

namespace nonocsp {

struct TypedBlock {
    std::int32_t length, colour;
    bool operator==(const TypedBlock&) const = default;
};
using TypedClue = std::vector<TypedBlock>;

void append(OwnedClues& clues, const TypedClue& clue);

struct ClueDraft {
    ClueDraft(std::vector<TypedClue> rows, std::vector<TypedClue> columns, std::size_t colour_count)
        : lines{std::move(rows), std::move(columns)}, colours(colour_count) {}
    // Throws std::invalid_argument for a block without cells or of an unknown colour.
    ClueDraft(const FlatClues& rows, const FlatClues& columns, std::size_t colour_count);

    const TypedClue& operator[](LineId id) const { return lines[index(id.axis)][id.position]; }
    PuzzleClues compiled() const;
    // [colour] The cells of the rows minus those of the columns.
    std::vector<std::int64_t> surplus() const;
    // Whether each clue fits its line, and rows and columns agree.
    bool is_consistent() const;
    // The draft whose rows are as many of the clues, rows first, as this one has columns.
    ClueDraft with_sizes_exchanged() const;

    std::array<std::vector<TypedClue>, 2> lines;  // [axis]
    std::size_t colours;                          // the background included
};

enum class MendKind : std::uint8_t { kNumber, kSwap, kExtra, kMissing, kColour, kExchange, kSizes };
inline constexpr std::array<std::string_view, 7> kMendNames{"number", "swap",     "extra", "missing",
                                                            "colour", "exchange", "sizes"};

// A change of one clue at one of its blocks, an exchange of two clues, or of the numbers of rows and columns.
struct ClueChange {
    MendKind kind;
    std::int32_t cost;      // the likelier a typing error, the less
    LineId line;            // meaningless for kSizes
    std::size_t at = 0;     // the block, or the other line of an exchange
    TypedBlock block = {};  // what is there afterwards, of a number, a colour or a missing block
};

// The lines that a change concerns, and their new clues; none for kSizes.
std::vector<std::pair<LineId, TypedClue>> changed_lines(const ClueDraft& draft, const ClueChange& change);

// The changes that leave equal sums, the likeliest first, and no two with the same outcome; at most about so
// many.
std::vector<ClueChange> likely_changes(const ClueDraft& draft, std::size_t most);

}  // namespace nonocsp
