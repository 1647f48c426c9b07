#include "hybrid/race.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace nonocsp {
namespace {

constexpr std::chrono::milliseconds kLookEvery{5};

// The first racer that ends, and what ended it.
struct Finish {
    std::mutex mutex;
    std::condition_variable changed;
    StopFlag over;
    std::size_t winner = SIZE_MAX, running;
    bool found = false;
    std::exception_ptr failure;  // of a racer, while none has won
};

}  // namespace

Race::Race(const PuzzleClues& clues, const Board& root, const std::vector<Board>& given,
           const HybridOptions& options, ComponentProof* proof)
    : clues_(clues), root_(root), options_(options), given_(given), proof_(proof) {
    if (proof != nullptr) options_.threads = 1;
    racers_.push_back(make_racer(0));
}

std::unique_ptr<Portfolio> Race::make_racer(std::size_t number) const {
    HybridOptions options = options_;
    options.seed += number;
    options.starts_first = number % 4 == 1;  // one in four proves from the start
    options.memory /= options_.threads;
    return std::make_unique<Portfolio>(clues_, root_, given_, options, exchange_, proof_);
}

bool Race::next(Watch& watch, std::span<Word> cells) {
    const bool races = options_.threads > 1 && given_.size() < Portfolio::kShared;
    const bool found = races ? run(watch, cells) : racers_[0]->next(watch, cells);
    if (found && races) {
        given_.emplace_back(root_);
        given_.back().read(cells);
    }
    return found;
}

bool Race::run(Watch& watch, std::span<Word> cells) {
    for (std::size_t i = racers_.size(); i < options_.threads; ++i) racers_.push_back(make_racer(i));
    Finish finish;
    finish.running = racers_.size();
    std::vector<std::vector<Word>> found(racers_.size(), std::vector<Word>(cells.size()));
    std::vector<std::jthread> threads;
    const auto race = [&](std::size_t number) {
        bool has_ended = false, has_found = false;
        std::exception_ptr failure;
        try {
            Watch until_over(&finish.over, std::nullopt);
            has_found = racers_[number]->next(until_over, found[number]);
            has_ended = true;
        } catch (const Interrupted&) {
        } catch (...) {
            failure = std::current_exception();
        }
        const std::scoped_lock lock(finish.mutex);
        --finish.running;
        if (has_ended && finish.winner == SIZE_MAX) {
            finish.winner = number;
            finish.found = has_found;
            finish.over.set();
        }
        if (failure) finish.failure = failure;
        finish.changed.notify_one();
    };
    for (std::size_t i = 0; i < racers_.size(); ++i) threads.emplace_back(race, i);
    try {
        std::unique_lock lock(finish.mutex);
        while (finish.winner == SIZE_MAX && finish.running > 0) {
            finish.changed.wait_for(lock, kLookEvery);
            lock.unlock();
            watch.progress().follow(finish.over.progress());
            watch.check_now();
            lock.lock();
        }
    } catch (...) {
        finish.over.set();
        threads.clear();
        throw;
    }
    threads.clear();  // waits for all
    if (finish.winner == SIZE_MAX) std::rethrow_exception(finish.failure);
    std::swap(racers_[0], racers_[finish.winner]);
    for (std::size_t i = 1; i < racers_.size(); ++i) finished_ += racers_[i]->statistics();
    racers_.resize(1);
    std::ranges::copy(found[finish.winner], cells.begin());
    return finish.found;
}

LearningStatistics Race::statistics() const {
    LearningStatistics sum = finished_;
    for (const auto& racer : racers_) sum += racer->statistics();
    return sum;
}

}  // namespace nonocsp
