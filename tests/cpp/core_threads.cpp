// Make every long call of the core, without Python: alone, then two and four at a time on shared clues, then
// stopped at random moments by another thread. A call that is not stopped must give the same result as alone;
// otherwise the exit code is 1. The sanitizers in the build report races, leaks and overflows.
// Usage: `core_threads SECONDS [SEED]`.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "batch/batch.hpp"
#include "beliefs/beliefs.hpp"
#include "blocks/blocks_search.hpp"
#include "census/solution_census.hpp"
#include "census/sweep_census.hpp"
#include "counting/solution_counter.hpp"
#include "encodings/encoding.hpp"
#include "gac/gac_search.hpp"
#include "grid/image_trials.hpp"
#include "grid/propagator.hpp"
#include "hybrid/hybrid.hpp"
#include "mdd/mdd_search.hpp"
#include "probing/probing_search.hpp"
#include "segments/segments_search.hpp"
#include "twosat/two_sat_search.hpp"

namespace nonocsp {
namespace {

using Image = ImageTrials::Image;
using Clock = std::chrono::steady_clock;

constexpr int kMostSolutions = 5;  // of a search
constexpr double kLongest = 0.3;   // seconds of a call
constexpr std::size_t kMemory = std::size_t{1} << 20;

// A hash of a sequence.
class Digest {
  public:
    void add(std::uint64_t value) { value_ = Random(value_ ^ value).next(); }
    template <class Values>
    void add_all(const Values& values) {
        for (const auto& value : values) add(static_cast<std::uint64_t>(value));
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0;
};

// The clues of the lines that begin at `first`, `first + across`, … and have a cell every `along`.
struct ClueArrays {
    ClueArrays(const Image& image, std::size_t lines, std::size_t across, std::size_t length,
               std::size_t along) {
        for (std::size_t line = 0; line < lines; ++line) {
            for (std::size_t i = 0; i < length; ++i) {
                const std::uint8_t colour = image[line * across + i * along];
                const bool goes_on = i > 0 && image[line * across + (i - 1) * along] == colour;
                if (colour == 0) continue;
                if (!goes_on) colours.push_back(colour), lengths.push_back(0);
                ++lengths.back();
            }
            offsets.push_back(static_cast<std::int32_t>(lengths.size()));
        }
    }
    FlatClues flat() const { return {offsets, lengths, colours}; }

    std::vector<std::int32_t> offsets{0}, lengths, colours;
};

struct Puzzle {
    Puzzle(std::size_t row_count, std::size_t column_count, std::size_t colour_count, double density,
           Random& random)
        : columns(column_count),
          colours(colour_count),
          image(random_image(row_count, density, random)),
          clues(ClueArrays(image, row_count, columns, columns, 1).flat(),
                ClueArrays(image, columns, 1, row_count, columns).flat(), colours) {}

    Image random_image(std::size_t rows, double density, Random& random) const {
        Image cells(rows * columns);
        for (std::uint8_t& cell : cells)
            if (random.uniform() < density)
                cell = static_cast<std::uint8_t>(1 + random.next() % (colours - 1));
        return cells;
    }
    std::size_t cells() const { return image.size(); }

    std::size_t columns, colours;
    Image image;
    PuzzleClues clues;
};

Digest solutions_of(Search& search, const Puzzle& puzzle, Watch& watch) {
    Digest digest;
    std::vector<Word> cells(puzzle.cells());
    for (int i = 0; i < kMostSolutions && search.next(watch, cells); ++i) digest.add_all(cells);
    return digest;
}

// Racing threads find the solutions in any order.
Digest count_by_race(const Puzzle& puzzle, Watch& watch) {
    HybridOptions options{false, 0, Guidance::kDives, kMemory, 0, 3};
    options.search.dive_interval = options.search.dive_first = options.search.cells_first = 1;
    HybridSearch search(puzzle.clues, options);
    std::vector<Word> cells(puzzle.cells());
    Digest digest;
    for (int i = 0; i < kMostSolutions && search.next(watch, cells); ++i) digest.add(1);
    return digest;
}

Digest board_digest(const Board& board, const Puzzle& puzzle) {
    Digest digest;
    std::vector<Word> cells(puzzle.cells());
    board.write(cells);
    digest.add_all(cells);
    return digest;
}

Board empty_board(const Puzzle& puzzle) {
    return Board(puzzle.clues.rows.size(), puzzle.clues.columns.size(), puzzle.colours);
}

Digest by_propagation(const Puzzle& puzzle, bool sweeps, Watch& watch) {
    Board board = empty_board(puzzle);
    Propagator propagator(puzzle.clues);
    propagator.touch_all();
    if (sweeps)
        propagator.by_sweeps(board, watch);
    else
        propagator.to_fixpoint(board, watch);
    return board_digest(board, puzzle);
}

Digest by_beliefs(const Puzzle& puzzle, Watch& watch) {
    Board board = empty_board(puzzle);
    Propagator propagator(puzzle.clues);
    propagator.touch_all();
    propagator.to_fixpoint(board, watch);
    Beliefs beliefs(puzzle.clues);
    beliefs.run(board, 15, 0.01, watch);
    Digest digest;
    for (std::size_t cell = 0; cell < puzzle.cells(); ++cell)
        digest.add(static_cast<std::uint64_t>(1e6 * beliefs.belief(cell, 0)));
    return digest;
}

Digest by_trials(const Puzzle& puzzle, Watch& watch) {
    const ImageTrials trials(puzzle.image, puzzle.columns, puzzle.colours, watch);
    std::vector<Change> changes;
    for (std::size_t cell = 0; cell < puzzle.cells(); cell += 7)
        changes.push_back({{cell / puzzle.columns, cell % puzzle.columns},
                           static_cast<std::uint8_t>(puzzle.image[cell] == 0)});
    Digest digest;
    digest.add_all(trials.open_after(changes, true, watch));
    digest.add_all(trials.open_after(changes, false, watch));
    return digest;
}

template <Encode encode>
Digest by_encoding(const Puzzle& puzzle, Watch&) {
    const std::vector<Word> cells(puzzle.cells(), (Word{1} << puzzle.colours) - 1);
    Digest digest;
    digest.add_all(encode(puzzle.clues, cells).clauses.literals());
    return digest;
}

Digest by_census(const Puzzle&, Watch& watch) {
    static const SweepCensus sweeps(4, 4);  // shared by all threads, as `nonocsp census` does
    static const SolutionCensus solutions(4, 4);
    Digest digest;
    digest.add_all(sweeps.count(sweeps.shards()[3], watch));
    digest.add(solutions.count(solutions.shards()[3], watch).unique);
    return digest;
}

template <class Counter>
Digest by_counting(const Puzzle& puzzle, Watch& watch) {
    Counter counter(puzzle.clues, kMemory);
    Digest digest;
    try {
        digest.add_all(counter.count(watch).words());
    } catch (const TooManyStates&) {
        digest.add_all(counter.at_least(true).words());
    }
    return digest;
}

OwnedClues owned(const ClueArrays& arrays) { return {arrays.offsets, arrays.lengths, arrays.colours}; }

// Every puzzle of a batch has threads of its own, which the batch stops when it is destroyed.
Digest by_batch(const Puzzle& puzzle, Watch& watch) {
    const std::size_t rows = puzzle.cells() / puzzle.columns;
    const OwnedPuzzle copy{owned(ClueArrays(puzzle.image, rows, puzzle.columns, puzzle.columns, 1)),
                           owned(ClueArrays(puzzle.image, puzzle.columns, 1, rows, puzzle.columns)),
                           puzzle.colours};
    const Method method = [](const PuzzleClues& clues) {
        return make_gac_search(clues, {VariableOrder::kFirst, ValueOrder::kFirst, true, 100'000, 0});
    };
    Batch batch(method, {2, std::nullopt}, 3);
    static thread_local Watch* current = nullptr;
    current = &watch;
    Digest digest;
    for (int i = 0; i < 4; ++i) batch.put(std::vector<OwnedPuzzle>(50, copy));
    while (batch.size() > 0)
        for (const Finding& finding : batch.take(8, true, [] { current->check(); })) {
            if (finding.end == End::kInterrupted) throw Interrupted();
            if (finding.end == End::kWrong || finding.end == End::kFault) digest.add(0);
            for (const auto& cells : finding.solutions) digest.add_all(cells);
        }
    return digest;
}

struct Call {
    const char* name;
    std::function<Digest(const Puzzle&, Watch&)> of;
};

template <class Made>
Call search_call(const char* name, Made make) {
    return {name, [make](const Puzzle& puzzle, Watch& watch) {
                return solutions_of(*make(puzzle.clues), puzzle, watch);
            }};
}

std::vector<Call> all_calls() {
    const auto probing = [](ProbingLevel level, bool groups) {
        return [=](const PuzzleClues& clues) {
            return make_probing_search(clues,
                                       {level, groups, 2, ProbingScore::kMinLogM, ProbingOrder::kLarger, 0});
        };
    };
    const auto hybrid = [](std::int64_t budget, Guidance guidance) {
        return [=](const PuzzleClues& clues) {
            return std::make_unique<HybridSearch>(clues,
                                                  HybridOptions{budget > 0, budget, guidance, kMemory, 0});
        };
    };
    const auto gac = [](const PuzzleClues& clues) {
        return make_gac_search(clues, {VariableOrder::kDomWdeg, ValueOrder::kRandom, true, 100'000, 0});
    };
    return {
        {"queue", [](const Puzzle& p, Watch& watch) { return by_propagation(p, false, watch); }},
        {"sweeps", [](const Puzzle& p, Watch& watch) { return by_propagation(p, true, watch); }},
        {"beliefs", by_beliefs},
        {"trials", by_trials},
        {"census", by_census},
        {"count", by_counting<SolutionCounter>},
        {"count, mdd", by_counting<MddSearch>},
        {"order", by_encoding<encode_order>},
        {"direct", by_encoding<encode_direct>},
        {"automaton", by_encoding<encode_automaton>},
        search_call("gac", gac),
        search_call("mdd", [](const PuzzleClues& c) { return std::make_unique<MddSearch>(c, 64 * kMemory); }),
        search_call("segments",
                    [](const PuzzleClues& c) { return make_segments_search(c, PixelChoice::kFewest); }),
        search_call("blocks", [](const PuzzleClues& c) { return make_blocks_search(c, Axis::kRow); }),
        search_call("twosat", [](const PuzzleClues& c) { return make_two_sat_search(c, {true, true}); }),
        search_call("fp1", probing(ProbingLevel::kFp1, false)),
        search_call("fp2, groups", probing(ProbingLevel::kFp2, true)),
        search_call("fp3", probing(ProbingLevel::kFp3, false)),
        search_call("hybrid", hybrid(100, Guidance::kDives)),
        search_call("learning", hybrid(0, Guidance::kDives)),
        {"race", count_by_race},
        {"batch", by_batch},
    };
}

class Run {
  public:
    explicit Run(std::uint64_t seed) : random_(seed) {
        for (int i = 0; i < 3; ++i) {
            puzzles_.emplace_back(9, 9, 2, 0.4 + 0.1 * random_.uniform(), random_);
            puzzles_.emplace_back(7, 8, 4, 0.5, random_);
            puzzles_.emplace_back(4, 70, 2, 0.6, random_);
        }
        for (std::size_t number = 0; number < calls_.size() * puzzles_.size(); ++number)
            alone_.push_back(result(number, nullptr));
    }

    // Each of these threads makes one call; some calls are stopped.
    void together(std::size_t threads, bool stopped) {
        StopFlag stop;
        std::vector<std::thread> running;
        for (std::size_t i = 0; i < threads; ++i)
            running.emplace_back(
                [this, &stop, number = random_.next() % alone_.size()] { check(number, stop); });
        if (stopped) {
            std::this_thread::sleep_for(std::chrono::microseconds(random_.next() % 20'000));
            stop.set();
        }
        for (std::thread& thread : running) thread.join();
    }

    int report() const {
        std::printf("%zu calls, %ld through, %ld stopped, %ld wrong\n", calls_.size(), through_.load(),
                    stopped_.load(), wrong_.load());
        return wrong_ == 0 ? 0 : 1;
    }

  private:
    // Empty if the call was stopped or took too long.
    std::optional<std::uint64_t> result(std::size_t number, const StopFlag* stop) const {
        Watch watch(stop, kLongest);
        try {
            return calls_[number / puzzles_.size()].of(puzzles_[number % puzzles_.size()], watch).value();
        } catch (const Interrupted&) {
            return std::nullopt;
        } catch (const TooManyStates&) {
            return std::nullopt;
        } catch (const Unsupported&) {
            return 0;
        }
    }

    void check(std::size_t number, const StopFlag& stop) {
        const std::optional<std::uint64_t> found = result(number, &stop);
        if (!found)
            ++stopped_;
        else if (!alone_[number] || found == alone_[number])
            ++through_;
        else
            ++wrong_;
    }

    Random random_;
    std::vector<Call> calls_ = all_calls();
    std::vector<Puzzle> puzzles_;
    std::vector<std::optional<std::uint64_t>> alone_;  // [call][puzzle]
    std::atomic<long> through_ = 0, stopped_ = 0, wrong_ = 0;
};

}  // namespace
}  // namespace nonocsp

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
    const auto end = nonocsp::Clock::now() + std::chrono::duration<double>(seconds);
    nonocsp::Run run(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 0);
    for (std::size_t round = 0; nonocsp::Clock::now() < end; ++round)
        run.together(round % 2 == 0 ? 2 : 4, round % 3 != 0);
    return run.report();
}
