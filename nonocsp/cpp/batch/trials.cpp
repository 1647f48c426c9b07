#include "batch/trials.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace nonocsp {
namespace {

// Changes that a thread takes at a time; a trial of one change costs more than taking some.
constexpr std::size_t kTaken = 16;

}  // namespace

std::vector<std::int32_t> open_after(const ImageTrials& trials, std::span<const Change> changes, bool least,
                                     std::size_t threads, const StopFlag* stop, std::optional<double> seconds,
                                     void (*look)()) {
    std::vector<std::int32_t> open(changes.size());
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&](void (*looks)()) {
        try {
            Watch watch(stop, seconds, looks);
            for (std::size_t first; (first = next.fetch_add(kTaken)) < changes.size();) {
                const auto taken = changes.subspan(first, std::min(kTaken, changes.size() - first));
                std::ranges::copy(trials.open_after(taken, least, watch),
                                  open.begin() + static_cast<std::ptrdiff_t>(first));
            }
        } catch (...) {
            next = changes.size();  // nobody takes more
            const std::scoped_lock lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min(threads, (changes.size() + kTaken - 1) / kTaken); ++i)
            helpers.emplace_back(work, nullptr);
        work(look);
    }
    if (failure) std::rethrow_exception(failure);
    return open;
}

}  // namespace nonocsp
