// Ends the process after Ctrl-C, whatever its threads do.
#pragma once

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace nonocsp {

// Ends the process some time after a SIGINT, unless the interpreter has ended it by then: a library may hold
// the interpreter's lock for seconds. Python's handler writes the signal to `descriptor`.
class Leaver {
  public:
    Leaver(int milliseconds, int code) : milliseconds_(milliseconds), code_(code) {
        if (pipe(pipe_.data()) != 0) throw std::system_error(errno, std::generic_category(), "no pipe");
        thread_ = std::thread([this] { wait(); });
    }
    ~Leaver() {
        end();
        close(pipe_[0]);
        close(pipe_[1]);
    }
    Leaver(const Leaver&) = delete;
    Leaver& operator=(const Leaver&) = delete;

    int descriptor() const { return pipe_[1]; }

    // What is written to standard error at the end.
    void say(std::string words) {
        const std::scoped_lock lock(mutex_);
        words_ = std::move(words);
    }

    // From now on, a SIGINT is left to the interpreter.
    void end() {
        if (!thread_.joinable()) return;
        const char byte = 0;
        while (write(pipe_[1], &byte, 1) < 0 && errno == EINTR) {
        }
        thread_.join();
    }

  private:
    void wait() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are for the main thread
        for (char signal = -1; signal != SIGINT;) {
            if (read(pipe_[0], &signal, 1) == 1 && signal == 0) return;
        }
        pollfd more{pipe_[0], POLLIN, 0};
        while (poll(&more, 1, milliseconds_) > 0) {
            char byte = -1;
            if (read(pipe_[0], &byte, 1) == 1 && byte == 0) return;
        }
        const std::scoped_lock lock(mutex_);
        [[maybe_unused]] const auto written = write(STDERR_FILENO, words_.data(), words_.size());
        _exit(code_);
    }

    int milliseconds_, code_;
    std::array<int, 2> pipe_{};
    std::mutex mutex_;
    std::string words_;
    std::thread thread_;
};

}  // namespace nonocsp
