#include "line/settler.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <vector>

#include "line/planes.hpp"
#include "line/settle.hpp"

namespace nonocsp {
namespace {

// Settles a line without blocks.
bool settle_background(const Clue& clue, std::span<const Word> line, std::span<Word> settled) {
    if (!covers(line, clue.length)) return false;
    std::fill(settled.begin(), settled.end(), Word{0});
    std::copy_n(line.data(), words_for(clue.length), settled.data());
    return true;
}

// Lines of one word.
class ShortLines {
  public:
    explicit ShortLines(std::size_t) {}

    template <class Act>
    void with_line(const Clue&, Act act) const {
        act(ShortLine{});
    }
};

// A page has lines of at most 1000 cells, and each type of offsets costs it bytes.
#ifdef __wasm__
constexpr bool kInPage = true;
#else
constexpr bool kInPage = false;
#endif

// Longer lines. An offset takes one of a few types, the smallest that holds the clue's slack.
class LongLines {
  public:
    explicit LongLines(std::size_t length) : words_(words_for(length)) {}

    template <class Act>
    void with_line(const Clue& clue, Act act) const {
        const std::size_t offsets = words_for(clue.slack + 1);
        if (offsets == 1) return act(LongLine<Word>{words_});
        if (offsets == 2) return act(LongLine<Wide<2>>{words_});
        if constexpr (!kInPage) {
            if (offsets == 3) return act(LongLine<Wide<3>>{words_});
            if (offsets > 4 && offsets <= 6) return act(LongLine<Wide<6>>{words_});
            if (offsets > 4 && offsets <= 8) return act(LongLine<Wide<8>>{words_});
            if (offsets > 32) return act(LongLine<Wide<64>>{words_});
            if (offsets > 16) return act(LongLine<Wide<32>>{words_});
        }
        if (offsets <= 4) return act(LongLine<Wide<4>>{words_});
        assert(offsets <= 16);
        act(LongLine<Wide<16>>{words_});
    }

  private:
    std::size_t words_;
};

template <class Lines>
class SettlerOf final : public Settler {
  public:
    explicit SettlerOf(std::size_t length) : lines_(length) {}

    bool settle(const Clue& clue, std::span<const Word> line, std::span<Word> settled) override {
        assert(settled.size() == line.size());
        if (clue.is_free) return std::ranges::copy(line, settled.begin()), true;
        if (!clue.fits) return false;
        if (clue.blocks.empty()) return settle_background(clue, line, settled);
        bool fits = false;
        lines_.with_line(clue,
                         [&](const auto& kind) { fits = nonocsp::settle(kind, clue, line, settled, work_); });
        assert(fits == feasible(clue, line));  // the pass from the left alone says the same
        assert(!fits || is_subset(settled, line));
        assert(!fits || has_candidates(settled, clue.length));
        return fits;
    }

    bool feasible(const Clue& clue, std::span<const Word> line) override {
        if (clue.is_free) return true;
        if (!clue.fits) return false;
        if (clue.blocks.empty()) return covers(line, clue.length);
        bool fits = false;
        lines_.with_line(clue, [&](const auto& kind) { fits = nonocsp::feasible(kind, clue, line, work_); });
        return fits;
    }

    bool offsets(const Clue& clue, std::span<const Word> line, std::span<Word> offsets) override {
        assert(!clue.is_free);
        if (!clue.fits) return false;
        assert(offsets.size() == clue.blocks.size() * words_for(clue.slack + 1));
        if (clue.blocks.empty()) return covers(line, clue.length);
        bool fits = false;
        lines_.with_line(
            clue, [&](const auto& kind) { fits = nonocsp::find_offsets(kind, clue, line, offsets, work_); });
        return fits;
    }

    bool starts(const Clue& clue, std::span<const Word> line, std::span<Word> starts) override {
        assert(starts.size() == clue.blocks.size() * words_for(clue.length));
        std::vector<Word> settled(line.size());
        if (!settle(clue, line, settled)) return false;
        const std::size_t words = words_for(clue.length);
        for (std::size_t j = 0; j < clue.blocks.size(); ++j)
            lines_.with_line(clue, [&](const auto& kind) {
                Word* plane = kind.plane_of(work_.background, 1);
                std::fill_n(plane, words, Word{0});
                kind.add(plane, clue.blocks[j].earliest, possible_starts(kind, j, work_));
                std::copy_n(plane, words, &starts[j * words]);
            });
        return true;
    }

  private:
    Lines lines_;
    Workspace work_;
};

}  // namespace

std::unique_ptr<Settler> make_settler(std::size_t length) {
    if (length < 1 || length > kMaxLength) throw std::invalid_argument("a line has 1 to 4096 cells");
    if (length <= kWordBits) return std::make_unique<SettlerOf<ShortLines>>(length);
    return std::make_unique<SettlerOf<LongLines>>(length);
}

}  // namespace nonocsp
