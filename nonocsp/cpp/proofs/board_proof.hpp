// Proves what line solving and probing find on a board, from the trails of the search: lemmas, in the order
// of a trail, for the candidates that settling removed and unit propagation does not. That decides the cells
// that a block covers wherever it can start, and those between two blocks wherever these can. Only what came
// of something is proved: a candidate that a probe refuted, and what all others of the cell agree on.
//
// The search says what it found as it goes. Lemmas are written once it turns out that they are needed, since
// most puzzles that have several solutions never need them. Until then a finding keeps the part of its trail
// that it needs: 2 or 3 bits for each colour of a cell, in lines that lost something.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grid/settle_trail.hpp"
#include "line/clue.hpp"
#include "line/settler.hpp"
#include "proofs/proof_log.hpp"

namespace nonocsp {

class BoardProof {
  public:
    // Both must outlive it.
    BoardProof(const PuzzleClues& clues, ProofLog& log) : clues_(clues), log_(log) {}

    // Enters a branch of the search tree, so many branches below the root; all of it is searched before one
    // at most as deep is entered.
    void enter(std::size_t depth, const Narrowing& branch);
    // What settling removed, all of it unless it led to a contradiction. Trails are changed here and below.
    void settle(SettleTrail& trail);
    // The trail of a candidate leads to a contradiction, or to the solution that is excluded.
    void refute(Cell cell, std::size_t colour, SettleTrail& trail);
    // The trail of a candidate of a cell, one of those that are not refuted, and the board with what they all
    // leave. agree() follows the last of them.
    template <PartialGrid Grid>
    void suppose(Cell cell, std::size_t colour, SettleTrail& trail, const Grid& after) {
        for (std::size_t i = 0; i < trail.size(); ++i) {
            const SettleTrail::Step step = trail[i];
            const auto left = words_of(after.line(step.id));
            for (std::size_t word = 0; word < left.size(); ++word)
                sought_.push_back(step.lost[word] & ~left[word]);
        }
        add_trail(trail);
        add(Kind::kSupposed, log_.removes(cell, colour));
    }
    void agree() { add(Kind::kAgreed, 0); }

    // Forgets what was found, or what was found below the root.
    void clear();
    void forget_branches();
    // Writes the lemmas, and that nothing is left of the branches.
    void write();

  private:
    enum class Kind : std::uint8_t { kBranch, kSettled, kRefuted, kSupposed, kAgreed };
    struct Finding {
        Kind kind;
        Literal removed;  // the candidate that is probed or taken, negated
        std::size_t end;  // of its lines; the depth of a branch
    };
    struct Line {
        LineId id;
        const Word* words;  // its planes before, what they lost, and what is sought if that is something
        bool is_sought;
    };

    void add(Kind kind, Literal removed) { findings_.push_back({kind, removed, lines_.size()}); }
    // Adds the lines of a trail, in `sought_` what is sought of them; without the rest if that is something,
    // or if there is a contradiction.
    void add_trail(SettleTrail& trail);
    // Leaves out of a trail what leads neither to its contradiction nor to what is sought.
    void trim(SettleTrail& trail);

    // Words that stay where they are.
    std::span<Word> allocate(std::size_t words);
    // The words of a plane of each colour.
    std::size_t words_of_planes(LineId id) const { return clues_.colours * words_for(clues_[id].length); }
    // Writes that nothing is left of the branches of the path from that depth on.
    void leave(std::size_t depth);
    // Writes lemmas for lines up to `end`, except for what unit propagation decides and nobody seeks.
    void derive(std::size_t end, ClauseList* chain);
    void derive(LineId id, std::span<const Word> lost, ClauseList* chain);
    // Writes units for what is sought of the last candidate that was supposed.
    void derive_agreed();
    // Sets `obvious_` to the cells that unit propagation decides on a line.
    void find_obvious(LineId id, std::span<const Word> line);

    const PuzzleClues& clues_;
    ProofLog& log_;
    std::vector<Finding> findings_;
    std::vector<Line> lines_;
    std::vector<std::vector<Word>> words_;     // of lines, in chunks
    std::vector<Word> sought_;                 // of the trail at hand
    std::array<std::vector<Word>, 2> needed_;  // [axis] lines, in trim()

    std::array<std::unique_ptr<Settler>, 2> settlers_;
    std::vector<Word> offsets_, obvious_, underived_;
    std::vector<Literal> clause_;  // the branches of the path, negated, then the rest of the lemma at hand
    std::size_t first_ = 0, written_ = 0;  // lines of the last finding, and all before
    ClauseList chain_;
};

}  // namespace nonocsp
