"""Where in a chunk of bytes does which literal stand? Every engine gives the same hits; they differ in speed only."""

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

ENGINE_VARIABLE = "LOGSLEUTH_SCANNER"
"""Environment variable that names the engine to use: ``hyperscan``, ``ahocorasick`` or ``plain``."""


_LITTLE = 32 << 10
"""Bytes that are looked through in the time in which hyperscan gets ready."""
_EACH = 256
"""Bytes that could be looked through in the time that it takes to look at nothing at all."""


class Hit(NamedTuple):
    """One occurrence of one literal. Scanners give plain tuples of this shape, as they are faster to make."""

    end: int
    """Offset of the first byte behind it."""
    literal: int
    """Its index among the literals that the scanner was made for."""


class Scanner(Protocol):
    """Finds a fixed set of literals; may be used by several threads."""

    def scan(self, data: bytes) -> list[tuple[int, int]]:
        """All occurrences of all literals, overlapping ones too, as ``Hit``s in ascending order.

        Bytes are compared as they are: case matters, and NUL and newline are bytes like any other.
        """


class ScannerUnavailableError(Exception):
    """An engine is not installed, or cannot work on this machine or with these literals; says what to do."""


def make_scanner(literals: Sequence[bytes], engine: str | None = None) -> Scanner:
    """The fastest scanner that works here, or the one that ``engine`` or else the environment variable names.

    Literals may repeat and contain each other. Raises ValueError where one is empty, and ScannerUnavailableError where
    the named engine, or every engine but the plain one, cannot be used.
    """
    if not all(literals):
        raise ValueError("a literal to scan for is empty")
    name = engine or os.environ.get(ENGINE_VARIABLE)
    if not name:
        try:
            return HyperscanScanner(literals)
        except ScannerUnavailableError:
            return AhoCorasickScanner(literals)
    if name not in _ENGINES:
        raise ScannerUnavailableError(f"There is no scanner {name!r}; {ENGINE_VARIABLE} may be {', '.join(_ENGINES)}.")
    return _ENGINES[name](literals)


def scanner_when_wanted(literals: Sequence[bytes], engine: str | None = None) -> Scanner:
    """The same, but for little text without the time that it takes to make one, where none is named."""
    if engine or os.environ.get(ENGINE_VARIABLE):
        return make_scanner(literals, engine)
    return LateScanner(literals)


class HyperscanScanner:
    """Hyperscan, or Vectorscan where the wheel holds that."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        try:
            import hyperscan
        except ImportError as error:
            raise ScannerUnavailableError(_how_to_install("hyperscan")) from error
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK) if literals else None
        # A database has one scratch space, and scanning lets go of the interpreter's lock.
        self._lock = threading.Lock()
        if self._database:
            try:
                # As regular expressions of nothing but hexadecimal escapes, because the binding's literal mode ends a
                # literal at its first NUL. Hyperscan builds the same database from both.
                self._database.compile(expressions=[_escaped(literal) for literal in literals])
            except hyperscan.error as error:
                raise ScannerUnavailableError(
                    f"hyperscan cannot be used ({error}); set {ENGINE_VARIABLE}=ahocorasick."
                ) from error

    def scan(self, data: bytes) -> list[tuple[int, int]]:
        hits: list[tuple[int, int]] = []
        if self._database:
            with self._lock:
                self._database.scan(data, match_event_handler=_collect, context=hits.append)
        # Hits that end at one place come in any order.
        hits.sort()
        return hits


_ESCAPED = [b"\\x%02x" % byte for byte in range(256)]


def _escaped(literal: bytes) -> bytes:
    return b"".join(map(_ESCAPED.__getitem__, literal))


def _collect(literal: int, _start: int, end: int, _flags: int, append: Any) -> None:
    append((end, literal))


class AhoCorasickScanner:
    """The Rust crate aho-corasick, for machines that hyperscan has no wheel for."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        try:
            from ahocorasick_rs import BytesAhoCorasick, MatchKind
        except ImportError as error:
            raise ScannerUnavailableError(_how_to_install("ahocorasick_rs")) from error
        self._automaton = BytesAhoCorasick(literals, matchkind=MatchKind.Standard)

    def scan(self, data: bytes) -> list[tuple[int, int]]:
        matches = self._automaton.find_matches_as_indexes(data, overlapping=True)
        return sorted([(end, literal) for literal, _, end in matches])


class PlainScanner:
    """The standard library only, and far too slow for logs: what the others are tested against."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        self._literals = list(literals)

    def scan(self, data: bytes) -> list[tuple[int, int]]:
        hits = []
        for index, literal in enumerate(self._literals):
            start = data.find(literal)
            while start >= 0:
                hits.append((start + len(literal), index))
                start = data.find(literal, start + 1)
        return sorted(hits)


class LateScanner:
    """Looks through a little text without an engine, because making one takes as long; raises what that raises once
    there is more."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        if not all(literals):
            raise ValueError("a literal to scan for is empty")
        self._literals = literals
        self._scanner: Scanner = PlainScanner(literals)
        self._left = _LITTLE

    def scan(self, data: bytes) -> list[tuple[int, int]]:
        if self._left >= 0:
            self._left -= len(data) + _EACH
            if self._left < 0:
                self._scanner = make_scanner(self._literals)
        return self._scanner.scan(data)


_ENGINES: dict[str, Callable[[Sequence[bytes]], Scanner]] = {
    "hyperscan": HyperscanScanner,
    "ahocorasick": AhoCorasickScanner,
    "plain": PlainScanner,
}


def _how_to_install(package: str) -> str:
    return f"The scanner's library is not installed; run `pip install {package}`."
