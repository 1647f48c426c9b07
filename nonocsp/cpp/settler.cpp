#include "settler.hpp"

#include <stdexcept>
#include <vector>

#include "settle.hpp"

namespace nonocsp {
namespace {

template <class Bits>
class SettlerOf final : public Settler {
  public:
    bool settle(const Clue& clue, std::span<const Word> line, std::span<Word> settled) override {
        return nonocsp::settle(clue, line, settled, work_);
    }

    bool feasible(const Clue& clue, std::span<const Word> line) override {
        return nonocsp::feasible(clue, line, work_);
    }

    bool starts(const Clue& clue, std::span<const Word> line, std::span<Word> starts) override {
        std::vector<Word> settled(line.size());
        if (!settle(clue, line, settled)) return false;
        for (std::size_t j = 0; j < clue.blocks.size(); ++j)
            store(&starts[j * kWords<Bits>], possible_starts(clue, j, reversed(work_.exits[j + 1]), work_));
        return true;
    }

  private:
    Workspace<Bits> work_;
};

}  // namespace

std::unique_ptr<Settler> make_settler(std::size_t length) {
    switch (words_for(length)) {
        case 1:
            return std::make_unique<SettlerOf<Word>>();
        case 2:
            return std::make_unique<SettlerOf<Wide<2>>>();
        case 4:
            return std::make_unique<SettlerOf<Wide<4>>>();
        case 8:
            return std::make_unique<SettlerOf<Wide<8>>>();
        case 16:
            return std::make_unique<SettlerOf<Wide<16>>>();
        case 32:
            return std::make_unique<SettlerOf<Wide<32>>>();
        case 64:
            return std::make_unique<SettlerOf<Wide<64>>>();
        default:
            throw std::invalid_argument("a line has 1 to 4096 cells");
    }
}

}  // namespace nonocsp
