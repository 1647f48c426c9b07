// The core for browsers: what a page asks about a drawing or a puzzle, as functions of C. A page calls them
// in a worker that nothing can interrupt, so long work comes in portions that the caller measures.
//
// Cells are colours row by row, one byte each, 0 for the background. A grid of candidates has 8 bytes a cell,
// bit c for colour c. A function that makes an object returns null after an error, others return -1, and
// `nono_error` has the message. The caller frees what it allocates and deletes what it makes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "grading/records.hpp"
#include "grid/image_clues.hpp"
#include "grid/image_trials.hpp"
#include "judging/ambiguity.hpp"
#include "judging/certifier.hpp"
#include "judging/mend.hpp"
#include "judging/repair_map.hpp"
#include "reading/clue_text.hpp"
#include "reading/lists.hpp"
#include "web/records.hpp"

#define NONO_API extern "C" __attribute__((visibility("default"), used))

namespace nonocsp {
namespace {

constexpr std::int32_t kMostLines = 1000, kMostColours = 64;

std::string& last_error() {
    static std::string error;
    return error;
}

// Returns f(); after an exception keeps its message and returns null or -1.
template <class F>
auto guarded(F f) -> decltype(f()) {
    try {
        return f();
    } catch (const std::exception& error) {
        last_error() = error.what();
        if constexpr (std::is_pointer_v<decltype(f())>)
            return nullptr;
        else
            return -1;
    }
}

std::size_t checked_size(std::int32_t rows, std::int32_t columns, std::int32_t colours) {
    if (rows < 1 || columns < 1 || rows > kMostLines || columns > kMostLines)
        throw std::invalid_argument("a puzzle has 1 to 1000 rows and columns");
    if (colours < 2 || colours > kMostColours)
        throw std::invalid_argument("a puzzle has 2 to 64 colours, the background included");
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

std::span<const std::uint8_t> checked_image(const std::uint8_t* cells, std::int32_t rows,
                                            std::int32_t columns, std::int32_t colours) {
    const std::span image(cells, checked_size(rows, columns, colours));
    if (std::ranges::any_of(image, [&](std::uint8_t colour) { return colour >= colours; }))
        throw std::invalid_argument("a cell has an unknown colour");
    return image;
}

// Clues as a page hands them over: the number of blocks of each line, and length and colour of each block.
OwnedClues clues_of(const std::int32_t* counts, std::int32_t lines, const std::int32_t* blocks) {
    OwnedClues clues;
    for (std::int32_t i = 0; i < lines; ++i) {
        for (std::int32_t j = 0; j < counts[i]; ++j, blocks += 2) clues.add_block(blocks[0], blocks[1]);
        clues.end_line();
    }
    return clues;
}

// Goes on with about so many trials: 1 once the work is over, 0 before.
template <class Work>
std::int32_t advanced(Work& work, std::int32_t trials) {
    return guarded([&] {
        Watch watch;
        return work.advance(trials, watch) ? 1 : 0;
    });
}

}  // namespace

// A puzzle and what is known of its solutions.
struct Judge {
    Judge(PuzzleClues puzzle, std::span<const std::uint8_t> solution)
        : clues(std::move(puzzle)), image(solution.begin(), solution.end()), search(clues, image, watch) {}

    Watch watch;
    PuzzleClues clues;
    std::vector<std::uint8_t> image;  // empty if it was made of clues
    AmbiguitySearch search;
};

NONO_API void* nono_allocate(std::size_t bytes) { return std::malloc(bytes); }
NONO_API void nono_free(void* memory) { std::free(memory); }
NONO_API const char* nono_error() { return last_error().c_str(); }

// What a text in UTF-8 is in dialects of number lists, or as typed clues, as JSON (web/records.hpp):
// a list with one record for each name, valid until the next call. Names stand between blanks. The first
// `head` bytes of the text say how much speaks for a dialect.
NONO_API const char* nono_read(const char* text, std::int32_t bytes, std::int32_t head,
                               const char* dialects) {
    static std::string records;
    return guarded([&] {
        const std::string_view whole(text, static_cast<std::size_t>(bytes));
        const std::string_view start = whole.substr(0, static_cast<std::size_t>(head));
        std::vector<std::string> all;
        const std::string_view names(dialects);
        std::size_t at = 0;
        while (const auto name = next_token(names, at)) {
            if (name->text == "typed") {
                all.push_back(record_of(read_typed(whole)));
                continue;
            }
            const ListDialect& known = list_dialect(name->text);
            all.push_back(
                record_of(list_evidence(known, start, head < bytes), read_list(known, whole, {}).reading));
        }
        return (records = list(all, [](const std::string& record) { return record; })).c_str();
    });
}

// Judges the puzzle of a drawing, by lines alone so far.
NONO_API Judge* nono_judge_image(const std::uint8_t* cells, std::int32_t rows, std::int32_t columns,
                                 std::int32_t colours) {
    return guarded([&] {
        const auto image = checked_image(cells, rows, columns, colours);
        return new Judge(
            clues_of_image(image, static_cast<std::size_t>(columns), static_cast<std::size_t>(colours)),
            image);
    });
}

// Judges a puzzle by its clues: the number of blocks of each line, and length and colour of each block.
NONO_API Judge* nono_judge_clues(std::int32_t rows, std::int32_t columns, std::int32_t colours,
                                 const std::int32_t* row_counts, const std::int32_t* row_blocks,
                                 const std::int32_t* column_counts, const std::int32_t* column_blocks) {
    return guarded([&] {
        checked_size(rows, columns, colours);
        const OwnedClues of_rows = clues_of(row_counts, rows, row_blocks);
        const OwnedClues of_columns = clues_of(column_counts, columns, column_blocks);
        return new Judge(PuzzleClues(of_rows.view(), of_columns.view(), static_cast<std::size_t>(colours)),
                         {});
    });
}

NONO_API void nono_judge_delete(Judge* judge) { delete judge; }

// Goes on for about so many conflicts: 1 once all is known, 0 before.
NONO_API std::int32_t nono_judge_advance(Judge* judge, std::int32_t conflicts) {
    return guarded([&] { return judge->search.advance(conflicts, judge->watch) ? 1 : 0; });
}

// 0 unknown, 1 no solution, 2 one, 3 several.
NONO_API std::int32_t nono_judge_solutions(const Judge* judge) {
    return static_cast<std::int32_t>(judge->search.solutions());
}

NONO_API std::int32_t nono_judge_sweeps(const Judge* judge) {
    return static_cast<std::int32_t>(judge->search.sweeps());
}

// What line solving leaves of each cell.
NONO_API void nono_judge_known(const Judge* judge, Word* out) {
    const Board& known = judge->search.known();
    known.write({out, known.lines(Axis::kRow) * known.lines(Axis::kColumn)});
}

// 1 for each cell in which two known solutions differ.
NONO_API void nono_judge_ambiguous(const Judge* judge, std::uint8_t* out) {
    std::ranges::copy(judge->search.ambiguous(), out);
}

// Writes the reference, or (`other` not 0) another solution; 1 if it is known, else 0.
NONO_API std::int32_t nono_judge_solution(const Judge* judge, std::int32_t other, std::uint8_t* out) {
    return guarded([&] {
        const auto cells = other != 0 ? judge->search.other() : judge->search.reference();
        std::ranges::copy(cells, out);
        return cells.empty() ? 0 : 1;
    });
}

// The changes of one cell that leave the judged drawing one solution.
NONO_API RepairMap* nono_repairs_new(Judge* judge) {
    return guarded([&] {
        if (judge->image.empty()) throw std::invalid_argument("only a drawing can be repaired");
        return new RepairMap(judge->image, judge->clues.columns.size(), judge->clues.colours,
                             judge->search.other(), judge->watch);
    });
}

NONO_API void nono_repairs_delete(RepairMap* repairs) { delete repairs; }

// Tries up to `changes` more changes, and returns how many are left after that.
NONO_API std::int32_t nono_repairs_advance(RepairMap* repairs, std::int32_t changes) {
    return guarded([&] {
        Watch watch;
        repairs->advance(static_cast<std::size_t>(std::max(changes, 0)), watch);
        return static_cast<std::int32_t>(repairs->changes() - repairs->tried());
    });
}

// For each cell and colour: 0 no repair or not tried, 1 undecided, 2 one solution, 3 line-solvable.
NONO_API void nono_repairs_effects(const RepairMap* repairs, std::uint8_t* out) {
    std::ranges::transform(repairs->effects(), out,
                           [](Effect effect) { return static_cast<std::uint8_t>(effect); });
}

// The step of Adapt: the change with the least alpha * open cells + cost. A change is row, column, colour.
NONO_API std::int32_t nono_best_change(const std::uint8_t* cells, std::int32_t rows, std::int32_t columns,
                                       std::int32_t colours, const std::int32_t* changes, const double* costs,
                                       std::int32_t count, double alpha) {
    return guarded([&] {
        const auto image = checked_image(cells, rows, columns, colours);
        if (count < 1) throw std::invalid_argument("there is no change to choose from");
        std::vector<Change> all;
        for (std::int32_t i = 0; i < count; ++i, changes += 3)
            all.push_back({{static_cast<std::size_t>(changes[0]), static_cast<std::size_t>(changes[1])},
                           static_cast<std::uint8_t>(changes[2])});
        Watch watch;
        const ImageTrials trials({image.begin(), image.end()}, static_cast<std::size_t>(columns),
                                 static_cast<std::size_t>(colours), watch);
        return static_cast<std::int32_t>(
            best_change(trials, all, {costs, static_cast<std::size_t>(count)}, alpha, watch));
    });
}

namespace {

Board board_of(const Judge& judge, const Word* grid) {
    if (grid == nullptr) return grid_of<Board>(judge.clues);
    return grid_of<Board>(judge.clues, {grid, judge.clues.rows.size() * judge.clues.columns.size()});
}

// What is known of the solution: line solving, and where all solutions agree.
Board known_of(const Judge& judge) {
    Board known = judge.search.known();
    const std::vector<std::uint8_t> solution = judge.search.reference();
    if (!judge.search.is_complete() || solution.empty()) return known;
    const std::size_t columns = judge.clues.columns.size();
    for (std::size_t i = 0; i < solution.size(); ++i)
        if (judge.search.ambiguous()[i] == 0)
            known.narrow_cell({i / columns, i % columns}, Word{1} << solution[i]);
    return known;
}

std::string record_of(const Walk& walk) { return nonocsp::record_of(walk.step()); }

// Work in portions of trials, and its record as JSON.
template <class Work>
struct Recorded {
    template <class... Arguments>
    explicit Recorded(Arguments&&... arguments) : work(std::forward<Arguments>(arguments)...) {}

    const char* told() { return (record = record_of(work)).c_str(); }

    Work work;
    std::string record;
};

}  // namespace

// The steps of a person. A grid of candidates is where to start; null: the empty grid. `asks` not 0: with
// what-if questions where line solving ends. The judge must outlive it; so with a hint and an effort.
using Steps = Recorded<Walk>;

NONO_API Steps* nono_steps_new(const Judge* judge, const Word* grid, std::int32_t asks) {
    return guarded(
        [&] { return new Steps(judge->clues, Deductions(judge->clues, board_of(*judge, grid)), asks != 0); });
}

NONO_API void nono_steps_delete(Steps* steps) { delete steps; }

// Takes the next step: 0 taken, 1 there is none, 2 paused after about so many trials of a question.
NONO_API std::int32_t nono_steps_next(Steps* steps, std::int32_t trials) {
    return guarded([&] {
        Watch watch;
        return static_cast<std::int32_t>(steps->work.next(trials, watch));
    });
}

// The last step as JSON (web/records.hpp), valid until the next call.
NONO_API const char* nono_steps_record(Steps* steps) { return steps->told(); }

// The line that no placement fits, rows first and then columns; -1 if each line keeps one.
NONO_API std::int32_t nono_steps_contradiction(const Steps* steps) {
    const auto& line = steps->work.contradiction();
    if (!line) return -1;
    const std::size_t rows = steps->work.grid().lines(Axis::kRow);
    return static_cast<std::int32_t>(line->position + (line->axis == Axis::kRow ? 0 : rows));
}

// The next step from a grid of candidates, or its mistakes. What counts as a mistake is what the judge knows.
using Hints = Recorded<Hint>;

NONO_API Hints* nono_hint_new(const Judge* judge, const Word* grid) {
    return guarded([&] {
        Watch watch;
        return new Hints(judge->clues, board_of(*judge, grid), known_of(*judge), watch);
    });
}

NONO_API void nono_hint_delete(Hints* hint) { delete hint; }

NONO_API std::int32_t nono_hint_advance(Hints* hint, std::int32_t trials) {
    return advanced(hint->work, trials);
}

NONO_API const char* nono_hint_record(Hints* hint) { return hint->told(); }

// What the puzzle asks of a person, round by round.
using Efforts = Recorded<Effort>;

NONO_API Efforts* nono_effort_new(const Judge* judge) {
    return guarded(
        [&] { return new Efforts(judge->clues, Deductions(judge->clues, board_of(*judge, nullptr))); });
}

NONO_API void nono_effort_delete(Efforts* effort) { delete effort; }

NONO_API std::int32_t nono_effort_advance(Efforts* effort, std::int32_t trials) {
    return advanced(effort->work, trials);
}

NONO_API const char* nono_effort_record(Efforts* effort) { return effort->told(); }

// The certificate of a judged puzzle that has one solution. The judge must outlive it.
NONO_API Certifier* nono_certificate_new(const Judge* judge) {
    return guarded([&] {
        if (judge->search.solutions() != Solutions::kOne)
            throw std::invalid_argument("only a puzzle with one solution gets a certificate");
        Watch watch;
        return new Certifier(judge->clues, judge->search.reference(), watch);
    });
}

NONO_API void nono_certificate_delete(Certifier* certifier) { delete certifier; }

// Goes on for about so many conflicts: 1 once the proof is complete, 0 before.
NONO_API std::int32_t nono_certificate_advance(Certifier* certifier, std::int32_t conflicts) {
    return advanced(*certifier, conflicts);
}

// The bytes of the formula, or (`is_proof` not 0) of the proof, and how many they are.
NONO_API const char* nono_certificate_bytes(const Certifier* certifier, std::int32_t is_proof) {
    return (is_proof != 0 ? certifier->proof() : certifier->formula()).data();
}

NONO_API std::int32_t nono_certificate_size(const Certifier* certifier, std::int32_t is_proof) {
    return static_cast<std::int32_t>((is_proof != 0 ? certifier->proof() : certifier->formula()).size());
}

// The clue that is wrong, as Mender finds it, and the time until which it looks.
struct Mends : Recorded<Mender> {
    Mends(ClueDraft draft, double seconds) : Recorded(std::move(draft)), watch(nullptr, seconds) {}

    Watch watch;
};

// Clues as for nono_judge_clues; they need not fit, and their sums may differ.
NONO_API Mends* nono_mend_new(std::int32_t rows, std::int32_t columns, std::int32_t colours,
                              const std::int32_t* row_counts, const std::int32_t* row_blocks,
                              const std::int32_t* column_counts, const std::int32_t* column_blocks,
                              double seconds) {
    return guarded([&] {
        checked_size(rows, columns, colours);
        const OwnedClues of_rows = clues_of(row_counts, rows, row_blocks);
        const OwnedClues of_columns = clues_of(column_counts, columns, column_blocks);
        return new Mends({of_rows.view(), of_columns.view(), static_cast<std::size_t>(colours)}, seconds);
    });
}

NONO_API void nono_mend_delete(Mends* mends) { delete mends; }

// Makes at most `trials` more trials: 1 once all are made or the time is over, 0 before.
NONO_API std::int32_t nono_mend_advance(Mends* mends, std::int32_t trials) {
    return guarded([&] {
        try {
            return mends->work.advance(static_cast<std::size_t>(std::max(trials, 0)), mends->watch) ? 1 : 0;
        } catch (const Interrupted&) {
            return 1;
        }
    });
}

NONO_API const char* nono_mend_record(Mends* mends) { return mends->told(); }

}  // namespace nonocsp
