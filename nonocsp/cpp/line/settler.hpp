// Settles lines of one length through plain words, whatever type of Bits that length takes. The choice is
// made once, by `make_settler`; a settler owns the workspace, so every thread makes its own.
#pragma once

#include <memory>
#include <span>

#include "base/bits.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// A line is `words_for(length)` words a plane, plane after plane: plane 0 the background, plane c colour c.
class Settler {
  public:
    virtual ~Settler() = default;

    // Writes what placements leave possible into `settled`, as large as `line`; false if no placement fits.
    virtual bool settle(const Clue& clue, std::span<const Word> line, std::span<Word> settled) = 0;

    // Whether some placement fits; cheaper than settle.
    virtual bool feasible(const Clue& clue, std::span<const Word> line) = 0;

    // Writes the offsets of every block's possible starts from its earliest cell into `offsets`,
    // words_for(slack + 1) words a block; false if no placement fits. Cheaper than settle.
    virtual bool offsets(const Clue& clue, std::span<const Word> line, std::span<Word> offsets) = 0;

    // Writes the possible starts of every block into `starts`, one plane a block; false if no placement fits.
    virtual bool starts(const Clue& clue, std::span<const Word> line, std::span<Word> starts) = 0;
};

std::unique_ptr<Settler> make_settler(std::size_t length);

}  // namespace nonocsp
