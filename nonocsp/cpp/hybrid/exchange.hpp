// The short clauses over cells that learning searches of one root tell each other, in one thread or in
// several (Hamadi, Jabbour & Saïs 2009, ManySAT). A clause may rest on solutions that are blocked, so whoever
// reads it must have blocked what its writer had.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "cdcl/types.hpp"

namespace nonocsp {

class Exchange {
  public:
    // What a search has read so far. Each search has one of its own.
    struct Reader {
        std::size_t position = 0;
    };

    void publish(const std::vector<std::vector<Lit>>& clauses, const Reader& writer) {
        const std::scoped_lock lock(mutex_);
        for (const std::vector<Lit>& clause : clauses) clauses_.push_back({clause, &writer});
    }

    // The clauses of others since the reader's last call.
    std::vector<std::vector<Lit>> read(Reader& reader) {
        const std::scoped_lock lock(mutex_);
        std::vector<std::vector<Lit>> unread;
        for (; reader.position < clauses_.size(); ++reader.position)
            if (clauses_[reader.position].writer != &reader)
                unread.push_back(clauses_[reader.position].literals);
        return unread;
    }

  private:
    struct Clause {
        std::vector<Lit> literals;
        const Reader* writer;
    };

    std::mutex mutex_;
    std::vector<Clause> clauses_;
};

}  // namespace nonocsp
