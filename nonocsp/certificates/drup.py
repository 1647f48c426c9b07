"""Check that a proof shows a formula to have no model: clause after clause, up to the empty one.

The proof is DRUP (Goldberg & Novikov, *Verification of proofs of unsatisfiability for CNF formulas*, 2003;
Heule, Hunt & Wetzler, *Trimming while checking clausal proofs*, 2013). A lemma is accepted if assuming all
its literals false leads to a contradiction by unit propagation over the clauses before it (reverse unit
propagation). So whatever is accepted follows from the formula, and once the empty clause does, there is no
model. Lemmas that merely keep satisfiability (RAT) do not follow and are rejected.

A deletion line only saves time, for what follows from fewer clauses follows from more: it is obeyed if it
names a long lemma and ignored otherwise, and a literal once proved stays proved.

Clauses of two literals are implications; longer ones are watched at two literals. A lemma costs a
millisecond or so: the time goes into propagation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

_STEP = re.compile(rb"(d )?((?:-?[1-9][0-9]{0,9} )*)0\n?")


class ProofFault(Exception):
    """An invalid proof: what is wrong, and in which line, counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def check_proof(variables: int, clauses: Iterable[list[int]], lines: Iterable[bytes]) -> int:
    """Return the number of lemmas of a proof that no model satisfies all clauses.

    Parameters
    ----------
    variables
        The variables of the clauses are 1 up to this.
    clauses
        The formula: literals, negative if negated.
    lines
        Of the proof, in the text form of DRAT: literals and a 0, after a ``d`` for a deletion.

    Raises
    ------
    ProofFault
        At the first line that is malformed or does not follow; also if the last one is not the empty clause.
    """
    known = Propagator(variables)
    for clause in clauses:
        known.add(clause)
    lemmas, deletable = 0, defaultdict[tuple[int, ...], list[list[int]]](list)
    number, ended, proved = 1, False, False
    for number, line in enumerate(lines, start=1):
        if ended:
            raise ProofFault("the proof goes on after the empty clause", number)
        step = _STEP.fullmatch(line)
        if not step:
            raise ProofFault(f"{line[:40]!r} is not a list of literals that ends in 0", number)
        literals = [int(literal) for literal in step[2].split()]
        used = {abs(literal) for literal in literals}
        if len(used) < len(literals):
            raise ProofFault(f"{_quoted(literals)} has a variable twice", number)
        if used and max(used) > variables:
            raise ProofFault(f"unknown variable {max(used)}; the formula has 1 to {variables}", number)
        ended = not literals
        key = tuple(sorted(literals))
        if step[1]:  # a deletion
            if deletable[key]:
                deletable[key].pop().clear()
            continue
        if not known.refutes([-literal for literal in literals]):
            raise ProofFault(f"{_quoted(literals)} does not follow by unit propagation", number)
        deletable[key].append(known.add(literals))
        lemmas += 1
        proved = ended
    if not proved:
        raise ProofFault("the proof ends without the empty clause", number)
    return lemmas


def _quoted(clause: list[int]) -> str:
    return f"the clause ({' '.join(map(str, clause[:8]))}{' …' if len(clause) > 8 else ''})"


class Propagator:
    """Clauses, and the literals that follow from them by unit propagation."""

    def __init__(self, variables: int) -> None:
        every = 2 * variables + 1  # indexed by literal: Python counts negative ones from the end
        self._contradictory = False
        self._true = [False] * every
        self._trail: list[int] = []
        self._implied: list[list[int]] = [[] for _ in range(every)]
        self._watching: list[list[list[int]]] = [[] for _ in range(every)]

    def add(self, clause: list[int]) -> list[int]:
        """Add a clause for good and return what is kept of it; emptying that deletes the clause."""
        kept = [literal for literal in clause if not self._true[-literal]]
        if any(self._true[literal] for literal in kept):
            return []
        match kept:
            case []:
                self._contradictory = True
            case [_]:
                self._contradictory |= not self._assume(kept)
            case [a, b]:
                self._implied[-a].append(b)
                self._implied[-b].append(a)
            case [a, b, *_]:
                self._watching[a].append(kept)
                self._watching[b].append(kept)
                return kept
        return []

    def refutes(self, literals: list[int]) -> bool:
        """Return whether the clauses and these literals contradict each other by unit propagation."""
        if self._contradictory:
            return True
        proved = len(self._trail)
        consistent = self._assume(literals)
        for literal in self._trail[proved:]:
            self._true[literal] = False
        del self._trail[proved:]
        return not consistent

    def _assume(self, literals: list[int]) -> bool:
        """Make the literals true and all that follows; return False at a contradiction."""
        head = len(self._trail)
        if not all(map(self._set, literals)):
            return False
        true, trail, implied, watching = self._true, self._trail, self._implied, self._watching
        while head < len(trail):
            literal = trail[head]
            head += 1
            for other in implied[literal]:
                if not true[other]:
                    if true[-other]:
                        return False
                    true[other] = True
                    trail.append(other)
            if watching[-literal] and not self._visit(-literal):
                return False
        return True

    def _set(self, literal: int) -> bool:
        """Make a literal true; return False if its negation is."""
        if self._true[-literal]:
            return False
        if not self._true[literal]:
            self._true[literal] = True
            self._trail.append(literal)
        return True

    def _visit(self, false: int) -> bool:
        """Let the clauses that watch a literal now false watch another; one that has no other is a unit."""
        true = self._true
        visited, self._watching[false] = self._watching[false], []
        still = self._watching[false]
        for i, clause in enumerate(visited):
            if not clause:
                continue  # deleted
            first = clause[0] if clause[0] != false else clause[1]
            if true[first]:
                still.append(clause)
                continue
            for k in range(2, len(clause)):
                other = clause[k]
                if not true[-other]:
                    clause[0], clause[1], clause[k] = first, other, false
                    self._watching[other].append(clause)
                    break
            else:
                still.append(clause)
                if not self._set(first):
                    still += visited[i + 1 :]
                    return False
        return True
