#include "typed/cuts.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "reading/clue_text.hpp"

namespace nonocsp {
namespace {

constexpr std::size_t kMostRanks = 8;     // people use three or four separators
constexpr std::size_t kMostPuzzles = 16;  // to tell apart
constexpr std::size_t kMostWays = 64;     // to split clues with equal sums
constexpr Rank kNever = std::numeric_limits<Rank>::max();
constexpr Rank kBracket = Rank{16} << 16;
constexpr Rank kLine = Rank{1} << 16;
constexpr Rank kClear = 5;  // a comma and a blank, a semicolon, a line end: people put no less between clues

using Clues = std::vector<ReadClue>;

// Numbers cut into clues: all of them, and what follows the count that each clue starts with; none if one
// does not. They are telling if they look like clues, one a line or in brackets or several numbers in one:
// any list of single numbers could be anything.
struct Cut {
    Clues plain, counted;
    bool is_telling = false;

    const Clues& clues(bool is_counted) const { return is_counted ? counted : plain; }
};

// Numbers of one side, all of a section or a part of it.
struct Part {
    const Section* section;
    std::span<const TypedNumber> numbers;
    std::vector<Rank> ranks;  // between its numbers, ascending

    bool has_labels() const { return !section->labels.empty(); }
};

bool has_several(const ReadClue& clue) { return clue.lengths.size() > 1; }

void append(ReadClue& clue, const TypedNumber& number) {
    clue.lengths.push_back(number.value);
    clue.colours.push_back(1);
}

// Zeros at the ends of a clue fill up.
Clues without_zeros(Clues clues) {
    for (ReadClue& clue : clues) {
        std::vector<std::int32_t>& lengths = clue.lengths;
        while (!lengths.empty() && lengths.back() == 0) lengths.pop_back();
        lengths.erase(lengths.begin(),
                      std::ranges::find_if(lengths, [](auto length) { return length != 0; }));
        clue.colours.resize(lengths.size());
    }
    return clues;
}

Cut cut_of(Clues clues, bool is_telling) {
    is_telling = is_telling || std::ranges::any_of(clues, has_several);
    Clues counted = without_zeros(without_counts(clues));
    return {without_zeros(std::move(clues)), std::move(counted), is_telling};
}

// Clues whose lines are labelled, in the order of the labels, which count from 0 or 1; none if they do not.
Cut labelled(const Section& section) {
    const std::vector<LineLabel>& labels = section.labels;
    std::vector<std::pair<std::int32_t, ReadClue>> found;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::size_t end = i + 1 < labels.size() ? labels[i + 1].first : section.numbers.size();
        ReadClue& clue = found.emplace_back(labels[i].index, ReadClue{{}, {}, labels[i].place}).second;
        for (std::size_t k = labels[i].first; k < end; ++k) append(clue, section.numbers[k]);
    }
    std::ranges::stable_sort(found, {}, [](const auto& own) { return own.first; });
    const std::int32_t first = found[0].first;
    const bool is_shuffled = !std::ranges::is_sorted(labels, {}, &LineLabel::index);
    if (first > 1 || labels[0].first > 0 || (is_shuffled && first == 0)) return {};
    Clues clues;
    for (auto& [index, clue] : found) {
        if (index != first + std::int32_t(clues.size())) return {};
        clues.push_back(std::move(clue));
    }
    const std::size_t second = labels.size() > 1 ? labels[1].first : section.numbers.size();
    return cut_of(std::move(clues), second < section.numbers.size() && section.numbers[second].rank >= kLine);
}

Part part_of(const Section& section, std::span<const TypedNumber> numbers) {
    Part part{&section, numbers, {}};
    for (const TypedNumber& own : numbers.subspan(std::min<std::size_t>(1, numbers.size())))
        if (part.ranks.size() <= kMostRanks && std::ranges::find(part.ranks, own.rank) == part.ranks.end())
            part.ranks.push_back(own.rank);
    std::ranges::sort(part.ranks);
    return part;
}

Part whole(const Section& section) { return part_of(section, section.numbers); }

// The lowest rank at which clues start, if all from this one on do.
Rank first_from(const Part& part, Rank from) {
    const auto found = std::ranges::lower_bound(part.ranks, from);
    return found == part.ranks.end() ? kNever : *found;
}

// Whether people would separate clues like that: brackets and lines separate clues, and where there are
// several separators the weakest separates the numbers of a clue.
bool is_plausible(const Part& part, Rank from) {
    if (part.ranks.empty()) return true;
    const Rank own = first_from(part, from), lowest = part.ranks.front(), highest = part.ranks.back();
    if (highest >= kBracket) return own == first_from(part, kBracket);
    if (highest >= kLine && own < kLine) return false;
    if (part.ranks.size() > 1) return own > lowest && own != kNever;
    return highest < kLine || own == highest;
}

// Cuts before each number of that rank or a higher one; nothing if people would not cut there.
Cut cut_at(const Part& part, Rank from) {
    if (part.has_labels()) return labelled(*part.section);
    if (!is_plausible(part, from)) return {};
    Clues clues;
    bool is_apart = false;
    for (const TypedNumber& number : part.numbers) {
        if (clues.empty() || number.rank >= from) {
            is_apart = is_apart || (clues.size() == 1 && number.rank >= kLine);
            if (clues.size() == 2 * kMostTextLines) return {};
            clues.push_back({{}, {}, number.place});
        }
        append(clues.back(), number);
    }
    return cut_of(std::move(clues), is_apart);
}

// The numbers of each line as clues of the other side, if all lines have as many.
Clues transposed(const Part& part, bool may_be_one) {
    const auto next =
        std::ranges::find_if(part.numbers.subspan(std::min<std::size_t>(1, part.numbers.size())),
                             [](const TypedNumber& own) { return own.lines > 0; });
    const auto width = std::size_t(next - part.numbers.begin());
    if (part.has_labels() || part.numbers.size() % width || (width == part.numbers.size() && !may_be_one))
        return {};
    Clues clues(width);
    for (std::size_t i = 0; i < part.numbers.size(); ++i) {
        if (i > 0 && (part.numbers[i].lines > 0) != (i % width == 0)) return {};
        if (i < width) clues[i].place = part.numbers[i].place;
        append(clues[i % width], part.numbers[i]);
    }
    return without_zeros(std::move(clues));
}

class Finder {
  public:
    Finder(const Sections& sections, Candidates& candidates)
        : sections_(sections), size_(sections.size), found_(candidates) {
        const std::vector<Section>& found = sections.found;
        if (found.size() == 1 && found[0].side == Side::kUnknown) {
            const Section& only = found[0];
            const std::span<const TypedNumber> all = only.numbers;
            const std::size_t middle = only.labels.empty() ? middle_of(only) : 0;
            if (middle > 0)
                divide(part_of(only, all.first(middle)), part_of(only, all.subspan(middle)));
            else
                split(whole(only));
        } else if (found.size() == 2) {
            const bool is_swapped = found[0].side == Side::kColumns || found[1].side == Side::kRows;
            pair(whole(found[is_swapped]), whole(found[!is_swapped]), found[0].side != found[1].side);
        }
    }

  private:
    // The number with the highest rank, if there is one.
    static std::size_t middle_of(const Section& section) {
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
    void divide(const Part& first, const Part& second) {
        const bool has_lines =
            !second.ranks.empty() && second.ranks.back() >= kLine && second.ranks.back() < kBracket;
        is_above_ = !first.ranks.empty() && first.ranks.back() < kLine && has_lines;
        pair(first, second, false);
    }

    void pair(const Part& first, const Part& second, bool has_labels) {
        std::vector<Rank> ranks = first.ranks;
        ranks.insert(ranks.end(), second.ranks.begin(), second.ranks.end());
        ranks.push_back(kNever);
        std::ranges::sort(ranks);
        ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
        if (ranks.size() > kMostRanks) return;
        const Clues matrix = transposed(has_labels ? second : first, is_above_ && first.ranks.size() == 1);
        for (const Rank rank : ranks) {
            const Cut rows = cut_at(first, rank), columns = cut_at(second, rank);
            const bool is_telling = rows.is_telling || columns.is_telling || has_labels || has_size();
            for (const bool is_counted : {false, true})
                if (is_telling)
                    offer(rows.clues(is_counted), columns.clues(is_counted), {{}, Strain::kNone, is_counted},
                          has_labels);
            offer(has_labels ? rows.plain : columns.plain, matrix, {{}, Strain::kMatrix}, true);
        }
    }

    // Takes the puzzle if it is sound. Without labels, a size may tell that the columns come first.
    void offer(const Clues& rows, const Clues& columns, TypedPuzzle puzzle, bool has_labels) {
        const std::size_t height = rows.size(), width = columns.size();
        if (puzzle.strain > found_.strain || std::max(height, width) > kMostTextLines ||
            !clues_fit(rows, columns) || cells_of(rows) == 0)
            return;
        puzzle.columns_first = !has_labels && ((is_above_ && height > 1) || !fits_size(height, width));
        puzzle.clues.rows = puzzle.columns_first ? columns : rows;
        puzzle.clues.columns = puzzle.columns_first ? rows : columns;
        if (fits_size(puzzle.clues.rows.size(), puzzle.clues.columns.size())) keep(std::move(puzzle));
    }

    bool has_size() const { return size_.first > 0 || size_.rows > 0 || size_.columns > 0; }

    bool fits_size(std::size_t rows, std::size_t columns) const {
        const auto height = std::int32_t(rows), width = std::int32_t(columns);
        const bool is_either = size_.first == 0 || (size_.first == height && size_.second == width) ||
                               (size_.first == width && size_.second == height);
        return is_either && (size_.rows == 0 || size_.rows == height) &&
               (size_.columns == 0 || size_.columns == width);
    }

    // Rows and columns follow each other like two clues: the sums tell where the columns start. Without a
    // size, only clues that have a line each, and several numbers: chance makes sums agree, too.
    void split(const Part& all) {
        if (all.ranks.size() > kMostRanks) return;
        for (const Rank rank : all.ranks) {
            const bool has_lines =
                rank >= kLine && rank < kBracket && all.ranks.size() > 1 && rank == all.ranks.back();
            if (!has_size() && !all.has_labels() && !has_lines) continue;
            const Cut cut = cut_at(all, rank);
            if (size_.is_guessed && !std::ranges::any_of(cut.plain, has_several)) continue;
            for (const bool is_counted : {false, true}) split_clues(cut.clues(is_counted), is_counted);
        }
    }

    void split_clues(std::span<const ReadClue> clues, bool is_counted) {
        const std::int64_t total = cells_of(clues);
        std::int64_t cells = 0;
        std::size_t ways = 0;
        for (std::size_t height = 1; height < clues.size() && total > 0; ++height) {
            cells += cells_of(clues.subspan(height - 1, 1));
            const auto rows = clues.first(height), columns = clues.subspan(height);
            if (2 * cells != total || !fits_size(rows.size(), columns.size()) || ++ways > kMostWays ||
                !clues_fit(rows, columns))
                continue;
            TypedPuzzle puzzle{{}, has_size() ? Strain::kNone : Strain::kSplit, is_counted};
            puzzle.clues.rows.assign(rows.begin(), rows.end());
            puzzle.clues.columns.assign(columns.begin(), columns.end());
            keep(std::move(puzzle));
        }
    }

    void keep(TypedPuzzle puzzle) {
        puzzle.clues.title = sections_.title;
        puzzle.has_labels = sections_.has_rows || sections_.has_columns;
        found_.add(std::move(puzzle));
    }

    const Sections& sections_;
    const TypedSize size_;
    bool is_above_ = false;
    Candidates& found_;
};

}  // namespace

bool has_same_clues(const ReadPuzzle& a, const ReadPuzzle& b) {
    const auto is_same = [](const ReadClue& own, const ReadClue& other) {
        return own.lengths == other.lengths && own.colours == other.colours;
    };
    return std::ranges::equal(a.rows, b.rows, is_same) && std::ranges::equal(a.columns, b.columns, is_same);
}

void Candidates::add(TypedPuzzle puzzle) {
    if (puzzle.strain > strain) return;
    if (puzzle.strain < strain) puzzles.clear();
    strain = puzzle.strain;
    const bool is_known = std::ranges::any_of(
        puzzles, [&](const TypedPuzzle& own) { return has_same_clues(own.clues, puzzle.clues); });
    if (!is_known && puzzles.size() < kMostPuzzles) puzzles.push_back(std::move(puzzle));
}

void find_puzzles(const Sections& sections, Candidates& found) { Finder(sections, found); }

std::vector<ReadClue> likely_clues(const Section& section) {
    const Part part = whole(section);
    Rank from = first_from(part, kBracket);
    if (from == kNever)
        for (const Rank own : part.ranks)
            if (own >= kClear || own > part.ranks.front()) from = std::min(from, own);
    if (from == kNever && !part.has_labels() && section.numbers.size() > 1) return {};
    Clues clues = cut_at(part, from).plain;
    return clues.size() <= kMostTextLines ? clues : Clues{};
}

}  // namespace nonocsp
