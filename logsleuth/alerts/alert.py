"""Of what is told at once, and in which words?"""

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from logsleuth.model.analysis import Severity, Verdict
from logsleuth.model.change import Change, ChangeKind
from logsleuth.model.ranks import format_ranks
from logsleuth.model.snapshot import Snapshot

Document = Callable[[Change, Snapshot], Mapping[str, object]]
"""Makes the JSON object of a change: what the report prints of it."""

LONGEST_LINE = 1_900
"""Characters of the one line; chats cut messages or refuse them from 2,000 on."""
LONGEST_VALUE = 4_000
"""Characters of a variable; the kernel takes 128 KiB of one, and of all together not much more on some systems."""

CHATS_OWN = ("text", "type")
"""Keys of a document that chats would take for theirs. Mattermost refuses a ``type`` that it does not know."""

_FOR_CHATS = str.maketrans({"<": "‹", ">": "›", "[": "(", "]": ")", "@": "＠", "`": "'"})
"""What chats read as a mention, a link or code, and what stands for it. A log must not be able to call @everyone."""


class Alert(NamedTuple):
    """A change, made ready to leave the process."""

    number: int
    kind: ChangeKind
    key: str
    body: bytes
    """The JSON object, in ASCII, ended by a newline."""
    variables: dict[str, str]
    """For the environment of a command."""


def is_worth_telling(change: Change) -> bool:
    """Whether it is about a firm verdict that warns or fails, or about one that was told as such."""
    return any(
        verdict is not None and verdict.status == "firm" and verdict.severity is not Severity.INFO
        for verdict in (change.verdict, change.before)
    )


def alert_of(change: Change, snapshot: Snapshot, document: Document) -> Alert:
    """The alert of a change: the report's document, with the one line as ``text`` in it, which is what chats show."""
    text = line(change)
    told = {key: value for key, value in document(change, snapshot).items() if key not in CHATS_OWN}
    body = json.dumps({"text": text} | told)
    return Alert(change.number, change.kind, change.key, body.encode("ascii") + b"\n", _variables(change, text))


def line(change: Change) -> str:
    """``FATAL: Rank 3 was killed (process.killed, rank 3 on node-1, job 4711, f1)``.

    Harmless to a terminal, and no mention or link in a chat.
    """
    verdict = change.verdict
    severity = verdict.severity.value.upper() if verdict.status == "firm" else "UNDECIDED"
    lead = {
        ChangeKind.APPEARED: severity,
        ChangeKind.REVISED: f"{severity}, revised",
        ChangeKind.WITHDRAWN: "WITHDRAWN",
        ChangeKind.TAKEN_OVER: f"EXPLAINED by {change.by}" if change.by else "EXPLAINED by another",
    }[change.kind]
    told = (verdict.rule, _who(verdict), f"job {verdict.job}", change.key)
    rest = f" ({', '.join(word for word in told if word)})"
    said = plain(f"{lead}: {verdict.summary}").translate(_FOR_CHATS)
    rest = plain(rest).translate(_FOR_CHATS)
    return cut(said, max(LONGEST_LINE - len(rest), 200)) + cut(rest, LONGEST_LINE - 200)


def plain(text: str) -> str:
    """The text with a blank in place of whatever is no character that can be seen."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else " " for sign in text)


def cut(text: str, most: int) -> str:
    """The text, or as much of it as fits with three dots behind it."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _who(verdict: Verdict) -> str:
    """``rank 2 on node-7``; empty where nobody is named."""
    who = verdict.culprits
    noun, numbers = ("rank", who.ranks) if who.ranks else ("local rank", who.local_ranks)
    members = f"{noun}{'' if len(numbers) == 1 else 's'} {cut(format_ranks(numbers), 60)}" if numbers else ""
    hosts = cut(", ".join(who.hosts), 60)
    return " on ".join(word for word in (members, hosts) if word)


def _variables(change: Change, text: str) -> dict[str, str]:
    verdict = change.verdict
    told = {
        "CHANGE": change.kind.value,
        "NUMBER": str(change.number),
        "KEY": change.key,
        "BY": change.by or "",
        "SEVERITY": verdict.severity.value,
        "STATUS": verdict.status,
        "CONFIDENCE": verdict.confidence.value,
        "ROLE": verdict.role,
        "RULE": verdict.rule,
        "CAUSE": verdict.cause,
        "JOB": verdict.job,
        "ATTEMPT": str(verdict.attempt),
        "RANKS": format_ranks(verdict.culprits.ranks),
        "HOSTS": ", ".join(verdict.culprits.hosts),
        "SUMMARY": verdict.summary,
        "TEXT": text,
    }
    return {f"LOGSLEUTH_{name}": cut(plain(value), LONGEST_VALUE) for name, value in told.items()}
