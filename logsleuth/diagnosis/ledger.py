"""What is new about the verdicts on a live job, from one judgement to the next? Each change is told once.

A judgement in the middle of a job is made of what was read so far: a moment later the logs of other ranks are read
too, and it may say something else. So nothing is told before it has settled (docs/live.md tells it for users).
"""

from collections.abc import Iterable, Iterator, Sequence

from logsleuth.diagnosis.account import PATIENCE, Account
from logsleuth.diagnosis.claim import claim_of
from logsleuth.diagnosis.ledger_document import LedgerDocument, decoded, encoded
from logsleuth.diagnosis.marks import marks_of, paired
from logsleuth.diagnosis.taker import taker
from logsleuth.model.analysis import Analysis, Verdict
from logsleuth.model.change import Change, ChangeKind, Standing

SETTLE = 3.0
"""Seconds for which judgements must say the same before it is told."""
MOST_GONE = 256
"""Verdicts that are gone and still remembered, so that they keep their keys if they come back."""


def is_told(verdict: Verdict) -> bool:
    """Whether a verdict is told while a job runs: what is decided, and more than worth knowing."""
    return verdict.status == "firm" and not verdict.is_note


class Ledger:
    """Remembers what judgements said and what was told of it. It knows no clock: moments are given to it."""

    def __init__(self, settle: float = SETTLE) -> None:
        self._settle = settle
        self._accounts: list[Account] = []
        self._number = self._keys = 0
        self._at = float("-inf")
        self._again: float | None = None
        self._named: dict[str, str] = {}
        self._unread: frozenset[str] = frozenset()

    @classmethod
    def from_json(cls, document: object, settle: float = SETTLE) -> "Ledger":
        """Goes on where the ledger was of which ``to_json`` made this; raises LedgerError where it is no such thing."""
        found = decoded(document)
        ledger = cls(settle)
        ledger._number, ledger._keys, ledger._accounts = found.number, found.keys, list(found.accounts)
        if found.at is not None:
            ledger._at = found.at
        ledger._again = ledger._next()
        return ledger

    def to_json(self) -> object:
        """All that it remembers, ready for ``json.dumps``."""
        at = None if self._at == float("-inf") else self._at
        return encoded(LedgerDocument(self._number, self._keys, at, tuple(self._accounts)))

    def cannot_read(self, paths: Iterable[str]) -> None:
        """What these logs said is not there any more: verdicts that rest on it alone stand, whatever judgements say."""
        self._unread = frozenset(paths)

    @property
    def settles_at(self) -> float | None:
        """When something can be told if the next judgement says the same; None where nothing is waiting."""
        return self._again

    @property
    def told(self) -> tuple[Standing, ...]:
        """What stands now, as far as it was told, in the order in which it first was."""
        found = [
            Standing(one.key, one.told, one.told_first)
            for one in sorted(self._accounts, key=_number)
            if one.told is not None
        ]
        return tuple(found)

    @property
    def named(self) -> dict[str, str]:
        """The keys of the last judgement's verdicts that were told, by their ids in it."""
        return self._named

    def update(self, analysis: Analysis, at: float, *, is_final: bool = False) -> list[Change]:
        """Takes the judgement of a moment (seconds since 1970) and gives what is to be told.

        First what appeared or is another, in the order of the analysis, then what is gone. ``is_final``: nothing comes
        after it, so nothing has to settle.
        """
        self._keep_time(at)
        verdicts = [verdict for verdict in analysis.verdicts if is_told(verdict)]
        now = self._judged(verdicts, at)
        ready = [one for one in self._accounts if one.unlike is not None and (is_final or self._is_due(one, at))]
        changes = [self._appear(one, verdict, at) for one, verdict in now if one in ready]
        gone = [one for one in ready if one.said is None and not self._is_unread(one)]
        changes += self._disappear(gone, analysis, now, at, is_final)
        self._forget()
        self._again = self._next()
        self._named = {verdict.id: one.key for one, verdict in now if one.told is not None}
        return changes

    def _keep_time(self, at: float) -> None:
        """A clock that was set back must not keep everything waiting until it is where it was."""
        if at < self._at:
            for one in self._accounts:
                one.set_back(self._at - at)
        self._at = at

    def _judged(self, verdicts: Sequence[Verdict], at: float) -> list[tuple[Account, Verdict]]:
        """Notes what is said of whom; gives those of whom something is, in the order of the verdicts."""
        marks = [marks_of(verdict) for verdict in verdicts]
        known: dict[int, Account] = {}
        for is_gone in (False, True):
            before = [one for one in self._accounts if one.is_gone == is_gone]
            left = [place for place in range(len(verdicts)) if place not in known]
            pairs = paired([one.marks for one in before], [marks[place] for place in left], by_rule_alone=not is_gone)
            known |= {left[new]: before[old] for old, new in pairs.items()}
        for place, verdict in enumerate(verdicts):
            if place not in known:
                known[place] = Account(marks[place], claim_of(verdict), at, at, at)
                self._accounts.append(known[place])
            known[place].marks = marks[place]
        said = {id(one): verdicts[place] for place, one in known.items()}
        for one in self._accounts:
            one.judged(said.get(id(one)), at)
        self._accounts = [one for one in self._accounts if one.is_worth_keeping]
        return [(known[place], verdicts[place]) for place in range(len(verdicts))]

    def _is_due(self, one: Account, at: float) -> bool:
        due = one.due(self._settle)
        return due is not None and at >= due

    def _appear(self, one: Account, verdict: Verdict, at: float) -> Change:
        before = one.told
        if not one.number:
            self._keys += 1
            one.number = self._keys
        one.tell(verdict, at)
        kind = ChangeKind.APPEARED if before is None else ChangeKind.REVISED
        return self._change(at, kind, one.key, verdict, before)

    def _disappear(
        self,
        gone: Sequence[Account],
        analysis: Analysis,
        now: Sequence[tuple[Account, Verdict]],
        at: float,
        is_final: bool,
    ) -> Iterator[Change]:
        there = [verdict for _, verdict in now]
        keys = {verdict.id: other.key for other, verdict in now if other.told is not None}
        rest = [verdict for verdict in analysis.verdicts if not is_told(verdict)]
        for one in sorted(gone, key=_number):
            before = one.told
            assert before is not None  # Else it would say the same as was told: nothing.
            came = [verdict for other, verdict in now if other.seen >= one.since]
            by = taker(one.marks, before.cause, analysis, there, came)
            if by is not None and by.id not in keys:
                if not is_final and at < one.since + PATIENCE * self._settle:
                    continue  # What takes it over is told first.
                by = None
            one.tell(None, at)
            if by is not None:
                yield self._change(at, ChangeKind.TAKEN_OVER, one.key, before, before, keys[by.id])
                continue
            # It may be there still, and be undecided again.
            pairs = paired([one.marks], [marks_of(verdict) for verdict in rest], by_rule_alone=False)
            yield self._change(at, ChangeKind.WITHDRAWN, one.key, rest[pairs[0]] if pairs else before, before)

    def _change(
        self, at: float, kind: ChangeKind, key: str, verdict: Verdict, before: Verdict | None, by: str | None = None
    ) -> Change:
        self._number += 1
        return Change(self._number, at, kind, key, verdict, before, by)

    def _is_unread(self, one: Account) -> bool:
        """Whether no judgement can say it again, for want of what it rests on."""
        evidence = one.told.evidence if one.told else ()
        return bool(evidence) and all(line.source in self._unread for line in evidence)

    def _forget(self) -> None:
        gone = sorted((one for one in self._accounts if one.is_gone), key=lambda one: (-one.told_at, -one.number))
        forgotten = {id(one) for one in gone[MOST_GONE:]}
        self._accounts = [one for one in self._accounts if id(one) not in forgotten]

    def _next(self) -> float | None:
        waiting = []
        for one in self._accounts:
            due = one.due(self._settle)
            if due is not None and not (one.said is None and self._is_unread(one)):
                # What is due and was not told waits for what takes it over.
                waiting.append(due if due > self._at else one.since + PATIENCE * self._settle)
        return min(waiting, default=None)


def _number(one: Account) -> int:
    return one.number
