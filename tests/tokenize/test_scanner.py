"""Every engine finds what the plain one finds, and the right one is chosen."""

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logsleuth.tokenize import scanner as scanner_module
from logsleuth.tokenize.scanner import (
    ENGINE_VARIABLE,
    AhoCorasickScanner,
    Hit,
    HyperscanScanner,
    PlainScanner,
    ScannerUnavailableError,
    make_scanner,
    scanner_when_wanted,
)

ROOT = Path(__file__).parents[2]
FAST = pytest.mark.parametrize("engine", ["hyperscan", "ahocorasick"])
ALL = pytest.mark.parametrize("engine", ["hyperscan", "ahocorasick", "plain"])

# Few letters, so that literals contain, repeat and overlap each other; and bytes that mean something elsewhere.
LETTERS = st.sampled_from(
    [b"a", b"a", b"b", b"A", b"\0", b"\n", b"\xff", b"\xc3\xa9", b".*", b"(", b"\\", b"$", b"[^", b"{2}"]
)
LITERALS = st.lists(st.lists(LETTERS, min_size=1, max_size=6).map(b"".join), max_size=12)
DATA = st.lists(LETTERS, max_size=60).map(b"".join)


@FAST
@given(LITERALS, DATA)
@example([b"abab", b"ab", b"b", b"ba", b"ab"], b"abababab")
@example([b"a\0b", b"a", b"\0"], b"a\0b ab a")
@example([b".*", b"\\", b"a{2}", b"^a", b"a$", b"[ab]", b"a|b", b"(?i)A"], b"aa ab .* \\ a{2} ^a a$ [ab] a|b (?i)A")
def test_engines_agree(engine: str, literals: list[bytes], data: bytes) -> None:
    assert make_scanner(literals, engine).scan(data) == make_scanner(literals, "plain").scan(data)


@FAST
@given(st.data())
def test_engines_agree_where_literals_are_parts_of_the_data(engine: str, draw: st.DataObject) -> None:
    data = draw.draw(st.binary(min_size=1, max_size=200))
    places = draw.draw(st.lists(st.tuples(st.integers(0, len(data) - 1), st.integers(1, 40)), max_size=20))
    literals = [data[start : start + length] for start, length in places]
    assert make_scanner(literals, engine).scan(data) == make_scanner(literals, "plain").scan(data)


@ALL
def test_hits_are_all_occurrences_by_their_ends(engine: str) -> None:
    scanner = make_scanner([b"loss", b"los", b"nan", b"ss: n", b"loss"], engine)
    assert scanner.scan(b"loss: nan") == [Hit(3, 1), Hit(4, 0), Hit(4, 4), Hit(7, 3), Hit(9, 2)]


@ALL
def test_overlapping_occurrences_of_one_literal_all_count(engine: str) -> None:
    assert make_scanner([b"aa"], engine).scan(b"aaaa") == [(2, 0), (3, 0), (4, 0)]


@ALL
def test_case_matters(engine: str) -> None:
    assert make_scanner([b"NaN"], engine).scan(b"nan NAN NaN") == [(11, 0)]


@ALL
def test_no_literals_and_no_data(engine: str) -> None:
    assert make_scanner([], engine).scan(b"step 1") == []
    assert make_scanner([b"step"], engine).scan(b"") == []


@ALL
def test_a_scanner_can_be_used_again_and_again(engine: str) -> None:
    scanner = make_scanner([b"step"], engine)
    assert [scanner.scan(b"step" * count) for count in (2, 0, 1)] == [[(4, 0), (8, 0)], [], [(4, 0)]]


@ALL
def test_many_hits_of_many_literals(engine: str) -> None:
    literals = [b"rank %d: " % rank for rank in range(300)]
    data = b"".join(b"[rank %d: step]\n" % (rank % 300) for rank in range(30_000))
    hits = make_scanner(literals, engine).scan(data)
    assert [literal for _, literal in hits] == [rank % 300 for rank in range(30_000)]
    assert all(data[:end].endswith(literals[literal]) for end, literal in hits[::997])


@ALL
def test_threads_may_share_a_scanner(engine: str) -> None:
    scanner = make_scanner([b"aa", b"a"], engine)
    chunks = [b"a" * length for length in range(2000, 2064)]
    with ThreadPoolExecutor(4) as pool:
        assert [len(hits) for hits in pool.map(scanner.scan, chunks)] == [2 * len(chunk) - 1 for chunk in chunks]


@ALL
def test_an_empty_literal_is_refused(engine: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        make_scanner([b"a", b""], engine)


@pytest.fixture
def _no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)


def hide(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.usefixtures("_no_choice")
def test_hyperscan_is_preferred_and_aho_corasick_the_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make_scanner([b"a"]), HyperscanScanner)
    hide(monkeypatch, "hyperscan")
    assert isinstance(make_scanner([b"a"]), AhoCorasickScanner)


@pytest.mark.usefixtures("_no_choice")
def test_a_literal_that_hyperscan_refuses_is_left_to_the_fallback() -> None:
    scanner = make_scanner([b"x" * 5000, b"xy"])
    assert isinstance(scanner, AhoCorasickScanner)
    assert scanner.scan(b"x" * 5000 + b"y") == [(5000, 0), (5001, 1)]
    with pytest.raises(ScannerUnavailableError, match=f"{ENGINE_VARIABLE}=ahocorasick"):
        make_scanner([b"x" * 5000], "hyperscan")


@pytest.mark.usefixtures("_no_choice")
def test_where_nothing_is_installed_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "hyperscan", "ahocorasick_rs")
    with pytest.raises(ScannerUnavailableError, match="pip install ahocorasick_rs"):
        make_scanner([b"a"])


def engines_made(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[bytes]]:
    """For which literals an engine is made from now on."""
    made: list[Sequence[bytes]] = []

    def make(literals: Sequence[bytes]) -> PlainScanner:
        made.append(literals)
        return PlainScanner(literals)

    monkeypatch.setattr(scanner_module, "make_scanner", make)
    return made


@pytest.mark.usefixtures("_no_choice")
def test_little_text_needs_no_engine_and_much_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = engines_made(monkeypatch)
    scanner = scanner_when_wanted([b"nan", b"an"])
    little, much = b"loss nan\n", b"loss nan\n" * 10_000
    assert [scanner.scan(little), made] == [[(8, 0), (8, 1)], []]
    assert [len(scanner.scan(much)), made] == [20_000, [[b"nan", b"an"]]]
    assert [scanner.scan(little), made] == [[(8, 0), (8, 1)], [[b"nan", b"an"]]]


@pytest.mark.usefixtures("_no_choice")
def test_many_short_texts_get_an_engine_too(monkeypatch: pytest.MonkeyPatch) -> None:
    made = engines_made(monkeypatch)
    scanner = scanner_when_wanted([b"nan"])
    for _ in range(1_000):
        assert scanner.scan(b"nan") == [(3, 0)]
    assert made == [[b"nan"]]


def test_a_named_engine_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(scanner_when_wanted([b"a"], "ahocorasick"), AhoCorasickScanner)
    monkeypatch.setenv(ENGINE_VARIABLE, "telescope")
    with pytest.raises(ScannerUnavailableError, match="telescope"):
        scanner_when_wanted([b"a"])


@pytest.mark.usefixtures("_no_choice")
def test_an_empty_literal_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ValueError, match="empty"):
        scanner_when_wanted([b"a", b""])


def test_a_named_engine_is_not_replaced_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "hyperscan")
    with pytest.raises(ScannerUnavailableError, match="pip install hyperscan"):
        make_scanner([b"a"], "hyperscan")


@pytest.mark.parametrize(
    ("name", "kind"), [("hyperscan", HyperscanScanner), ("ahocorasick", AhoCorasickScanner), ("plain", PlainScanner)]
)
def test_the_environment_names_the_engine(monkeypatch: pytest.MonkeyPatch, name: str, kind: type) -> None:
    monkeypatch.setenv(ENGINE_VARIABLE, name)
    assert isinstance(make_scanner([b"a"]), kind)
    assert isinstance(make_scanner([b"a"], "plain"), PlainScanner)


def test_an_unknown_engine_is_refused_with_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENGINE_VARIABLE, "grep")
    with pytest.raises(ScannerUnavailableError, match=r"'grep'.*hyperscan, ahocorasick, plain"):
        make_scanner([b"a"])


def test_no_engine_is_imported_before_one_is_made() -> None:
    code = (
        "import sys, logsleuth.tokenize.scanner as s; s.make_scanner([b'a'], 'plain');"
        "print([name for name in ('hyperscan', 'ahocorasick_rs') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"
