"""``logsleuth rules show``."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logsleuth.language.library import compile_library
from tests.small_jobs import ship

SHIPPED = """# A comment.
event s.seen "It was seen." {
  line "it was seen by {who}"
  sample "[rank1]: it was seen by me" gives who = "me"
}

rule s.one "One sees it." {
  severity error
  cause    killed
  let      least = 1
  when     seen s.seen as it
  when     count(it) >= least
  culprit  it
  verdict  "{it} was seen by {it.who}"
  remedy   "- Look at `ps` of {it} at once."
  see      "https://example.org/seen"
}

wordings of s.seen { line "they saw it" sample "they saw it" }

test "it is seen" { log "[x" \"\"\"[rank1]: it was seen by me\"\"\" expect s.one }
"""


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, beside a small library as an installed wheel has it."""
    work = ship(tmp_path, monkeypatch, SHIPPED)
    (tmp_path / "site" / "library.json").write_bytes(compile_library(tmp_path / "site" / "library"))
    monkeypatch.setenv("COLUMNS", "180")
    return work


@pytest.fixture
def shown(logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*arguments: str) -> str:
        assert logsleuth("rules", "show", *arguments) == 0
        return capfd.readouterr().out

    return run


@pytest.mark.parametrize(
    "words",
    [
        "s.one  rule, ", "s.sleuth:7", "One sees it.", "Severity: error (a failure)", "Cause: killed (SIGKILL with nothing in the logs that says who)",
        "The rank was seen by who.", "    [rank1]: it was seen by me", "1. Look at ps of the rank at once.", "there is s.seen (it)",
        "the number of it is at least least (1)", "Named as the culprit: the rank that it concerns.", "let least = 1", "disable s.one", "https://example.org/seen",
        "it is seen (found)",
    ],
)  # fmt: skip
def test_a_rule_is_told_in_full_in_an_installed_wheel(shown: Callable[..., str], words: str) -> None:
    assert words in shown("s.one")


@pytest.mark.parametrize(
    "words",
    ["s.seen  event, ", "Fields: who (a text).", "Rules that read it: s.one", "it was seen by {who}", "they saw it"],
)
def test_an_event_is_told(shown: Callable[..., str], words: str) -> None:
    assert words in shown("s.seen")


def test_several_are_told_in_their_order(shown: Callable[..., str]) -> None:
    told = shown("s.seen", "s.one", "s.seen")
    assert [line.split("  ")[0] for line in told.splitlines() if ".sleuth:" in line] == ["s.seen", "s.one"]


def test_the_source_is_as_it_is_written(shown: Callable[..., str], work: Path) -> None:
    (work / "site.sleuth").write_text("adjust s.one { let least = 2 }\n")
    told = shown("--source", "s.one", "s.seen", "--rules", "site.sleuth")
    rule = SHIPPED[SHIPPED.index("rule s.one") : SHIPPED.index("\nwordings")]
    assert rule in told
    assert "# site.sleuth:1\nadjust s.one { let least = 2 }\n" in told
    assert 'wordings of s.seen { line "they saw it" sample "they saw it" }\n' in told


def test_a_rule_of_a_site_is_told(shown: Callable[..., str], work: Path) -> None:
    (work / "rules").mkdir()
    (work / "rules/own.sleuth").write_text(
        'rule my.own "Mine." { severity info cause hang when seen s.seen verdict "x" }'
    )
    assert "my.own  rule, rules/own.sleuth:1" in shown("my.own")


def test_what_rules_share_is_shown_as_it_is_written_with_its_users(shown: Callable[..., str], work: Path) -> None:
    (work / "rules").mkdir()
    declared = ["define often(x) = count(x) > 2", "list them = [1, 2]", 'cause eyes-lost of hardware "No eyes."']
    rules = [
        f'rule my.{name} "Mine." {{ severity info cause {cause} when {when} verdict "them often" }}'
        for name, cause, when in (("a", "eyes-lost", "often(s.seen)"), ("b", "hang", "seen s.seen[rank in them]"))
    ]
    (work / "rules/own.sleuth").write_text("\n".join([*declared, *rules]))
    told = shown("often", "them", "eyes-lost").splitlines()
    assert [line for line in told if "rules/own.sleuth:" in line] == [
        "often  definition, rules/own.sleuth:1",
        "them  list, rules/own.sleuth:2",
        "eyes-lost  cause, rules/own.sleuth:3",
    ]
    assert [line.strip() for line in told if line.startswith("    ")] == declared
    assert [line.strip() for line in told if "my." in line] == ["my.a.", "my.b.", "my.a."]
    assert shown("--source", "them") == "# rules/own.sleuth:2\nlist them = [1, 2]\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("s.on",), "there is no rule or event 's.on'. Did you mean `s.one`"),
        (("s.one", "zebra"), "there is no rule or event 'zebra'. `logsleuth rules list zebra` searches for it."),
    ],
)
def test_an_unknown_name_is_a_mistake(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert logsleuth("rules", "show", *arguments) == 2
    captured = capfd.readouterr()
    assert words in captured.err
    assert captured.out == ""


def test_a_disabled_rule_is_said_to_be_so(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], work: Path
) -> None:
    (work / "site.sleuth").write_text("disable s.one\n")
    assert logsleuth("rules", "show", "s.one", "--rules", "site.sleuth") == 2
    assert "the rule 's.one' is disabled, at site.sleuth:1" in capfd.readouterr().err


def test_rules_with_errors_are_told(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], work: Path
) -> None:
    (work / "site.sleuth").write_text("disable s.other\n")
    assert logsleuth("rules", "show", "s.one", "--rules", "site.sleuth") == 2
    assert "LS217" in capfd.readouterr().err
