"""``logsleuth rules list``: what it finds, and what it says where there is nothing."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from logsleuth.authoring.listing import lines
from tests.small_jobs import ship

SHIPPED = """
event s.seen "It was seen." { line "it was seen by {who}" sample "it was seen by me" gives who = "me" }
event t.told "It was told." { line "it was told" line "somebody told it" sample "it was told" sample "somebody told it" }
rule s.one "A disk is full." { severity error cause disk-full when seen s.seen verdict "no room is left" remedy "- Make room." }
rule s.two "A rank is slow." { severity warning cause slow-rank when seen s.seen verdict "one is late" }
rule t.three "A rank was killed." { severity error cause killed when seen t.told verdict "it is gone" }
"""


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small shipped library, and a folder to work in."""
    return ship(tmp_path, monkeypatch, SHIPPED) / "site.sleuth"


@pytest.fixture
def listed(logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """The first words of the lines that a list prints."""

    def run(*arguments: str) -> list[str]:
        assert logsleuth("rules", "list", *arguments) == 0
        return [line.split()[0] for line in capfd.readouterr().out.splitlines()]

    return run


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--area", "s"), ["s.one", "s.two"]), (("--severity", "error"), ["s.one", "t.three"]), (("--cause", "killed"), ["t.three"]),
        (("RANK",), ["s.two", "t.three"]), (("rank", "slow"), ["s.two"]), (("a rank is",), ["s.two"]), (("room",), ["s.one"]), (("make room",), ["s.one"]),
        (("disk-full",), ["s.one"]), (("s.",), ["s.one", "s.two"]), (("rank", "--area", "t"), ["t.three"]), (("--events", "--area", "t"), ["t.told"]),
        (("--events", "somebody"), ["t.told"]), (("--events", "by me"), ["s.seen"]), (("--causes", "straggler"), ["slow-rank"]),
    ],
)  # fmt: skip
def test_filters(listed: Callable[..., list[str]], arguments: tuple[str, ...], names: list[str]) -> None:
    *found, _ = listed(*arguments)
    assert found == names


def test_the_last_line_counts(logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    logsleuth("rules", "list", "--area", "s")
    assert capfd.readouterr().out.endswith("2 of 3 rules\n")
    logsleuth("rules", "list", "--events")
    assert capfd.readouterr().out.endswith("2 events\n")


def test_events_are_listed_with_what_they_tell_and_who_reads_them(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    logsleuth("rules", "list", "--events")
    rows = [line.split() for line in capfd.readouterr().out.splitlines()]
    assert rows[0] == ["s.seen", "1", "wording", "2", "rules", "It", "was", "seen.", "[who:word]"]
    assert rows[1] == ["t.told", "2", "wordings", "1", "rule", "It", "was", "told."]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--area", "u"), "there is no area 'u'. Known are s, t."),
        (("--cause", "kiled"), "there is no cause 'kiled'. Did you mean `killed`?"),
        (("--severity", "eror"), "there is no severity 'eror'. Did you mean `error`?"),
        (("--events", "--cause", "killed"), "events have no cause"),
        (("--causes", "--area", "s"), "causes have no area"),
    ],
)
def test_a_filter_that_names_nothing_is_a_mistake(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert logsleuth("rules", "list", *arguments) == 2
    captured = capfd.readouterr()
    assert words in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    "arguments", [("zebra",), ("--events", "zebra"), ("--format", "json", "zebra"), ("--area", "t", "slow")]
)
def test_nothing_found_is_said(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert logsleuth("rules", "list", *arguments) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "fits that" in captured.err


def test_json_tells_rules_and_what_a_site_disables(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path
) -> None:
    site.write_text("disable s.two\nadjust s.one { severity info }\n")
    assert logsleuth("rules", "list", "--format", "json", "--area", "s", "--rules", "site.sleuth") == 0
    told = json.loads(capfd.readouterr().out)
    assert told["disabled"] == {"s.two": "site.sleuth:1"}
    (rule,) = told["rules"]
    assert rule | {"file": "", "line": 0} == {
        "name": "s.one", "severity": "info", "cause": "disk-full", "role": "root", "meaning": "A disk is full.", "file": "", "line": 0,
        "adjusted": ["site.sleuth:2"],
    }  # fmt: skip


def test_a_cause_of_a_site_is_listed_with_its_kind_and_meaning(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path
) -> None:
    site.write_text(
        'cause eyes-lost of hardware "No eyes  are left."\n'
        'rule my.own "Mine." { severity info cause hang alternatives eyes-lost when seen s.seen verdict "x" }\n'
    )
    assert logsleuth("rules", "list", "--causes", "--rules", site.name, "eyes are") == 0
    row, _ = capfd.readouterr().out.splitlines()
    assert row.split(maxsplit=4) == ["eyes-lost", "hardware", "0", "rules", "No eyes are left."]
    assert logsleuth("rules", "list", "--cause", "eyes-lost", "--rules", site.name) == 1


def test_json_tells_events_and_causes(logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    logsleuth("rules", "list", "--events", "--format", "json", "--area", "s")
    (event,) = json.loads(capfd.readouterr().out)["events"]
    assert (event["fields"], event["rules"], event["wordings"]) == ({"who": "word"}, ["s.one", "s.two"], 1)
    logsleuth("rules", "list", "--causes", "--format", "json", "--cause", "killed")
    (cause,) = json.loads(capfd.readouterr().out)["causes"]
    assert (cause["name"], cause["kind"], cause["rules"]) == ("killed", "process", ["t.three"])


def test_columns_fit_where_there_is_a_width() -> None:
    rows = [("a.b", "error", "disk-full", "It is " + "long " * 30), ("a.bcd", "fatal", "killed", "Short.")]
    wide = lines(rows, None)
    assert wide[0].endswith("long")
    assert wide[1] == "a.bcd  fatal  killed     Short."
    fitted = lines(rows, 80)
    assert [len(line) for line in fitted] == [80, len(wide[1])]
    assert fitted[0].endswith("…")
    assert "disk-full" not in lines(rows, 60)[0]
