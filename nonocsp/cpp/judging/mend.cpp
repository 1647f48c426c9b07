#include "judging/mend.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "cdcl/solver.hpp"

namespace nonocsp {
namespace {

// Conflicts: of the search of the draft itself, and of a test of lines or a change; by how many times more
// each time, and at most.
constexpr std::int64_t kPatienceOfDraft = 3000, kPatience = 300, kMorePatience = 20,
                       kMostPatience = 1'000'000;
constexpr std::size_t kMostWords = std::size_t{8} << 20;  // of kept boards
constexpr std::size_t kMemory = std::size_t{16} << 20;    // bytes for clauses of a test

// A clue in the place of another one while it exists.
class Replaced {
  public:
    Replaced(PuzzleClues& clues, LineId line, const Clue& clue)
        : clues_(clues), line_(line), before_(clues.replace(line, clue)) {}
    ~Replaced() { clues_.replace(line_, before_); }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

  private:
    PuzzleClues& clues_;
    LineId line_;
    Clue before_;
};

Clue freed(Clue clue) {
    clue.is_free = true;
    return clue;
}

std::vector<std::uint8_t> colours_of(const Board& solved) {
    std::vector<std::uint8_t> colours;
    for (const Word cell : candidate_sets(solved))
        colours.push_back(static_cast<std::uint8_t>(std::countr_zero(cell)));
    return colours;
}

Solutions decided(const PuzzleClues& clues, std::int64_t conflicts, std::vector<std::uint8_t>& solution,
                  Watch& watch) {
    AmbiguitySearch search(clues, {}, watch);
    search.decide(conflicts, watch);
    if (search.solutions() == Solutions::kOne) solution = search.reference();
    return search.solutions();
}

}  // namespace

Contradiction::Contradiction(const ClueDraft& draft) : clues_(draft.compiled()), propagator_(clues_) {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (std::size_t i = 0; i < draft.lines[index(axis)].size(); ++i) kept_.push_back({axis, i});
}

bool Contradiction::advance(std::size_t tests, Watch& watch) {
    for (; tests > 0 && !is_over_; --tests) step(watch);
    return is_over_;
}

void Contradiction::step(Watch& watch) {
    if (part_ == 0) {
        if (is_refuted_ || refutes(watch)) {
            is_refuted_ = true;
            part_ = std::bit_floor(kept_.size());
        } else {
            next_method();
        }
        return;
    }
    const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(part_, kept_.size() - at_));
    std::vector<Clue> before;
    for (auto line = first; line != last; ++line)
        before.push_back(clues_.replace(*line, freed(clues_[*line])));
    if (refutes(watch)) {
        kept_.erase(first, last);
    } else {
        for (auto line = first; line != last; ++line)
            clues_.replace(*line, before[static_cast<std::size_t>(line - first)]);
        at_ += part_;
    }
    if (at_ < kept_.size()) return;
    at_ = 0;
    part_ /= 2;
    if (part_ == 0) next_method();
}

void Contradiction::next_method() {
    is_over_ = method_ == Method::kSearch;
    method_ = Method::kSearch;
}

bool Contradiction::refutes(Watch& watch) {
    Board board = grid_of<Board>(clues_);
    propagator_.touch_all();
    if (propagator_.to_fixpoint(board, watch)) return true;
    if (method_ == Method::kLines || board.open_cells() == 0) return false;
    CdclSolver solver(clues_, board, Variables::kCells, kMemory, SearchOptions());
    return solver.search(kPatience, watch) == CdclSolver::End::kExhausted;
}

Mender::Mender(ClueDraft draft)
    : draft_(std::move(draft)),
      clues_(draft_.compiled()),
      propagator_(clues_),
      contradiction_(draft_),
      patience_(kPatience) {}

bool Mender::advance(std::size_t trials, Watch& watch) {
    for (; trials > 0 && !is_over_; --trials) {
        if (!is_judged_)
            judge(watch);
        else if (solutions_ == Solutions::kNone && !contradiction_.advance(1, watch))
            continue;
        else
            try_next(watch);
    }
    return is_over_;
}

void Mender::judge(Watch& watch) {
    std::vector<std::uint8_t> solution;
    solutions_ =
        draft_.is_consistent() ? decided(clues_, kPatienceOfDraft, solution, watch) : Solutions::kNone;
    is_judged_ = true;
    if (solutions_ == Solutions::kOne) return;
    changes_ = likely_changes(draft_, kMostChanges);
    waiting_.resize(changes_.size());
    std::iota(waiting_.rbegin(), waiting_.rend(), 0U);
}

void Mender::try_next(Watch& watch) {
    if (waiting_.empty()) {
        is_over_ = undecided_.empty() || patience_ >= kMostPatience;
        if (is_over_) return;
        patience_ *= kMorePatience;
        waiting_ = {undecided_.rbegin(), undecided_.rend()};
        undecided_.clear();
        return;
    }
    const std::size_t number = waiting_.back();
    const ClueChange& change = changes_[number];
    std::vector<std::uint8_t> solution;
    const Solutions left = is_hopeful(change) ? after(change, solution, watch) : Solutions::kNone;
    waiting_.pop_back();
    if (left == Solutions::kUnknown) undecided_.push_back(number);
    if (left != Solutions::kOne) return;
    const auto place =
        std::ranges::upper_bound(found_, change.cost, {}, [](const Mend& mend) { return mend.change.cost; });
    found_.insert(place, {change, std::move(solution)});
}

bool Mender::is_hopeful(const ClueChange& change) const {
    const std::vector<LineId> lines = contradiction_.lines();
    if (lines.empty() || change.kind == MendKind::kSizes) return true;
    const auto touches = [&](LineId line) { return std::ranges::find(lines, line) != lines.end(); };
    return touches(change.line) ||
           (change.kind == MendKind::kExchange && touches({change.line.axis, change.at}));
}

Solutions Mender::after(const ClueChange& change, std::vector<std::uint8_t>& solution, Watch& watch) {
    if (change.kind == MendKind::kSizes) return after_exchanged_sizes(solution, watch);
    const auto lines = changed_lines(draft_, change);
    OwnedClues flat;
    for (const auto& [line, clue] : lines) append(flat, clue);
    const Clues compiled(clues_.of(change.line.axis).line_length(), flat.view());
    std::optional<Board> board;
    if (lines.size() == 1)
        board = without(change.line, watch);
    else
        board = grid_of<Board>(clues_);
    if (!board) return Solutions::kNone;
    std::optional<Replaced> first, second;
    first.emplace(clues_, lines[0].first, compiled[0]);
    if (lines.size() == 2) second.emplace(clues_, lines[1].first, compiled[1]);
    lines.size() == 1 ? propagator_.touch(change.line) : propagator_.touch_all();
    if (propagator_.to_fixpoint(*board, watch)) return Solutions::kNone;
    if (board->open_cells() > 0) return decided(clues_, patience_, solution, watch);
    solution = colours_of(*board);
    return Solutions::kOne;
}

Solutions Mender::after_exchanged_sizes(std::vector<std::uint8_t>& solution, Watch& watch) {
    const ClueDraft exchanged = draft_.with_sizes_exchanged();
    if (!exchanged.is_consistent()) return Solutions::kNone;
    return decided(exchanged.compiled(), patience_, solution, watch);
}

std::optional<Board> Mender::without(LineId line, Watch& watch) {
    const std::size_t number = LineNumbers(clues_.rows.size())(line);
    if (const auto known = without_.find(number); known != without_.end()) return known->second;
    std::optional<Board> board = grid_of<Board>(clues_);
    const Replaced free(clues_, line, freed(clues_[line]));
    propagator_.touch_all();
    if (propagator_.to_fixpoint(*board, watch)) board.reset();
    const std::size_t words = 2 * clues_.rows.size() * words_for(clues_.columns.size()) * clues_.colours;
    if (!board || without_.size() * words < kMostWords) without_.emplace(number, board);
    return board;
}

}  // namespace nonocsp
