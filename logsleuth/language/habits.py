"""What people write who come from other languages, or from a web page, and how it is said in this one."""

import re
import unicodedata
from collections.abc import Callable

from logsleuth.language.messages import did_you_mean

_SIGNS = {
    "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "<>": "!=", "!==": "!=", "===": "==",
    "≥": ">=", "≤": "<=", "≠": "!=", "×": "*", "÷": "/", "→": "->", "…": "...",
}  # fmt: skip
_UNITS = {
    "s": "sec secs second seconds", "min": "minute minutes mins", "h": "hr hrs hour hours", "d": "day days",
    "ms": "msec msecs millis milliseconds millisecond", "us": "usec usecs microseconds",
    "GiB": "g gb gib gigabyte gigabytes", "MiB": "mb mib megabyte megabytes", "KiB": "k kb kib",
    "TiB": "tb tib", "bytes": "b byte", "%": "percent pct", "steps": "step iterations iteration iters",
}  # fmt: skip
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}


def meant(found: str, expected: frozenset[str], before: tuple[str, ...], after: str) -> str:
    """What to write instead of ``found``, in sentences; nothing where nobody knows what was meant.

    ``expected`` and ``before`` as in ``logsleuth.language.faults``; ``after`` is the text behind.
    """
    for habit in _HABITS:
        if remedy := habit(found, expected, before, after):
            return remedy
    return ""


_Habit = Callable[[str, frozenset[str], tuple[str, ...], str], str]


def _sign(found: str, expected: frozenset[str], _before: tuple[str, ...], _: str) -> str:
    if found in ("=~", "~", "~=", "!~"):
        return "Write matches `PATTERN` for a regular expression."
    if found == "=" and "COMPARATOR" in expected:
        return "Write `==` to compare."
    if found == "==" and "=" in expected:
        return "Write `=` to give a value; `==` compares."
    return f"Write `{_SIGNS[found]}`." if found in _SIGNS else ""


def _quotes(found: str, expected: frozenset[str], _before: tuple[str, ...], _: str) -> str:
    if found and found[0] in "“”„‟«»‘’‚":
        return f'This quote is a typographic one; write "{found.strip("“”„‟«»‘’‚")}".'
    if found.startswith("'"):
        return f'A text stands in double quotes: "{found.strip(chr(39))}".'
    if expected <= {"STRING", "LONG"} and found[:1].isalnum():
        return 'A text stands in double quotes: "...".'
    if not found and {"LONG", "host", "rank"} <= expected:
        return 'The lines of a log stand in """..."""; a text in "..." is its path.'
    if "STRING" in expected and "REGEX" not in expected and found.startswith("`"):
        return "A text stands in double quotes; back-quotes are for regular expressions: regex `...`."
    return ""


def _unseen(found: str, expected: frozenset[str], _before: tuple[str, ...], after: str) -> str:
    if found and found[0] in "–—−‐‑":
        meant_sign = "->" if "->" in expected or after.startswith(">") else "-"
        return f"This dash is a typographic one; write `{meant_sign}`."
    if len(found) == 1 and not found.isprintable():
        name = unicodedata.name(found, "a control character")
        return f"A character that cannot be seen stands here (U+{ord(found):04X} {name}); write a blank, or nothing."
    return ""


def _punctuation(found: str, expected: frozenset[str], before: tuple[str, ...], after: str) -> str:
    if found.startswith(("//", "/*", "--", "<!--")):
        return "A comment starts with `#`."
    if found.startswith(":") and "=" in expected:
        return "Write `=`."
    if found.startswith(":") and len(before) > 1 and before[-2:-1] == ("{",):
        return f"A clause has no colon: `{before[-1]} ...`."
    if found.startswith(":"):
        return "Leave out the colon."
    if found.startswith(";") or (found == "," and after.strip(" \t")[:1] in ("", "\n", "}")):
        return "A clause ends without a sign: leave it out."
    if found == "-" and "DOTTED" not in expected and before and re.fullmatch(r"[A-Za-z_][\w.]*", before[-1]):
        word = re.match(r"\s*([\w.]+)", after)
        return f"A name has no `-`: `{before[-1]}_{word[1]}`." if word and "NUMBER" not in expected else ""
    return ""


def _unit(found: str, _expected: frozenset[str], before: tuple[str, ...], _: str) -> str:
    if before and before[-1][:1].isdigit() and (unit := _UNIT_OF.get(found.lower())):
        amount = before[-1] + ("" if unit == "%" else " ") + unit
        return f"Write `{amount}`. Units are ns, us, ms, s, min, m, h, d; bytes, KiB, MiB, GiB, KB, MB, GB; %; steps."
    return ""


def _list(found: str, expected: frozenset[str], before: tuple[str, ...], _: str) -> str:
    if {",", "]"} <= expected and "COMPARATOR" not in expected and found not in (",", "]", ""):
        return "The items of a list are separated by commas."
    if expected == {"["} and found == "(":
        return "A list stands in brackets: [ ... ]."
    if found == "{" and "[" in expected and before and "." in before[-1]:
        return f"A filter stands in brackets: `{before[-1]}[...]`."
    return ""


def _names(found: str, expected: frozenset[str], before: tuple[str, ...], _: str) -> str:
    if not found.replace(".", "_").replace("-", "_").isidentifier():
        return ""
    if "CAUSE" in expected:
        cause = found.lower().replace("_", "-")
        return f"A cause is written in lower case, with `-` between its words: `{cause}`."
    if found in ("as", "then", "without") and before[-2:-1] == ("seen",):
        return f"The names of events have an area: `area.{before[-1]}`."
    if found == "seen" and before and "." in before[-1]:
        return f"`seen` stands in front of the event: `seen {before[-1]}`."
    if before[-1:] in (("any",), ("each",), ("all",)) and found in ("rank", "ranks", "host", "hosts"):
        member = found.removesuffix("s")
        return f"Write `some {member} has ...`, or `every {member} has ...`."
    if found == "seen" and before[-1:] == ("no",):
        return "Leave out `seen`: `no EVENT` asks that there is none."
    if found in ("any", "some", "every") and before[-1:] == ("seen",):
        return f"Say whose it is: `{'some' if found == 'any' else found} rank has EVENT`."
    if "DOTTED" in expected and "NAME" not in expected and "." not in found and found not in expected:
        return f"The names of events and rules have an area: `area.{found}`."
    return ""


def _keyword(found: str, expected: frozenset[str], before: tuple[str, ...], _: str) -> str:
    words = {word for word in expected if word.isalpha() and word.islower()}
    if found.lower() in words:
        return f"The words of the language are in lower case: `{found.lower()}`."
    if found in _HEAD:
        return _HEAD[found]
    if close := did_you_mean(found, words, 0.7):
        return close
    if "as" in words and found.isidentifier() and before and (before[-1] == "]" or "." in before[-1]):
        return f"A name is given with `as`: `as {found}`."
    return ""


_HEAD = dict.fromkeys(
    ("name", "id", "description", "doc", "title", "meaning"),
    'The name and what it means stand in front of the brace: rule area.name "What it means." { ... }.',
)

_HABITS: tuple[_Habit, ...] = (_unseen, _punctuation, _sign, _quotes, _unit, _list, _names, _keyword)
