// A proof of what a search finds, in the binary form of DRAT (Wetzler, Heule & Hunt 2014), over the formula
// of certificates: docs/explanation/certificates.md says how its variables are numbered, and why each clause
// that a line implies over its cells and the starts of its blocks follows there by unit propagation.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/coordinates.hpp"
#include "base/literal.hpp"
#include "line/clue.hpp"

namespace nonocsp {

class ProofLog {
  public:
    explicit ProofLog(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    // Starts the proof of a puzzle; `clues` must outlive it.
    void begin(const PuzzleClues& clues);

    // "The cell does not have the colour."
    Literal removes(Cell cell, std::size_t colour) const;
    // "The block starts at `position` or before", where both can be.
    Literal started(LineId line, std::size_t block, std::size_t position) const;
    // A variable that the formula does not have.
    Literal fresh_variable() { return ++variables_; }

    // Add a lemma, or delete a clause. Nothing follows the empty clause. Throw Unsupported if the proof
    // becomes too long.
    void add(std::span<const Literal> clause) { write('a', clause); }
    void erase(std::span<const Literal> clause) { write('d', clause); }

    // What `write` adds comes before all that is there.
    template <class Write>
    void add_before(Write write) {
        const std::string later = std::exchange(bytes_, {});
        const bool is_complete = std::exchange(is_complete_, false);
        write();
        bytes_ += later;
        is_complete_ |= is_complete;
        check_size(bytes_.size());
    }

    // Throws Unsupported if a proof of so many bytes is too long.
    void check_size(std::size_t bytes) const;

    const std::string& bytes() const { return bytes_; }

  private:
    void write(char kind, std::span<const Literal> clause);

    std::size_t most_bytes_;
    const PuzzleClues* clues_ = nullptr;
    std::array<std::vector<Literal>, 2> first_starts_;  // [axis][line] the variable before its first one
    Literal variables_ = 0;
    std::string bytes_;
    bool is_complete_ = false;
};

// Clauses of a proof that are deleted together.
class ClauseList {
  public:
    void add(std::span<const Literal> clause) {
        literals_.insert(literals_.end(), clause.begin(), clause.end());
        literals_.push_back(0);
    }

    // Deletes all from a ProofLog or a ComponentProof.
    template <class Proof>
    void erase_from(Proof& proof) {
        for (std::size_t begin = 0, end; begin < literals_.size(); begin = end + 1) {
            for (end = begin; literals_[end] != 0;) ++end;
            proof.erase(std::span(literals_).subspan(begin, end - begin));
        }
        literals_.clear();
    }

  private:
    std::vector<Literal> literals_;  // each clause ends with 0
};

}  // namespace nonocsp
