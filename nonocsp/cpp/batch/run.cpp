#include "batch/run.hpp"

#include <time.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

#include "verification/verifier.hpp"

namespace nonocsp {
namespace {

double now(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Seconds since its construction, less what is left out.
class Stopwatch {
  public:
    explicit Stopwatch(CpuOf cpu)
        : cpu_clock_(cpu == CpuOf::kThread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID),
          wall_(now(CLOCK_MONOTONIC)),
          cpu_(now(cpu_clock_)) {}

    template <class Work>
    auto leave_out(const Work& work) {
        const double started = now(CLOCK_MONOTONIC);
        auto result = work();
        left_out_ += now(CLOCK_MONOTONIC) - started;
        return result;
    }

    double wall() const { return now(CLOCK_MONOTONIC) - wall_ - left_out_; }
    double cpu() const { return std::max(0.0, now(cpu_clock_) - cpu_ - left_out_); }

  private:
    clockid_t cpu_clock_;
    double wall_, cpu_, left_out_ = 0;
};

bool is_full(const std::vector<Word>& cells) {
    return std::ranges::all_of(cells, [](Word cell) { return cell != 0 && (cell & (cell - 1)) == 0; });
}

verification::StatedClues stated(const OwnedClues& clues) {
    return {clues.offsets, clues.lengths, clues.colours};
}

// Whether a grid is a solution that was not there before.
bool is_solution(const OwnedPuzzle& puzzle, const Finding& finding, const std::vector<Word>& cells) {
    return verification::wrong_lines(stated(puzzle.rows), stated(puzzle.columns), cells).empty() &&
           std::ranges::find(finding.solutions, cells) == finding.solutions.end();
}

void enumerate(Search& search, const OwnedPuzzle& puzzle, std::size_t wanted, Watch& watch, Finding& finding,
               Stopwatch& stopwatch) {
    while (finding.solutions.size() < wanted) {
        std::vector<Word> cells(finding.rows * finding.columns);
        if (!search.next(watch, cells)) {
            finding.is_exhausted = true;
            return;
        }
        if (!is_full(cells)) {
            if (finding.solutions.empty()) finding.partial = std::move(cells);  // otherwise there may be more
            return;
        }
        if (!stopwatch.leave_out([&] { return is_solution(puzzle, finding, cells); })) {
            finding.end = End::kWrong;
            finding.solutions.clear();
            finding.wrong = std::move(cells);
            return;
        }
        finding.solutions.push_back(std::move(cells));
    }
}

}  // namespace

Finding run(const Method& method, const OwnedPuzzle& puzzle, const Question& question, Watch& watch,
            CpuOf cpu) {
    Finding finding{puzzle.rows.offsets.size() - 1, puzzle.columns.offsets.size() - 1};
    const auto fail = [&](End end, const char* message) {
        finding.end = end;
        finding.message = message;
    };
    Stopwatch stopwatch(cpu);
    std::optional<PuzzleClues> clues;
    std::unique_ptr<Search> search;
    try {
        clues.emplace(puzzle.rows.view(), puzzle.columns.view(), puzzle.colours);
        search = method(*clues);
        watch.check();
        enumerate(*search, puzzle, question.wanted, watch, finding, stopwatch);
    } catch (const Interrupted&) {
        fail(End::kInterrupted, "");
    } catch (const Unsupported& error) {
        fail(End::kUnsupported, error.what());
    } catch (const std::bad_alloc&) {
        fail(End::kMemory, "");
    } catch (const std::logic_error& error) {
        fail(End::kFault, error.what());
    } catch (const std::runtime_error& error) {
        fail(End::kFault, error.what());
    }
    if (search) finding.statistics = search->statistics();
    finding.wall = stopwatch.wall();
    finding.cpu = stopwatch.cpu();
    return finding;
}

}  // namespace nonocsp
