// The census of a size by solutions: counts the solutions of every description that has one. For each choice
// of clues for the rows it counts the images with these rows by the clues of their columns. Memory: some
// bytes for every image with the same clues of rows, 32 MiB for 6x6. A description and its transpose have as
// many solutions, so the longer side counts as columns unless that makes too many shards.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "census/shard.hpp"
#include "census/tiny_lines.hpp"

namespace nonocsp {

class SolutionCensus {
  public:
    struct Counts {
        std::uint64_t images = 0, descriptions = 0;
        std::uint64_t unique = 0;  // descriptions with one solution
        std::uint64_t most = 0;    // solutions of one description

        // Counts one more solution of a description, which has `solutions` now.
        void add(std::uint32_t solutions);
    };

    // Throws std::invalid_argument for a size that is too large.
    SolutionCensus(std::size_t rows, std::size_t columns);

    // Shards name outer lines by the numbers of their clues.
    std::vector<Shard> shards() const;

    // The counts of a shard; the caller multiplies by the weight. Throws std::invalid_argument for unknown
    // clues.
    Counts count(const Shard& shard, Watch& watch) const;

  private:
    // Counts how often each number was added; a hash table that is emptied in no time.
    class Multiset {
      public:
        // Empties it, and makes room for `most` numbers.
        void start(std::size_t most);
        // Returns how often the number was added by now.
        std::uint32_t add(Word key);

      private:
        struct Entry {
            Word key;
            std::uint32_t epoch, count;
        };
        std::vector<Entry> entries_;
        std::uint32_t epoch_ = 0;
        unsigned bits_ = 0;
    };

    // The choices so far, and the counts.
    struct Work {
        std::vector<std::size_t> clues;  // of the rows
        Multiset seen;                   // clues of columns, of the images with these rows
        Counts counts;
    };

    void choose_clue(std::size_t row, Watch& watch, Work& work) const;
    void choose_placement(std::size_t row, Word across, Watch& watch, Work& work) const;
    void choose_last_placement(Word across, Work& work) const;
    Word clue_of_column(std::size_t number, Word across) const {
        return Word{columns_.lines().clue(columns_.line(across, number))} << number * clue_bits_;
    }

    TinyAxis rows_, columns_;
    unsigned clue_bits_;
};

}  // namespace nonocsp
