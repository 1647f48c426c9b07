// The techniques by which people solve a puzzle, the cheapest first, and the reasons of their findings. A
// reason names a sentence and what the sentence tells of, by number; the table of texts has the words.
//
// Grade 1 looks at a clue and the open cells; 2 at one run or gap and its neighbours; 3 at the order of all
// blocks and runs; 4 at all placements of a line; 5 beyond one line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nonocsp {

enum class Technique : std::uint8_t {
    kColours,   // a cell has a colour of both its lines, or is background
    kFinished,  // all cells of a colour are found, or all cells that can have it must have it
    kFit,       // there is only one way to lay the blocks between the walls
    kOverlap,   // a block covers some cells wherever it lies between the walls
    kEdge,      // a run touches the edge or a wall: its block starts there
    kGlue,      // a run is so near to the edge or a wall that its block goes on at its other side
    kComplete,  // a run is as long as the longest block that it can be a piece of
    kGap,       // a gap is too small for the blocks that could be there
    kJoin,      // two runs must be one block
    kSplit,     // two runs must not be one block
    kReach,     // no block reaches a cell
    kAnchor,    // a block covers some cells wherever it lies, the runs considered
    kSettle,    // only all placements of the line together show it
    kProbe,     // what if? The opposite leads to a contradiction
};

struct Catalogued {
    std::string_view name;
    int grade;
};

// By technique.
inline constexpr std::array<Catalogued, 14> kCatalogue{{{"colours", 1},
                                                        {"finished", 1},
                                                        {"fit", 1},
                                                        {"overlap", 1},
                                                        {"edge", 2},
                                                        {"glue", 2},
                                                        {"complete", 2},
                                                        {"gap", 2},
                                                        {"join", 3},
                                                        {"split", 3},
                                                        {"reach", 3},
                                                        {"anchor", 3},
                                                        {"settle", 4},
                                                        {"probe", 5}}};
inline constexpr int kGrades = 5;
inline constexpr std::size_t kTechniques = kCatalogue.size();

constexpr std::size_t index(Technique technique) { return static_cast<std::size_t>(technique); }
constexpr const Catalogued& catalogued(Technique technique) { return kCatalogue[index(technique)]; }

// A sentence of the table of texts.
enum class Why : std::uint8_t {
    kColours,
    kFinished,
    kFinishedEmpty,
    kFinishedNeeded,
    kFinishedColour,
    kFinishedNone,
    kFinishedAll,
    kFit,
    kFitFull,
    kOverlap,
    kEdgeStarts,
    kEdgeEnds,
    kGlue,
    kComplete,
    kGap,
    kJoin,
    kSplit,
    kReachBefore,
    kReachBehind,
    kReachBetween,
    kAnchor,
    kSettle,
    kProbe,
};

inline constexpr std::array<std::string_view, 23> kWhyNames{"colours",
                                                            "finished",
                                                            "finished-empty",
                                                            "finished-needed",
                                                            "finished-colour",
                                                            "finished-none",
                                                            "finished-all",
                                                            "fit",
                                                            "fit-full",
                                                            "overlap",
                                                            "edge-starts",
                                                            "edge-ends",
                                                            "glue",
                                                            "complete",
                                                            "gap",
                                                            "join",
                                                            "split",
                                                            "reach-before",
                                                            "reach-behind",
                                                            "reach-between",
                                                            "anchor",
                                                            "settle",
                                                            "probe"};

// What a sentence tells of; which fields it has is up to the sentence. Positions of cells count from 0 in the
// line, blocks from 0 in its clue. Equal reasons read alike.
struct StepReason {
    Why why;
    int first = 0, last = 0;              // cells of the line
    int other_first = 0, other_last = 0;  // cells beside them; a wall, which may lie outside the line
    std::vector<std::uint16_t> blocks{};  // at most two, by name
    std::size_t block_count = 0;          // all blocks that are meant
    std::size_t length = 0;               // of the shortest of them, if they are not named
    bool is_least = false;                // whether others of them are longer
    std::size_t colour = 0;
    std::uint64_t count = 0;

    bool operator==(const StepReason&) const = default;
};

// Calls visit(name, number) or visit(name, numbers) for every field.
template <class Visit>
void for_each_field(const StepReason& reason, Visit visit) {
    visit("first", reason.first);
    visit("last", reason.last);
    visit("other_first", reason.other_first);
    visit("other_last", reason.other_last);
    visit("blocks", reason.blocks);
    visit("block_count", reason.block_count);
    visit("length", reason.length);
    visit("is_least", reason.is_least ? 1 : 0);
    visit("colour", reason.colour);
    visit("count", reason.count);
}

}  // namespace nonocsp
