// The census of a size that counts, for every description that has a solution, how many it has: row by row
// clue, the images with these rows are told apart by the clues of their columns. Memory: some bytes for every
// image that has the same clues of rows, 32 MiB for 6x6.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "census/shard.hpp"
#include "census/tiny_axis.hpp"

namespace nonocsp {

class SolutionCensus {
  public:
    struct Counts {
        std::uint64_t images = 0, descriptions = 0;
        std::uint64_t unique = 0;  // descriptions with one solution
        std::uint64_t most = 0;    // solutions of one description

        // A description has got a solution, and so many by now.
        void add(std::uint32_t solutions);
    };

    // Throws std::invalid_argument for a size that is out of reach.
    SolutionCensus(std::size_t rows, std::size_t columns);

    // Outer rows are given by the numbers of their clues.
    std::vector<Shard> shards() const;

    // Counts of a shard; its weight is left to the caller. Throws std::invalid_argument for clues that there
    // are not.
    Counts count(const Shard& shard, Watch& watch) const;

  private:
    // A set of numbers, each with how often it was added; emptied at no cost.
    class Multiset {
      public:
        // Room for so many.
        void start(std::size_t most);
        // Returns how often it is there now.
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

    // What is chosen so far, and what was counted.
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
