// One minimal set of lines that contradict each other: no grid has their clues, whatever the other lines say,
// but without any one of them some grid may have. Deletion (Bakker et al., Diagnosing and solving
// over-determined constraint satisfaction problems, 1993): leave out what can be left out, from halves down
// to single lines, since such a set is often small (Junker, QuickXplain, 2004; Marques-Silva, Janota & Belov,
// Minimal sets over monotone predicates, 2013). What line solving refutes is refuted first, by line solving;
// of the lines that this leaves, the learning search then leaves out more, with few conflicts for each test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/watch.hpp"
#include "grid/propagator.hpp"
#include "judging/clue_draft.hpp"
#include "line/clue.hpp"

namespace nonocsp {

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

}  // namespace nonocsp
