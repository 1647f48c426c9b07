#include "typed/typed.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reading/clue_text.hpp"
#include "typed/cuts.hpp"
#include "typed/drawn.hpp"
#include "typed/sections.hpp"
#include "typed/tokens.hpp"

namespace nonocsp {
namespace {

constexpr std::size_t kMostBytes = 1 << 18;
constexpr std::ptrdiff_t kMostNumbers = 1 << 16;
constexpr std::size_t kMostShown = 4;  // clues in a message
constexpr std::string_view kTemplate =
    "clues written like this:\n  rows:\n  2 1\n  1\n  columns:\n  2\n  1\n  1";

std::string text_of(const ReadClue& clue) {
    std::string text;
    for (const std::int32_t length : clue.lengths) {
        if (!text.empty()) text += ' ';
        text += std::to_string(length);
    }
    return text.empty() ? "0" : text;
}

std::string text_of(const std::vector<ReadClue>& clues) {
    std::string text;
    for (std::size_t i = 0; i < std::min(clues.size(), kMostShown); ++i)
        text.append(i ? " / " : "").append(text_of(clues[i]).substr(0, 20));
    return text + (clues.size() > kMostShown ? " / ..." : "");
}

std::string size_of(const ReadPuzzle& puzzle) {
    return std::to_string(puzzle.rows.size()) + "x" + std::to_string(puzzle.columns.size());
}

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// "3 rows (2 1 / 1 / 3)".
std::string told(const Section& section) {
    const std::vector<ReadClue> clues = likely_clues(section);
    const bool is_rows = section.side == Side::kRows, is_unknown = section.side == Side::kUnknown;
    const std::string what = is_unknown ? "clue" : is_rows ? "row" : "column";
    if (clues.empty()) return std::to_string(section.numbers.size()) + " numbers of " + what + "s";
    return counted(clues.size(), what) + " (" + text_of(clues) + ")";
}

std::string understood(const Sections& sections) {
    std::string text;
    for (const Section& section : sections.found) text += (text.empty() ? "" : ", then ") + told(section);
    if (sections.found.size() == 1 && sections.has_rows != sections.has_columns)
        text += sections.has_rows ? ", then no columns" : ", then no rows";
    return "understood: " + (text.empty() ? "no clues" : text);
}

class TypedReader {
  public:
    explicit TypedReader(std::string_view text) : text_(text) {}

    Reading take() {
        if (text_.size() > kMostBytes) return refused("too long for typed clues", "at most 256 KiB", {});
        lines_ = plain_lines(text_);
        if (Reading drawn = read_drawn(lines_); !drawn.puzzles.empty()) return drawn;
        const TypedText tokens = tokens_of(lines_, false);
        if (tokens.is_prose) return refused("", "", {});
        if (std::ranges::count(tokens.tokens, TokenKind::kNumber, &TypedToken::kind) > kMostNumbers)
            return refused("too many numbers for typed clues", "at most 65536", {});
        try_all(tokens);
        const auto is_cell = [](const PlainLine& line) { return line.text == U"."; };  // of a drawing
        if (may_be_letters(tokens) && std::ranges::none_of(lines_, is_cell)) {
            is_letters_ = true;
            try_all(tokens_of(lines_, true));
        }
        if (found_.puzzles.size() == 1) return accepted(found_.puzzles[0]);
        return found_.puzzles.empty() ? without_sound_puzzle() : ambiguous();
    }

    bool has_labels() const {
        return std::ranges::any_of(plain_.found,
                                   [](const Section& own) { return own.side != Side::kUnknown; });
    }

  private:
    void try_all(const TypedText& tokens) {
        Sections plain = sections_of(tokens, lines_, 0);
        for (unsigned assumed = 0; assumed <= kAllAssumptions; ++assumed) {
            if (assumed & ~plain.met) continue;
            const Sections own = assumed ? sections_of(tokens, lines_, assumed) : plain;
            if (!own.fault) find_puzzles(own, found_);
        }
        if (!is_letters_) plain_ = std::move(plain);
    }

    Reading accepted(const TypedPuzzle& found) const {
        Reading reading;
        reading.puzzles.push_back(found.clues);
        const auto note = [&](std::string message) { reading.notes.push_back({std::move(message), {}}); };
        const bool is_told = plain_.size.rows || plain_.size.columns;
        if (found.columns_first)
            note("the first clues are read as columns, the others as rows");
        else if (!found.has_labels && found.strain == Strain::kMatrix)
            note("the numbers above are read as columns, one below the other");
        else if (!found.has_labels && !is_told)
            note("the clues of the rows are read first; if those of the columns are, add --columns-first");
        if (found.is_counted) note("the first number of each clue says how many follow");
        if (is_letters_) note("letters are read as numbers, A = 1");
        return reading;
    }

    Reading ambiguous() const {
        const ReadPuzzle &one = found_.puzzles[0].clues, &other = found_.puzzles[1].clues;
        const auto shown = [](const ReadPuzzle& puzzle) {
            return size_of(puzzle) + " with rows " + text_of(puzzle.rows) + " and columns " +
                   text_of(puzzle.columns);
        };
        const bool is_by_count = found_.puzzles[0].is_counted != found_.puzzles[1].is_counted;
        return refused(
            "this can be read as " + shown(one) + " or as " + shown(other),
            is_by_count
                ? "clues without counts; a 0 behind one, as in 1 1 0, says that they have none"
                : "what tells them apart: labels (rows:, columns:, width:, height:) and a clue a line",
            {});
    }

    // With labels, clues count that contradict each other: the puzzle says how.
    Reading without_sound_puzzle() const {
        if (plain_.fault)
            return refused(plain_.fault->message + "; " + understood(plain_), "", plain_.fault->place);
        if (plain_.found.empty()) return refused("", "", {});
        if (plain_.size.place.line > 0) {
            Sections sizeless = plain_;
            sizeless.size = {};
            Candidates fitting;
            find_puzzles(sizeless, fitting);
            if (!fitting.puzzles.empty())
                return refused(
                    "the size here contradicts the clues, which are " + size_of(fitting.puzzles[0].clues),
                    "the size of the clues, or none", plain_.size.place);
        }
        if (plain_.found.size() == 2 && plain_.has_rows && plain_.has_columns) {
            const bool is_swapped = plain_.found[0].side == Side::kColumns;
            TypedPuzzle likely;
            likely.has_labels = true;
            likely.clues.title = plain_.title;
            likely.clues.rows = likely_clues(plain_.found[is_swapped]);
            likely.clues.columns = likely_clues(plain_.found[!is_swapped]);
            if (!likely.clues.rows.empty() && !likely.clues.columns.empty()) return accepted(likely);
        }
        return refused(why_not() + understood(plain_), "", plain_.found[0].place);
    }

    std::string why_not() const {
        if (plain_.found.size() != 2)
            return "no reading of the clues has as many cells in rows and in columns; ";
        const std::int64_t first = cells_of(likely_clues(plain_.found[0]));
        const std::int64_t second = cells_of(likely_clues(plain_.found[1]));
        return "one group of clues has " + std::to_string(first) + " cells, the other " +
               std::to_string(second) + "; ";
    }

    static Reading refused(std::string message, std::string expected, TextPlace place) {
        Reading reading;
        if (expected.empty() && !message.empty()) expected = kTemplate;
        reading.fault = ReadFault{std::move(message), std::move(expected), place};
        return reading;
    }

    std::string_view text_;
    std::vector<PlainLine> lines_;
    bool is_letters_ = false;
    Sections plain_;
    Candidates found_;
};

}  // namespace

TypedReading read_typed(std::string_view text) {
    TypedReader reader(text);
    Reading reading = reader.take();
    return {std::move(reading), reader.has_labels()};
}

}  // namespace nonocsp
