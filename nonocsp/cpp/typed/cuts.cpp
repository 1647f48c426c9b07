#include "typed/cuts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <span>

namespace nonocsp {
namespace {

constexpr std::size_t kMostClues = 4096;  // LINES of nonocsp/model/bounds.py
constexpr std::size_t kMostRanks = 8;     // people use three or four separators
constexpr std::size_t kMostPuzzles = 16;  // to tell apart
constexpr Rank kNever = std::numeric_limits<Rank>::max();
constexpr Rank kBracket = Rank{16} << 16;
constexpr Rank kLine = Rank{1} << 16;
constexpr Rank kComma = 3, kBlank = 4, kLooseComma = 5;
constexpr Rank kClear = 5;  // a comma and a blank, a semicolon, a line end: people put no less between clues

using Numbers = std::vector<TypedNumber>;

struct Extent {
    std::size_t first, end;
    TextPlace place;
};

// What clues need, from the first one on; zeros at the ends of a clue fill up.
struct Needs {
    std::vector<std::int64_t> cells{0}, longest{0};  // of the first so many clues
    bool is_valid = true;
};

// Numbers cut into clues, and what they need, counted or not.
struct Cut {
    const Numbers* numbers = nullptr;
    std::vector<Extent> clues;
    std::array<Needs, 2> needs;
};

std::span<const TypedNumber> numbers_of(const Cut& cut, const Extent& clue, bool is_counted) {
    std::span<const TypedNumber> own(cut.numbers->data() + clue.first, clue.end - clue.first);
    if (is_counted && !own.empty()) own = own.subspan(1);
    while (!own.empty() && own.back().value == 0) own = own.first(own.size() - 1);
    while (!own.empty() && own.front().value == 0) own = own.subspan(1);
    return own;
}

bool announces_count(const Cut& cut, const Extent& clue) {
    const std::size_t count = clue.end - clue.first;
    const std::int32_t told = count ? (*cut.numbers)[clue.first].value : -1;
    return told + 1 == std::int32_t(count) ||
           (told == 0 && count == 2 && (*cut.numbers)[clue.first + 1].value == 0);
}

Needs needs_of(const Cut& cut, bool is_counted) {
    Needs needs;
    for (const Extent& clue : cut.clues) {
        if (is_counted && !announces_count(cut, clue)) needs.is_valid = false;
        const auto own = numbers_of(cut, clue, is_counted);
        std::int64_t cells = 0;
        for (const TypedNumber& number : own) {
            cells += number.value;
            needs.is_valid = needs.is_valid && number.value > 0;
        }
        if (!needs.is_valid) break;
        const std::int64_t need = cells + std::max<std::int64_t>(0, std::int64_t(own.size()) - 1);
        needs.cells.push_back(needs.cells.back() + cells);
        needs.longest.push_back(std::max(needs.longest.back(), need));
    }
    return needs;
}

std::vector<ReadClue> clues_of(const Cut& cut, std::size_t first, std::size_t end, bool is_counted) {
    std::vector<ReadClue> clues;
    for (std::size_t i = first; i < end; ++i) {
        ReadClue clue{{}, {}, cut.clues[i].place};
        for (const TypedNumber& number : numbers_of(cut, cut.clues[i], is_counted))
            clue.lengths.push_back(number.value);
        clue.colours.assign(clue.lengths.size(), 1);
        clues.push_back(std::move(clue));
    }
    return clues;
}

// Clues whose lines are labelled, in the order of the labels, which count from 0 or 1; none if they do not.
Cut labelled(const Section& section) {
    Cut cut{&section.numbers, {}, {}};
    std::vector<std::pair<std::int32_t, Extent>> clues;
    for (std::size_t i = 0; i < section.labels.size(); ++i) {
        const LineLabel& label = section.labels[i];
        const bool is_last = i + 1 == section.labels.size();
        clues.push_back(
            {label.index,
             {label.first, is_last ? section.numbers.size() : section.labels[i + 1].first, label.place}});
    }
    std::ranges::sort(clues, {}, [](const auto& clue) { return clue.first; });
    for (std::size_t i = 0; i < clues.size(); ++i)
        if (clues[i].first != clues[0].first + std::int32_t(i) || clues[0].first > 1) return cut;
    const bool is_shuffled = !std::ranges::is_sorted(section.labels, {}, &LineLabel::index);
    if (section.labels[0].first > 0 || (is_shuffled && clues[0].first == 0)) return cut;
    for (const auto& [index, clue] : clues) cut.clues.push_back(clue);
    return cut;
}

// Numbers of one side, all of a section or a part of it.
struct Part {
    const Section* section;
    std::size_t first, end;
    std::vector<Rank> ranks;  // between its numbers, ascending
    bool is_uneven = false;   // numbers outside brackets are separated in several ways
    bool is_sloppy = false;   // lines with commas, with a blank or without one
};

Rank rank_of(const Part& part, std::size_t i) {
    const Rank rank = part.section->numbers[i].rank;
    return part.is_sloppy && rank == kLooseComma ? kComma : rank;
}

Part part_of(const Section& section, std::size_t first, std::size_t end) {
    Part part{&section, first, end, {}};
    const auto has = [&](Rank rank) { return std::ranges::find(part.ranks, rank) != part.ranks.end(); };
    for (std::size_t i = first + 1; i < end && part.ranks.size() <= kMostRanks; ++i)
        if (!has(section.numbers[i].rank)) part.ranks.push_back(section.numbers[i].rank);
    std::ranges::sort(part.ranks);
    Rank outside = kNever;
    for (std::size_t i = first + 1; i < end; ++i) {
        const TypedNumber &own = section.numbers[i], &before = section.numbers[i - 1];
        if (own.depth >= section.deepest || before.depth >= section.deepest) continue;
        part.is_uneven = part.is_uneven || (outside != kNever && outside != own.rank);
        outside = own.rank;
    }
    part.is_sloppy = has(kComma) && has(kLooseComma) && !has(kBlank) && part.ranks.back() >= kLine;
    if (part.is_sloppy) std::erase(part.ranks, kLooseComma);
    return part;
}

// The lowest rank at which clues start, if all from this one on do.
Rank first_from(const Part& part, Rank from) {
    const auto found = std::ranges::lower_bound(part.ranks, from);
    return found == part.ranks.end() ? kNever : *found;
}

// Whether people would separate clues like that: brackets and lines separate clues, and where there are
// several separators the weakest separates the numbers of a clue.
bool is_plausible(const Part& part, Rank from) {
    if (!part.section->labels.empty() || part.ranks.empty()) return true;
    if (part.is_uneven) return false;
    const Rank own = first_from(part, from), lowest = part.ranks.front(), highest = part.ranks.back();
    if (highest >= kBracket) return own == first_from(part, kBracket);
    if (highest >= kLine && own < kLine) return false;
    if (part.ranks.size() > 1) return own > lowest && own != kNever;
    return highest < kLine || own == highest;
}

Cut measured(Cut cut) {
    cut.needs = {needs_of(cut, false), needs_of(cut, true)};
    return cut;
}

// Cuts before each number of that rank or a higher one.
Cut cut_at(const Part& part, Rank from) {
    if (!part.section->labels.empty()) return measured(labelled(*part.section));
    Cut cut{&part.section->numbers, {}, {}};
    for (std::size_t i = part.first; i < part.end; ++i) {
        if (i > part.first && rank_of(part, i) < from)
            cut.clues.back().end = i + 1;
        else if (cut.clues.size() <= 2 * kMostClues)
            cut.clues.push_back({i, i + 1, part.section->numbers[i].place});
    }
    return measured(std::move(cut));
}

// The numbers of each line as clues of the other side: all lines have as many. Zeros show that they fill up.
struct Matrix {
    Numbers numbers;
    Cut cut;
};

void transpose(const Part& part, bool needs_zeros, Matrix& matrix) {
    const Numbers& numbers = part.section->numbers;
    std::vector<std::size_t> starts;
    bool has_zeros = false;
    for (std::size_t i = part.first; i < part.end; ++i) {
        if (i == part.first || numbers[i].lines > 0) starts.push_back(i);
        has_zeros = has_zeros || numbers[i].value == 0;
    }
    const std::size_t count = part.end - part.first, width = count / std::max<std::size_t>(1, starts.size());
    for (std::size_t i = 0; i < starts.size(); ++i)
        if (starts[i] != part.first + i * width || starts.size() * width != count) return;
    if (starts.size() < 2 || !part.section->labels.empty() || (needs_zeros && !has_zeros)) return;
    matrix.cut.numbers = &matrix.numbers;
    for (std::size_t column = 0; column < width; ++column) {
        const std::size_t begin = matrix.numbers.size();
        for (const std::size_t start : starts) matrix.numbers.push_back(numbers[start + column]);
        matrix.cut.clues.push_back({begin, matrix.numbers.size(), matrix.numbers[begin].place});
    }
    matrix.cut = measured(std::move(matrix.cut));
}

class Finder {
  public:
    explicit Finder(const Sections& sections) : sections_(sections), size_(sections.size) {}

    std::vector<TypedPuzzle> take() {
        const std::vector<Section>& found = sections_.found;
        if (found.size() == 1 && found[0].side == Side::kUnknown) {
            const Section& only = found[0];
            const std::size_t middle = only.labels.empty() ? divide(only) : 0;
            if (middle > 0)
                divided(part_of(only, 0, middle), part_of(only, middle, only.numbers.size()));
            else
                split(only);
        } else if (found.size() == 2) {
            const bool is_swapped = found[0].side == Side::kColumns || found[1].side == Side::kRows;
            const bool has_labels = found[0].side != found[1].side;
            pair(whole(found[is_swapped]), whole(found[!is_swapped]), has_labels);
        }
        return std::move(best_);
    }

  private:
    static Part whole(const Section& section) { return part_of(section, 0, section.numbers.size()); }

    // The number with the highest rank, if there is one.
    static std::size_t divide(const Section& section) {
        std::size_t middle = 0;
        bool is_only = false;
        for (std::size_t i = 1; i < section.numbers.size(); ++i) {
            const Rank rank = section.numbers[i].rank, top = middle ? section.numbers[middle].rank : -1;
            is_only = rank > top || (is_only && rank < top);
            if (rank > top) middle = i;
        }
        return is_only ? middle : 0;
    }

    // Without labels, a line of several clues above lines of one clue each has those of the columns.
    void divided(const Part& first, const Part& second) {
        const auto has_lines = [](const Part& part) {
            return !part.ranks.empty() && part.ranks.back() >= kLine;
        };
        is_above_ =
            !first.ranks.empty() && !has_lines(first) && has_lines(second) && second.ranks.back() < kBracket;
        pair(first, second, false);
    }

    void pair(const Part& first, const Part& second, bool has_labels) {
        std::vector<Rank> ranks = first.ranks;
        ranks.insert(ranks.end(), second.ranks.begin(), second.ranks.end());
        ranks.push_back(kNever);
        std::ranges::sort(ranks);
        ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
        if (ranks.size() > kMostRanks) return;
        std::vector<Cut> rows, columns;
        for (const Rank rank : ranks) {
            rows.push_back(is_plausible(first, rank) ? cut_at(first, rank) : Cut{});
            columns.push_back(is_plausible(second, rank) ? cut_at(second, rank) : Cut{});
        }
        for (const bool is_counted : {false, true})
            for (std::size_t i = 0; i < ranks.size(); ++i)
                for (std::size_t j = 0; j < ranks.size(); ++j)
                    offer(rows[i], columns[j], is_counted, i == j ? Strain::kNone : Strain::kMixed,
                          has_labels);
        Matrix matrix;
        transpose(has_labels ? second : first, has_labels, matrix);
        for (const Cut& cut : has_labels ? rows : columns)
            offer(cut, matrix.cut, false, Strain::kMatrix, true);
    }

    // Takes the puzzle if it is sound. Without labels, a size may tell that the columns come first.
    void offer(const Cut& rows, const Cut& columns, bool is_counted, Strain strain, bool has_labels) {
        if (strain > strain_ || !has_count(rows) || !has_count(columns)) return;
        const Needs &of_rows = rows.needs[is_counted], &of_columns = columns.needs[is_counted];
        const auto height = std::int64_t(rows.clues.size()), width = std::int64_t(columns.clues.size());
        const bool is_sound = of_rows.is_valid && of_columns.is_valid && of_rows.cells.back() > 0 &&
                              of_rows.cells.back() == of_columns.cells.back() &&
                              of_rows.longest.back() <= width && of_columns.longest.back() <= height;
        if (!is_sound || !(has_labels || has_size() || is_telling(rows) || is_telling(columns))) return;
        const bool is_swapped = !has_labels && ((is_above_ && height > 1) || !fits_size(height, width));
        if (is_swapped ? !fits_size(width, height) : !fits_size(height, width)) return;
        TypedPuzzle puzzle{{}, strain, is_counted, is_swapped};
        puzzle.clues.rows = clues_of(rows, 0, rows.clues.size(), is_counted);
        puzzle.clues.columns = clues_of(columns, 0, columns.clues.size(), is_counted);
        if (is_swapped) puzzle.clues.rows.swap(puzzle.clues.columns);
        keep(std::move(puzzle));
    }

    static bool has_count(const Cut& cut) { return !cut.clues.empty() && cut.clues.size() <= kMostClues; }

    bool has_size() const { return size_.first > 0 || size_.rows > 0 || size_.columns > 0; }

    static bool has_several(const Extent& clue) { return clue.end - clue.first > 1; }

    // Whether the numbers look like clues: one a line or in brackets of its own, or several in one. Any list
    // of single numbers could be anything.
    static bool is_telling(const Cut& cut) {
        const bool is_apart = cut.clues.size() > 1 && (*cut.numbers)[cut.clues[1].first].rank >= kLine;
        return is_apart || std::ranges::any_of(cut.clues, has_several);
    }

    bool fits_size(std::int64_t height, std::int64_t width) const {
        const bool is_either = size_.first == 0 || (size_.first == height && size_.second == width) ||
                               (size_.first == width && size_.second == height);
        return is_either && (size_.rows == 0 || size_.rows == height) &&
               (size_.columns == 0 || size_.columns == width);
    }

    // Rows and columns follow each other like two clues: the sums tell where the columns start.
    void split(const Section& section) {
        const Part all = whole(section);
        if (all.ranks.size() > kMostRanks) return;
        for (Rank rank : all.ranks)
            for (const bool is_counted : {false, true})
                if (is_plausible(all, rank) && may_split(all, rank)) split_at(cut_at(all, rank), is_counted);
    }

    // Without a size, only clues that have a line each, and several numbers: chance makes sums agree, too.
    bool may_split(const Part& part, Rank from) const {
        const bool has_lines =
            from >= kLine && from < kBracket && part.ranks.size() > 1 && from == part.ranks.back();
        return has_size() || !part.section->labels.empty() || has_lines;
    }

    void split_at(const Cut& cut, bool is_counted) {
        const Needs& needs = cut.needs[is_counted];
        const std::size_t count = cut.clues.size();
        if (!needs.is_valid || needs.cells.back() == 0 || count > 2 * kMostClues) return;
        if (size_.is_guessed && !std::ranges::any_of(cut.clues, has_several)) return;
        std::vector<std::int64_t> rest(count + 1, 0);  // the longest clue from each on
        for (std::size_t i = count; i-- > 0;) {
            const auto own = std::int64_t(numbers_of(cut, cut.clues[i], is_counted).size());
            const std::int64_t cells = needs.cells[i + 1] - needs.cells[i];
            rest[i] = std::max(rest[i + 1], cells + std::max<std::int64_t>(0, own - 1));
        }
        for (std::size_t height = 1; height < count; ++height) {
            const auto width = std::int64_t(count - height);
            if (2 * needs.cells[height] != needs.cells[count] || needs.longest[height] > width ||
                rest[height] > std::int64_t(height) || !fits_size(std::int64_t(height), width))
                continue;
            const Strain strain = has_size() ? Strain::kNone : Strain::kSplit;
            TypedPuzzle puzzle{{}, strain, is_counted};
            puzzle.clues.rows = clues_of(cut, 0, height, is_counted);
            puzzle.clues.columns = clues_of(cut, height, count, is_counted);
            keep(std::move(puzzle));
        }
    }

    void keep(TypedPuzzle puzzle) {
        if (puzzle.strain > strain_) return;
        if (puzzle.strain < strain_) best_.clear();
        strain_ = puzzle.strain;
        const bool is_known = std::ranges::any_of(
            best_, [&](const TypedPuzzle& own) { return has_same_clues(own.clues, puzzle.clues); });
        if (!is_known && best_.size() < kMostPuzzles) best_.push_back(std::move(puzzle));
    }

    const Sections& sections_;
    const TypedSize size_;
    bool is_above_ = false;
    Strain strain_ = Strain::kMatrix;
    std::vector<TypedPuzzle> best_;
};

}  // namespace

bool has_same_clues(const ReadPuzzle& a, const ReadPuzzle& b) {
    const auto is_same = [](const ReadClue& own, const ReadClue& other) {
        return own.lengths == other.lengths && own.colours == other.colours;
    };
    return std::ranges::equal(a.rows, b.rows, is_same) && std::ranges::equal(a.columns, b.columns, is_same);
}

std::vector<TypedPuzzle> puzzles_of(const Sections& sections) { return Finder(sections).take(); }

std::vector<ReadClue> likely_clues(const Section& section) {
    const std::size_t count = section.numbers.size();
    Rank lowest = kNever, from = kNever, bracket = kNever;
    for (std::size_t i = 1; i < count; ++i) lowest = std::min(lowest, section.numbers[i].rank);
    for (std::size_t i = 1; i < count; ++i) {
        const Rank own = section.numbers[i].rank;
        if (own >= kBracket) bracket = std::min(bracket, own);
        if (own >= kClear || own > lowest) from = std::min(from, own);
    }
    if (bracket != kNever) from = bracket;
    if (from == kNever && section.labels.empty() && count > 1) return {};
    const Part part = part_of(section, 0, count);
    if (!is_plausible(part, from)) return {};
    const Cut cut = cut_at(part, from);
    return cut.clues.size() <= kMostClues ? clues_of(cut, 0, cut.clues.size(), false)
                                          : std::vector<ReadClue>{};
}

}  // namespace nonocsp
