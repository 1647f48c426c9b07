// The techniques of one line, each a function that returns its findings, possibly none. All placements of the
// line agree on every finding, because techniques count cells or reason with windows and owners, which hold
// every start of a block and every block of a run. Linear in cells times blocks, but for `find_settled`.
//
// A new technique needs its name and grade in `catalogue.hpp`, its function here, a place in the table of
// `findings` (techniques.cpp), its chapter in `grading/explain/catalogue.py` and its sentences in
// `grading/explain/texts.json`.
#pragma once

#include <vector>

#include "grading/line_state.hpp"

namespace nonocsp {

// Techniques that push blocks and count cells.
std::vector<LineFinding> find_finished(const LineState& line);
std::vector<LineFinding> find_fit(const LineState& line);
std::vector<LineFinding> find_overlap(const LineState& line);
std::vector<LineFinding> find_gap(const LineState& line);
std::vector<LineFinding> find_reach(const LineState& line);
std::vector<LineFinding> find_anchor(const LineState& line);

// Techniques that look at runs.
std::vector<LineFinding> find_edge(const LineState& line);
std::vector<LineFinding> find_glue(const LineState& line);
std::vector<LineFinding> find_complete(const LineState& line);
std::vector<LineFinding> find_join(const LineState& line);
std::vector<LineFinding> find_split(const LineState& line);

// All placements.
std::vector<LineFinding> find_settled(const LineState& line);

// What a technique of one line finds, which all placements agree on, too; nothing for kColours and kProbe.
std::vector<LineFinding> findings(Technique technique, const LineState& line);

// Adds a finding if it narrows a cell.
inline void add_finding(std::vector<LineFinding>& findings, const LineState& line, const Kept& allowed,
                        StepReason reason, BlockList blocks = {}) {
    Kept cells = line.narrowed(allowed);
    if (!cells.empty()) findings.push_back({std::move(cells), std::move(reason), std::move(blocks)});
}

// Has a reason name its blocks, or say how many they are.
inline void name_blocks(StepReason& reason, const BlockList& blocks) {
    reason.block_count = blocks.size();
    if (blocks.size() <= 2) reason.blocks = blocks;
}

// The cells first..end - 1 with the candidates `kept`.
inline Kept cells_with(int first, int end, Word kept) {
    Kept cells;
    for (int cell = first; cell < end; ++cell) cells.emplace_back(cell, kept);
    return cells;
}

}  // namespace nonocsp
