// Finds which clue is wrong: the single changes of a draft that leave exactly one solution, each proved. The
// changes come from the sums (judging/clue_draft.hpp), the likeliest first. Most die cheaply:
//
// - A change that touches no line of a contradiction (judging/contradiction.hpp) leaves it there.
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
#include "judging/contradiction.hpp"

namespace nonocsp {

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
