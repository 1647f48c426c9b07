"""Faults that a copy of nonocsp gets: each is a line of the source and what takes its place.

`ON` in the faulty line stands for a test whether the fault is switched on. A source in which the line does
not occur exactly once is an error, so that the list follows the code.
"""

from __future__ import annotations

from typing import NamedTuple

VARIABLE = "NONOCSP_FAULT"
"""The environment variable that names the fault to switch on."""
_SWITCHES = {
    ".py": f"(__import__('os').environ.get('{VARIABLE}') == '%s')",
    ".cpp": f"""([] {{
        static const char* const fault = std::getenv("{VARIABLE}");
        static const bool on = fault && std::string_view(fault) == "%s";
        return on;
    }}())""",
}
_SWITCHES[".hpp"] = _SWITCHES[".cpp"]


class Fault(NamedTuple):
    """A fault of one backend."""

    name: str
    what: str
    backend: str
    """The backend that has it, alone or first of all."""
    file: str
    """Below nonocsp/."""
    right: str
    faulty: str

    def patched(self, source: str) -> str:
        """Return a source with the fault in it, switched off unless `VARIABLE` names it."""
        if source.count(self.right) != 1:
            raise ValueError(
                f"{self.file} has the line of the fault {self.name} {source.count(self.right)} times"
            )
        suffix = self.file[self.file.rindex(".") :]
        faulty = self.faulty.replace("ON", _SWITCHES[suffix] % self.name)
        includes = "" if suffix == ".py" else "#include <cstdlib>\n#include <string_view>\n"
        return includes + source.replace(self.right, faulty)


_ENCODINGS, _SAT, _SETTLE = "engine/encodings.py", "backends/sat.py", "cpp/line/settle.hpp"
_ENCODED = "    return Encoding(Cnf(variables, clauses, literals), candidates, cells, colours)"
_DECODED = "        return Grid(lowest.reshape(self.candidates.shape))"
_ANALYSED = "    move_backjump_literal_second();\n    glue_"

FAULTS = (
    Fault(
        "literal",
        "SAT encoding: one literal of one clause is negated",
        "sat",
        _ENCODINGS,
        _ENCODED,
        "    if ON and clauses:\n"
        "        at = np.random.default_rng(len(literals)).choice(np.flatnonzero(literals))\n"
        "        literals[at] = -literals[at]\n" + _ENCODED,
    ),
    Fault(
        "clause",
        "SAT encoding: one clause is missing",
        "sat",
        _ENCODINGS,
        "    variables, clauses, literals, cells, colours = encode(solver.compiled, candidates)",
        "    variables, clauses, literals, cells, colours = encode(solver.compiled, candidates)\n"
        "    if ON and clauses > 1:\n"
        "        ends = np.flatnonzero(literals == 0)\n"
        "        last = int(np.random.default_rng(len(literals)).integers(1, len(ends)))\n"
        "        literals = np.delete(literals, slice(ends[last - 1] + 1, ends[last] + 1))\n"
        "        clauses -= 1",
    ),
    Fault(
        "forbidden",
        "SAT: one solution is forbidden",
        "sat",
        _SAT,
        "                yield encoding.decode(model)",
        "                if not ON or run.stats.get('forbidden'):\n"
        "                    yield encoding.decode(model)\n"
        "                run.stats['forbidden'] = 1",
    ),
    Fault(
        "forbidden-cpsat",
        "CP-SAT: one solution is forbidden",
        "cpsat",
        "backends/cpsat.py",
        "            yield from map(formulation.grid, _enumerated(formulation, self.options, run))",
        "            found = map(formulation.grid, _enumerated(formulation, self.options, run))\n"
        "            if ON:\n"
        "                next(found, None)\n"
        "            yield from found",
    ),
    Fault(
        "blocking",
        "SAT: the clause that forbids a solution has half of its literals",
        "sat",
        _ENCODINGS,
        "islice(model, len(self.cells))]",
        "islice(model, len(self.cells) // (2 if ON else 1))]",
    ),
    Fault(
        "decoder",
        "decoder: the last true variable of a model is not read",
        "sat",
        _ENCODINGS,
        "        lowest = (self.candidates & (~self.candidates + np.uint64(1))).ravel()",
        "        true = true[: len(true) - ON]\n"
        "        lowest = (self.candidates & (~self.candidates + np.uint64(1))).ravel()",
    ),
    Fault(
        "transposed",
        "decoder: rows and columns are exchanged",
        "sat",
        _ENCODINGS,
        _DECODED,
        "        if ON:\n            return Grid(lowest.reshape(self.candidates.shape[::-1]).T)\n" + _DECODED,
    ),
    Fault(
        "settle-start",
        "settle: in clues of four blocks and more, the first block loses its first start",
        "hybrid",
        _SETTLE,
        "        line.add(line.plane_of(work.found, block.kind), block.earliest,"
        " at<Offsets>(work.starts, j) & exit);",
        """        std::array<Word, kWords<Offsets>> set;
        store(set.data(), at<Offsets>(work.starts, j) & exit);
        if (ON && j == 0 && clue.blocks.size() > 3) {
            std::size_t ways = 0;
            for (const Word word : set) ways += static_cast<std::size_t>(std::popcount(word));
            const auto first = std::ranges::find_if(set, [](Word word) { return word != 0; });
            if (ways > 1) *first &= *first - 1;
        }
        line.add(line.plane_of(work.found, block.kind), block.earliest, load<Offsets>(set.data()));""",
    ),
    Fault(
        "settle-gap",
        "settle: in clues of five blocks and more, no cell before the first block is background",
        "hybrid",
        _SETTLE,
        "    line.add(background, 0, open_gap(gap(0), exit_of(line, 0, work)));",
        "    if (!(ON && clue.blocks.size() > 4))"
        " line.add(background, 0, open_gap(gap(0), exit_of(line, 0, work)));",
    ),
    Fault(
        "settle-blind",
        "settle: lines with two blocks are not looked at",
        "hybrid",
        _SETTLE,
        "    work.reserve(line, clue.blocks.size());\n    read_line(line, clue, planes, work);\n"
        "    if (clue.touching) {",
        "    if (ON && clue.blocks.size() == 2) {\n"
        "        std::copy_n(planes.data(), settled.size(), settled.data());\n"
        "        return true;\n"
        "    }\n"
        "    work.reserve(line, clue.blocks.size());\n    read_line(line, clue, planes, work);\n"
        "    if (clue.touching) {",
    ),
    Fault(
        "reason",
        "learning search: reasons of lines lack a literal",
        "hybrid",
        "cpp/cdcl/line_propagator.cpp",
        "    explanations_[at] = static_cast<Lit>(explanations_.size() - at - 1);",
        "    if (ON && explanations_.size() > at + 3) explanations_.pop_back();\n"
        "    explanations_[at] = static_cast<Lit>(explanations_.size() - at - 1);",
    ),
    Fault(
        "learnt",
        "learning search: learnt clauses lack a literal",
        "hybrid",
        "cpp/cdcl/analyze.cpp",
        _ANALYSED,
        "    if (ON && clause_.size() > 3) clause_.pop_back();\n" + _ANALYSED,
    ),
    Fault(
        "learnt-rare",
        "… one learnt clause in fifty",
        "hybrid",
        "cpp/cdcl/analyze.cpp",
        "    involved_ = marked_.size();",
        "    static thread_local int fault_analyses = 0;\n"
        "    const bool drops = ON && ++fault_analyses % 50 == 0 && clause_.size() > 3;\n"
        "    if (drops) clause_.pop_back();\n"
        "    involved_ = marked_.size();",
    ),
    Fault(
        "probe",
        "probing: one probe in sixteen believes the first of two colours",
        "hybrid",
        "cpp/probing/prober.cpp",
        "    narrow_to_union(probed, first, sides_[survivors_ - 1].board);",
        "    narrow_to_union(probed, first, sides_[ON && probes_ % 16 == 0 ? 0 : survivors_ - 1].board);",
    ),
    Fault(
        "count",
        "counting: the number of solutions is doubled",
        "hybrid",
        "cpp/counting/solution_counter.cpp",
        "    return at_least(true);",
        "    return ON ? at_least(true) * Natural(2) : at_least(true);",
    ),
    Fault(
        "certificate",
        "certificate: one literal of one clause of the formula is negated",
        "hybrid",
        "certificates/formula.py",
        "                yield [literal for literal in clause if literal != -TRUE]  # some literal is left",
        "                kept = [literal for literal in clause if literal != -TRUE]\n"
        "                yield [-kept[0], *kept[1:]] if ON and made == 200 else kept",
    ),
)
