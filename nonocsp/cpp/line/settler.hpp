// Settles lines of one length. `make_settler` chooses the type of Bits that the length takes, once. A settler
// owns its workspace, so every thread makes its own.
#pragma once

#include <memory>
#include <span>

#include "base/bits.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// A line is one plane of words_for(length) words a colour, plane 0 the background.
class Settler {
  public:
    virtual ~Settler() = default;

    // Writes the candidates that occur in a placement into `settled`, which is as large as `line` and does
    // not overlap it; false if no placement fits.
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
