"""``logsleuth rules trace`` and ``logsleuth analyze --why-not``, as a user calls them."""

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from logsleuth.report import schema
from tests.small_jobs import ship

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema.json"
SHIPPED = """
event s.wait "A loader waits." { line "bucket {name} has not answered for {t:duration}" sample "bucket a has not answered for 9s" }
event s.fall "A rank fell." { line "fell with code {code:int}" sample "fell with code 1" }
event s.link "The kernel saw a link fail." { witness kernel line "link {name} is down" sample "link x is down" }
rule s.slow "A bucket is slow." {
  severity error cause data-loading-slow
  when seen s.wait[t > 60 s] as wait
  culprit wait
  verdict "{wait} waited {wait.t}"
}
rule s.fell "A rank fell." { severity error cause killed when seen s.fall as x culprit x explains s.wait on other ranks verdict "{x} fell" }
rule s.link_down "A link is down." { severity error cause rdma-link-error when seen s.link verdict "a link is down" }
rule s.gone "Gone." { severity error cause hang when seen s.fall verdict "gone" }
"""
LOG = "[rank5]: bucket tokens-v3 has not answered for 20s\n[rank4]: bucket t has not replied\n"

Logsleuth = Callable[..., int]
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a log, beside a small shipped library."""
    work = ship(tmp_path, monkeypatch, SHIPPED)
    monkeypatch.setenv("COLUMNS", "200")
    (work / "job.log").write_text(LOG)
    return work


def test_a_rule_that_did_not_fire_tells_what_came_nearest(logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("rules", "trace", "s.slow", "job.log") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("s.slow (cause: data-loading-slow, ")
    assert lines[1:] == [
        "  A bucket is slow.",
        "  It did not fire.",
        "",
        "  fails: when seen s.wait[t > 60 s] as wait",
        "         - 1 s.wait seen, but none is as asked",
        "         - t = 20 s, asked: > 60 s",
        "           job.log:1  rank 5",
        "             [rank5]: bucket tokens-v3 has not answered for 20s",
    ]


def test_a_rule_that_fired_tells_what_became_of_it(logsleuth: Logsleuth, capsys: Captured, site: Path) -> None:
    (site / "job.log").write_text("[rank5]: bucket a has not answered for 90s\n[rank1]: fell with code 1\n")
    assert logsleuth("rules", "trace", "s.slow", "job.log") == 0
    out = capsys.readouterr().out
    assert "  It fired.\n" in out
    assert "  => explained away (rank 5): s.fell explains it (rank 1)\n     job.log:2  rank 1\n" in out
    assert logsleuth("rules", "trace", "s.fell", "job.log") == 0
    assert "=> told (rank 1): it is the answer" in capsys.readouterr().out


def test_programs_get_the_records(logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("rules", "trace", "s.slow", "job.log", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "logsleuth-trace/1"
    (trace,) = document["traces"]
    assert (trace["rule"], trace["outcome"]) == ("s.slow", "no")
    (clause,) = trace["judged"][0]["clauses"]
    assert (clause["kind"], clause["holds"], clause["asked"]) == ("when", "no", True)
    assert clause["parts"][0]["sought"][0]["misses"][0]["failing"] == ["t = 20 s, asked: > 60 s"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("s.slo", "job.log"), "there is no rule 's.slo'. Did you mean `s.slow`?"),
        (("nowhere", "job.log"), "there is no rule 'nowhere'. `logsleuth rules list` tells all."),
        (("s.gone", "job.log", "--rules", "off.sleuth"), "'s.gone' is disabled at off.sleuth:1."),
        (("s.slow", "missing.log"), "missing.log: There is no such file or folder"),
        (("s.slow", "job.log", "--rules", "bad.sleuth"), "bad.sleuth:1:1: LS10"),
        (("s.slow",), "LOGS"),
    ],
)
def test_what_cannot_be_answered_is_said_in_a_sentence(
    arguments: tuple[str, ...], words: str, logsleuth: Logsleuth, capsys: Captured, site: Path
) -> None:
    (site / "off.sleuth").write_text("disable s.gone\n")
    (site / "bad.sleuth").write_text("nonsense\n")
    assert logsleuth("rules", "trace", *arguments) == 2
    out, err = capsys.readouterr()
    assert (out, words in err) == ("", True), err
    assert "Traceback" not in err


def test_rules_of_a_site_are_traced_with_what_it_made_of_them(
    logsleuth: Logsleuth, capsys: Captured, site: Path
) -> None:
    (site / "own.sleuth").write_text("adjust s.slow { unless seen s.wait }\n")
    (site / "job.log").write_text("[rank5]: bucket a has not answered for 90s\n")
    assert logsleuth("rules", "trace", "s.slow", "job.log", "--rules", "own.sleuth") == 0
    assert "  stops: unless seen s.wait\n" in capsys.readouterr().out


# Why not


def why_not(out: str, cause: str) -> list[str]:
    """The lines of a report's section on a cause."""
    section = out.split(f"\nWhy not {cause}\n")[1]
    return [line.strip() for line in section.split("\nWhy not ")[0].splitlines()]


def test_why_not_tells_what_is_missing_and_what_to_collect(logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("analyze", "job.log", "--why-not", "data-loading-slow", "--why-not", "rdma-link-error") == 0
    out = capsys.readouterr().out
    assert why_not(out, "data-loading-slow") == [
        "s.slow: A bucket is slow",
        "missing: seen s.wait[t > 60 s] as wait: 1 s.wait seen, but none is as asked; t = 20 s, asked: >",
        "60 s",
        "job.log:1  rank 5",
        "[rank5]: bucket tokens-v3 has not answered for 20s",
    ]
    assert why_not(out, "rdma-link-error") == ["No line speaks of: The kernel saw a link fail (s.link_down)."]


def test_what_a_rule_lacks_besides_is_to_be_looked_for_where_it_is_written(
    logsleuth: Logsleuth, capsys: Captured, site: Path
) -> None:
    rule = 'rule o.both "Both." { severity error cause bus-error when seen s.wait when seen s.link when every rank has s.wait verdict "x" }\n'
    (site / "own.sleuth").write_text(rule)
    assert logsleuth("analyze", "job.log", "--rules", "own.sleuth", "--why-not", "bus-error") == 0
    told = why_not(capsys.readouterr().out, "bus-error")
    assert told[1] == "there:   seen s.wait"
    assert told[2].startswith("missing: seen s.link: no line of these logs is s.link")
    assert "collect: the kernel's log (dmesg, journalctl -k)" in told


def test_the_answer_and_what_it_explains_away_say_so(logsleuth: Logsleuth, capsys: Captured, site: Path) -> None:
    (site / "job.log").write_text("[rank5]: bucket a has not answered for 90s\n[rank1]: fell with code 1\n")
    asked = [word for cause in ("killed", "data-loading-slow", "hang") for word in ("--why-not", cause)]
    assert logsleuth("analyze", "job.log", *asked) == 1
    out = capsys.readouterr().out
    assert why_not(out, "killed")[0] == "It is the answer: s.fell."
    assert why_not(out, "data-loading-slow") == [
        "s.slow fired: A bucket is slow",
        "=> s.fell explains it (rank 1)",
    ]
    assert why_not(out, "hang")[0] == "s.fell, told above, names it as another cause that these logs allow."


def test_a_cause_that_no_rule_gives_is_said_to_be_one(logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("analyze", "job.log", "--why-not", "segfault") == 0
    assert why_not(capsys.readouterr().out, "segfault") == ["No rule gives this cause."]


@pytest.mark.parametrize(
    ("cause", "words"),
    [("gpu-om", "Did you mean `gpu-oom`"), ("xyzzy", "`logsleuth rules list --causes` prints them all.")],
)
def test_an_unknown_cause_is_told_before_anything_is_read(
    cause: str, words: str, logsleuth: Logsleuth, capsys: Captured
) -> None:
    assert logsleuth("analyze", "missing.log", "--why-not", "killed", "--why-not", cause) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"there is no cause '{cause}'. {words}" in err
    assert "missing.log" not in err


def test_the_document_has_the_key_only_when_it_is_asked_for(logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("analyze", "job.log", "--format", "json") == 0
    plain = json.loads(capsys.readouterr().out)
    assert "why_not" not in plain
    assert logsleuth("analyze", "job.log", "--format", "json", "--why-not", "data-loading-slow") == 0
    asked = json.loads(capsys.readouterr().out)
    schema.Document.model_validate(asked, strict=False)
    jsonschema.validate(asked, json.loads(PUBLISHED.read_text(encoding="utf-8")))
    (told,) = asked.pop("why_not")
    assert asked == plain
    assert (told["cause"], told["told"], told["unheard"]) == ("data-loading-slow", [], [])
    assert told["rules"][0]["evidence"][0]["line"] == 1
