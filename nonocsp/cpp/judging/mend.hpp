// Finds which clue is wrong: the single changes of a draft that leave exactly one solution, each proved. The
// changes come from the sums (judging/clue_draft.hpp), the likeliest first. Most die cheaply:
//
// - A change that touches no line of a contradiction leaves it there.
// - Line solving of all other lines is done once for each line, without its clue. The changed clue then goes
//   on from there, which is sound, since nothing there depends on the clue. Where the other lines alone
//   contradict each other, every change of the line dies at once.
// - Only what line solving neither refutes nor fills is searched (judging/ambiguity.hpp), with few conflicts
//   at first; what stays undecided comes again after all others, with more of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "judging/ambiguity.hpp"
#include "judging/clue_draft.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// One minimal set of lines that contradict each other: no grid has their clues, whatever the other lines say,
// but without any one of them some grid may have. Deletion (Bakker et al., Diagnosing and solving
// over-determined constraint satisfaction problems, 1993): leave out what can be left out, from halves down
// to single lines, since such a set is often small (Junker, QuickXplain, 2004; Marques-Silva, Janota & Belov,
// Minimal sets over monotone predicates, 2013). What line solving refutes is refuted first, by line solving;
// of the lines that this leaves, the learning search then leaves out more, with few conflicts for each test.
class Contradiction {
  public:
    explicit Contradiction(const ClueDraft& draft);

    // Makes at most `tests` more tests; true once the set is minimal, or nothing could be refuted.
    bool advance(std::size_t tests, Watch& watch);

    // Lines that contradict each other, as few as are known so far; none before, or if nothing could be
    // refuted.
    std::vector<LineId> lines() const { return is_refuted_ ? kept_ : std::vector<LineId>{}; }
    // Whether leaving out any of them leaves a solution, or more than the search can refute.
    bool is_minimal() const { return is_refuted_ && is_over_; }

  private:
    enum class Method : std::uint8_t { kLines, kSearch };

    // Tests the first, or leaves out a part of those kept if the rest is still refuted.
    void step(Watch& watch);
    void next_method();
    bool refutes(Watch& watch);

    PuzzleClues clues_;
    Propagator propagator_;
    std::vector<LineId> kept_;
    Method method_ = Method::kLines;
    std::size_t part_ = 0, at_ = 0;  // lines that the next test leaves out, and the first of them; 0 before
    bool is_refuted_ = false, is_over_ = false;
};

struct Mend {
    ClueChange change;
    std::vector<std::uint8_t> solution;  // the only one, the colours of all cells
};

class Mender {
  public:
    explicit Mender(ClueDraft draft);

    // Makes at most `trials` more trials; true once nothing is left to try. What was found stays after an
    // interrupt.
    bool advance(std::size_t trials, Watch& watch);

    const ClueDraft& draft() const { return draft_; }
    // Of the draft itself; kUnknown before, or if it is too hard.
    Solutions solutions() const { return solutions_; }
    // The likeliest first.
    const std::vector<Mend>& found() const { return found_; }
    // Whether each change was tried and decided.
    bool is_complete() const { return is_over_ && undecided_.empty() && changes_.size() < kMostChanges; }
    const Contradiction& contradiction() const { return contradiction_; }

  private:
    static constexpr std::size_t kMostChanges = 200'000;

    void judge(Watch& watch);
    void try_next(Watch& watch);
    // The number of solutions after a change; with the solution if there is one.
    Solutions after(const ClueChange& change, std::vector<std::uint8_t>& solution, Watch& watch);
    Solutions after_exchanged_sizes(std::vector<std::uint8_t>& solution, Watch& watch);
    bool is_hopeful(const ClueChange& change) const;
    // What line solving leaves without the clue of a line; nothing if it refutes the others.
    std::optional<Board> without(LineId line, Watch& watch);

    ClueDraft draft_;
    PuzzleClues clues_;
    Propagator propagator_;
    Contradiction contradiction_;
    std::map<std::size_t, std::optional<Board>> without_;  // by number of the line
    Solutions solutions_ = Solutions::kUnknown;
    bool is_judged_ = false, is_over_ = false;
    std::int64_t patience_;  // conflicts of a search
    std::vector<ClueChange> changes_;
    std::vector<std::size_t> waiting_, undecided_;  // numbers of changes; the next one last
    std::vector<Mend> found_;
};

}  // namespace nonocsp
