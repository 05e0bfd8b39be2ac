"""Counts lines that match the library's wordings, in the two ways that anybody would write first.

Run by the comparison of speeds: ``python -m benchmarks.plain_search WAY PATTERNS FILE...``. ``naive`` searches each
line for one pattern after the other until one matches. ``ahocorasick`` scans all bytes for the literals of the
wordings with ``ahocorasick_rs`` and tries on the lines that hold one the patterns that belong to it.
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from benchmarks.dialects import as_ripgrep
from logsleuth.language.literals import literals_of
from logsleuth.language.syntax import Wording
from logsleuth.tokenize.scanner import AhoCorasickScanner

_CHUNK = 4 << 20


class Pattern:
    """A pattern that is compiled when the first line asks for it."""

    def __init__(self, text: str, literals: Sequence[str]) -> None:
        self.literals = [literal.encode() for literal in literals]
        self._text = text

    @cached_property
    def compiled(self) -> re.Pattern[bytes]:
        return re.compile(self._text.replace("(?-u:", "(?:").encode())


def write_patterns(path: Path, looked_for: Iterable[Wording]) -> None:
    """Writes what is read here: patterns with the literals of which a line that they match holds one."""
    path.write_text(json.dumps([(as_ripgrep(wording), literals_of(wording)) for wording in looked_for]), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plain_search", description=__doc__)
    parser.add_argument("way", choices=["naive", "ahocorasick"])
    parser.add_argument("patterns", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    args = parser.parse_args()
    patterns = [Pattern(*described) for described in json.loads(args.patterns.read_text("utf-8"))]
    count = _naive if args.way == "naive" else _by_literals
    print(count(patterns, args.files))


def _naive(patterns: Sequence[Pattern], files: Sequence[Path]) -> int:
    searches = [pattern.compiled.search for pattern in patterns]
    return sum(
        any(search(line) for search in searches)
        for file in files
        for line in file.read_bytes().splitlines(keepends=False)
    )


def _by_literals(patterns: Sequence[Pattern], files: Sequence[Path]) -> int:
    of_literal: dict[bytes, list[Pattern]] = {}
    for pattern in patterns:
        for literal in pattern.literals:
            of_literal.setdefault(literal, []).append(pattern)
    asked, scanner = list(of_literal.values()), AhoCorasickScanner(list(of_literal))
    found = 0
    for chunk in (chunk for file in files for chunk in _chunks(file)):
        for line, literals in _hit_lines(chunk, scanner.scan(chunk)):
            candidates = (pattern for literal in sorted(literals) for pattern in asked[literal])
            found += any(pattern.compiled.search(line) for pattern in candidates)
    return found


def _hit_lines(chunk: bytes, hits: Sequence[tuple[int, int]]) -> Iterator[tuple[bytes, set[int]]]:
    """Lines with a hit, each with its literals."""
    start = end = -1
    literals: set[int] = set()
    for at, literal in hits:
        if at > end:
            if literals:
                yield chunk[start:end], literals
            start, end = chunk.rfind(b"\n", 0, at) + 1, chunk.find(b"\n", at)
            end = end if end >= 0 else len(chunk)
            literals = set()
        literals.add(literal)
    if literals:
        yield chunk[start:end], literals


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as log:
        while chunk := log.read(_CHUNK):
            yield chunk + log.readline()


if __name__ == "__main__":
    main()
