"""The command that measures runs on a tiny corpus, and writes its tables where they belong."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks.__main__ as command
from benchmarks.corpus import shipped_program, wanted_events, write_even
from benchmarks.dialects import as_grep, as_ripgrep, uncounted, wordings
from benchmarks.measure import measure
from benchmarks.packed import packed, packings
from benchmarks.speed import Effort, compared, rates_table, ratios_table
from benchmarks.tables import Table, numbers, with_measured
from benchmarks.tools import AHO, COUNTED, OURS, Tool, Tools

PAGE = """# Page

<!-- one: measured -->
old
<!-- end of one -->

between

<!-- two: measured -->
old too
<!-- end of two -->
"""


def test_tables_are_written_between_their_markers() -> None:
    table = Table(("corpus", "MB"), (("A", "1"),)).markdown
    written = with_measured(PAGE, {"two": table})
    assert written == PAGE.replace("old too", "\n| corpus | MB |\n| --- | ---: |\n| A | 1 |\n")
    assert with_measured(written, {"two": table}) == written


def test_what_has_no_place_in_the_page_is_an_error() -> None:
    with pytest.raises(ValueError, match="no place for three"):
        with_measured(PAGE, {"three": "x"})


def test_the_page_has_a_place_for_each_part() -> None:
    places = re.findall(r"<!-- ([\w-]+): measured -->", command.DOCUMENT.read_text(encoding="utf-8"))
    names = ["machine", "rates", "ratios", "packed", "jobs", "coldstart", "library", "wide", "memory", "cluster"]
    assert places == names


def test_the_command_writes_what_it_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "performance.md"
    page.write_text(PAGE.replace("one", "machine"), encoding="utf-8")
    monkeypatch.setattr(command, "DOCUMENT", page)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--quick", "--write", "--only", "machine"])
    assert command.main() == 0
    measured = page.read_text(encoding="utf-8")
    assert "- Machine: " in measured
    assert "not measured: " in measured, "no Python with drain3 was named"
    share = re.search(r"library's (\d+) events (\d+) are wanted .*: ([\d,]+) of ([\d,]+) patterns", measured)
    assert share
    assert int(share[1]) == len(shipped_program().events)
    assert "old too" in measured
    assert "- Machine: " in capsys.readouterr().out


def test_an_unknown_part_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--only", "sped"])
    with pytest.raises(SystemExit):
        command.main()
    assert "there is no part sped; the parts are machine, speed, " in capsys.readouterr().err


def test_tools_are_compared_on_what_they_can_read(tmp_path: Path) -> None:
    corpus = write_even(tmp_path / "job-A", 200_000, 0.5, ["[rank3]: RuntimeError: CUDA out of memory."])
    ours = Tool(OURS, "1", lambda files: ["wc", "-c", *(str(file) for folder in files for file in folder.iterdir())])
    fast = Tool(COUNTED, "1", lambda files: ["wc", "-l", *map(str, files)])
    slow = Tool(AHO, "1", lambda files: [sys.executable, "-c", _SLOW, *map(str, files)])
    told: list[str] = []
    found = compared({"job-A": corpus}, Tools(ours, (fast, slow), ()), Effort(1, 0.5, 0.5), tmp_path, told.append)
    rates = found["job-A"].of
    assert rates[OURS] > rates[AHO]
    assert rates_table(found).heads == ("corpus", "MB", "lines from samples", OURS, COUNTED, AHO)
    (row,) = ratios_table(found).rows
    assert row[0] == "job-A"
    assert row[2] == "", "a tool that is not installed has no ratio"
    assert row[4:] == ("2.5", "0.70")
    assert told


_SLOW = """
import sys
for path in sys.argv[1:]:
    for line in open(path, "rb"):
        sum(range(20_000))
"""


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="ended with 3: no way"):
        measure([sys.executable, "-c", "import sys; print('no way', file=sys.stderr); sys.exit(3)"])


@pytest.mark.parametrize("ending", packings())
def test_a_packed_corpus_holds_the_same(tmp_path: Path, ending: str) -> None:
    corpus = write_even(tmp_path / "corpus", 64_000, 0.5, ["wanted"])
    copy = packed(corpus, ending)
    assert sorted(file.name for file in copy.folder.iterdir()) == sorted(
        f"{file.name}.{ending}" for file in corpus.folder.iterdir()
    )
    assert (copy.bytes, copy.lines) == (corpus.bytes, corpus.lines)


def test_every_pattern_is_one_for_others_too(tmp_path: Path) -> None:
    """Whatever a pattern of ripgrep's dialect finds among the samples, its uncounted form and grep's find too."""
    events = wanted_events()
    lines = sorted({line for event in events for sample in event.samples for line in sample.text.splitlines()})
    lines = [line for line in lines if line.isascii()][::5]
    counted = {as_ripgrep(wording) for wording in wordings(events)}
    free = {uncounted(pattern) for pattern in counted}
    assert not any(re.search(r"(?<!\\)\{\d+,\d{3,}\}", pattern) for pattern in free)
    by_counted = _found_by(counted, lines)
    by_free = _found_by(free, lines)
    assert len(by_counted) > 0.5 * len(lines)
    assert by_counted <= by_free
    if not shutil.which("grep"):
        pytest.skip("there is no grep")
    (tmp_path / "lines").write_text("\n".join(lines) + "\n", encoding="ascii")
    (tmp_path / "patterns").write_text("\n".join(map(as_grep, sorted(free))) + "\n", encoding="utf-8")
    asked = ["grep", "-a", "-n", "-E", "-f", str(tmp_path / "patterns"), str(tmp_path / "lines")]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, env={"LC_ALL": "C"})
    by_grep = {int(line.partition(":")[0]) - 1 for line in done.stdout.splitlines()}
    assert done.returncode == 0, done.stderr
    assert {lines[at] for at in by_grep} == by_free


def _found_by(patterns: set[str], lines: list[str]) -> set[str]:
    compiled = [re.compile(pattern.replace("(?-u:", "(?:"), re.ASCII) for pattern in patterns]
    return {line for line in lines if any(pattern.search(line) for pattern in compiled)}


def test_numbers_below_one_have_two_digits() -> None:
    assert numbers((2.0, None, 0.123)) == ("2.0", "", "0.12")
