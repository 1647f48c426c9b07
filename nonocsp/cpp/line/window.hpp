// The cells of a line and windows onto them. A window is a set of offsets: offset o is the cell base + o. In
// a mirrored window offset o is at position 64 * words - 1 - o.
//
// A plane of a ShortLine is one Word, and a window is a shift of it. A plane of a LongLine is an array of
// words, of which a window takes a few. Both meet LineOfPlanes, so that settle is written once.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "line/clue.hpp"

namespace nonocsp {

struct ShortLine {
    using Offsets = Word;
    static constexpr std::size_t words = 1;

    static std::size_t room(std::size_t planes) { return planes; }
    template <class Planes>
    static auto plane_of(Planes& planes, std::size_t i) {
        return planes.data() + i;
    }

    static Word window(const Word* plane, std::size_t base) {
        assert(base < kWordBits);
        return *plane >> base;
    }

    // The window at `base`, mirrored; `plane` is mirrored.
    static Word mirrored_window(const Word* plane, std::size_t base) {
        assert(base < kWordBits);
        return *plane << base;
    }

    // Adds the cells at these offsets.
    static void add(Word* plane, std::size_t base, Word offsets) {
        assert(base < kWordBits && offsets << base >> base == offsets);  // no cell is beyond the word
        *plane |= offsets << base;
    }

    static void mirror(const Word* plane, Word* mirrored) { *mirrored = reversed(*plane); }

    // Writes the runs of every kind that the steps lead to, on the line and on its mirror image, and clears
    // what is found of the kind. One loop for all three: a mispredicted end of a loop costs the most.
    template <class Work>
    static void find_runs(std::span<const Step> steps, const Word* plane, const Word* mirrored, Work& work) {
        Word cells = *plane, mirrored_cells = *mirrored;
        for (const Step step : steps) {
            work.runs[step.kind] = cells &= cells >> step.shift;
            work.mirrored_runs[step.kind] = mirrored_cells &= mirrored_cells >> step.shift;
            work.found[step.kind] = 0;
        }
    }

    // Writes the runs on the line alone.
    static void find_runs(std::span<const Step> steps, const Word* plane, std::vector<Word>& runs) {
        Word cells = *plane;
        for (const Step step : steps) runs[step.kind] = cells &= cells >> step.shift;
    }

    // Writes the cells that runs of these kinds cover. The steps, in any order, add up to the length.
    static void cover(std::span<const Step> steps, const std::vector<Word>& runs, Word* covered) {
        Word cells = 0;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            cells |= *plane_of(runs, step->kind);
            cells |= cells << step->shift;
        }
        *covered = cells;
    }
};

// The words between planes, for windows that begin or end outside the line.
inline constexpr std::size_t kMargin = kMaxLength / kWordBits + 1;

// Margins let every window of a line be read and written without a check.
template <class Bits>
struct LongLine {
    using Offsets = Bits;
    std::size_t words;

    std::size_t room(std::size_t planes) const { return kMargin + planes * (words + kMargin); }
    template <class Planes>
    auto plane_of(Planes& planes, std::size_t i) const {
        return planes.data() + kMargin + i * (words + kMargin);
    }

    static Bits window(const Word* plane, std::size_t base) {
        assert(base < 2 * kMaxLength);  // within the margin after the plane
        const Word* from = plane + base / kWordBits;
        const std::size_t low = base % kWordBits;
        std::array<Word, kWords<Bits>> words;
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = from[i] >> low | from[i + 1] << 1 << (kWordBits - 1 - low);
        return std::bit_cast<Bits>(words);
    }

    Bits mirrored_window(const Word* plane, std::size_t base) const {
        assert(base < words * kWordBits);
        return window(plane - kWords<Bits>, words * kWordBits - base);
    }

    static void add(Word* plane, std::size_t base, const Bits& offsets) {
        assert(base < kMaxLength);
        const auto words = std::bit_cast<std::array<Word, kWords<Bits>>>(offsets);
        Word* to = plane + base / kWordBits;
        const std::size_t low = base % kWordBits;
        for (std::size_t i = 0; i < words.size(); ++i) {
            to[i] |= words[i] << low;
            to[i + 1] |= words[i] >> 1 >> (kWordBits - 1 - low);
        }
    }

    void mirror(const Word* plane, Word* mirrored) const {
        for (std::size_t i = 0; i < words; ++i) mirrored[i] = reversed(plane[words - 1 - i]);
    }

    template <class Work>
    void find_runs(std::span<const Step> steps, const Word* plane, const Word* mirrored, Work& work) const {
        find_runs(steps, plane, work.runs);
        find_runs(steps, mirrored, work.mirrored_runs);
        for (const Step step : steps) std::fill_n(plane_of(work.found, step.kind), words, Word{0});
    }

    void find_runs(std::span<const Step> steps, const Word* plane, std::vector<Word>& runs) const {
        const Word* shorter = std::copy_n(plane, words, plane_of(runs, steps.front().kind)) - words;
        for (const Step step : steps) {
            Word* longer = plane_of(runs, step.kind);
            for (std::size_t i = 0; i < words; ++i)
                longer[i] = shorter[i] & LongLine<Word>::window(shorter, i * kWordBits + step.shift);
            shorter = longer;
        }
    }

    void cover(std::span<const Step> steps, const std::vector<Word>& runs, Word* cells) const {
        std::fill_n(cells, words, Word{0});
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            const Word* added = plane_of(runs, step->kind);
            for (std::size_t i = 0; i < words; ++i) cells[i] |= added[i];
            for (std::size_t i = words; i-- > 0;) {
                assert(step->shift / kWordBits < kMargin);
                const Word* from = cells + i - step->shift / kWordBits;
                const std::size_t low = step->shift % kWordBits;
                cells[i] |= from[0] << low | from[-1] >> 1 >> (kWordBits - 1 - low);
            }
        }
    }
};

// What settle asks of a type of line: windows onto its planes, and room for planes in a workspace.
template <class L>
concept LineOfPlanes = requires(const L line, std::vector<Word>& planes, Word* plane, const Word* cells,
                                std::size_t base, typename L::Offsets offsets) {
    { line.words } -> std::convertible_to<std::size_t>;
    { line.room(base) } -> std::same_as<std::size_t>;
    { line.plane_of(planes, base) } -> std::same_as<Word*>;
    { line.window(cells, base) } -> std::same_as<typename L::Offsets>;
    { line.mirrored_window(cells, base) } -> std::same_as<typename L::Offsets>;
    line.add(plane, base, offsets);
    line.mirror(cells, plane);
};
static_assert(LineOfPlanes<ShortLine> && LineOfPlanes<LongLine<Word>> && LineOfPlanes<LongLine<Wide<2>>>);

}  // namespace nonocsp
