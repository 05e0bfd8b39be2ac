"""``logsleuth rules new``."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.small_jobs import ship

LINE = "[rank5]: mount /srv/data does not answer, waited 95s"


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, beside a small shipped library."""
    return ship(tmp_path, monkeypatch, 'event s.seen "Seen." { line "it was seen" sample "it was seen" }\n')


def test_the_file_passes_and_the_next_commands_are_told(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], work: Path
) -> None:
    assert logsleuth("rules", "new", "site.mount_hung", "--from-line", LINE, "--cause", "filesystem-error") == 0
    captured = capfd.readouterr()
    assert "logsleuth rules test mount_hung.sleuth\n" in captured.out
    assert "logsleuth analyze --rules mount_hung.sleuth LOGS...\n" in captured.out
    assert captured.err == ""
    assert logsleuth("rules", "test", "mount_hung.sleuth") == 0
    assert capfd.readouterr().out == "3 passed, 0 failed\n"
    (work / "train.log").write_text(f"{LINE}\n")
    assert logsleuth("analyze", "--rules", "mount_hung.sleuth", "train.log") == 1
    assert "Rank 5: mount /srv/data does not answer" in capfd.readouterr().out


def test_without_a_line_it_begins_with_an_example(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert logsleuth("rules", "new", "site.x", "--output", "own rules/x.sleuth") == 0
    assert "logsleuth rules test 'own rules/x.sleuth'\n" in capfd.readouterr().out
    assert logsleuth("rules", "test", "own rules/x.sleuth") == 0


def test_a_line_comes_from_standard_input(
    logsleuth: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], work: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{LINE} \xff\nanother\n".encode("latin-1"))))
    assert logsleuth("rules", "new", "site.x", "--from-line", "-") == 0
    assert "Made from the first of 2 lines" in capfd.readouterr().err
    assert "does not answer" in (work / "x.sleuth").read_text()


def test_an_event_that_reads_the_line_is_told(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], work: Path
) -> None:
    assert logsleuth("rules", "new", "site.x", "--from-line", "[rank2]: it was seen") == 0
    assert "The event s.seen reads this line already" in capfd.readouterr().err
    assert "# The event s.seen reads this line already" in (work / "x.sleuth").read_text()


def test_the_cause_may_be_one_of_the_site(logsleuth: Callable[..., int], work: Path) -> None:
    (work / "rules").mkdir()
    (work / "rules/own.sleuth").write_text(
        'cause mount-hung of storage "A mount does not answer."\n'
        'rule my.own "Mine." { severity info cause mount-hung when seen s.seen verdict "x" }\n'
    )
    arguments = ("--from-line", LINE, "--cause", "mount-hung", "--output", "rules/x.sleuth")
    assert logsleuth("rules", "new", "site.x", *arguments) == 0
    told = (work / "rules/x.sleuth").read_text()
    assert "  cause    mount-hung  #" in told
    assert "waited" in told
    assert logsleuth("rules", "test", "rules") == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("mount",), "'mount' is no name of a rule. Write area.name"),
        (("site.a.b",), "'site.a.b' is no name of a rule"),
        (("site.x y",), "'site.x y' is no name of a rule"),
        (("s.seen",), "'s.seen' is declared already, at "),
        (("site.x", "--cause", "kiled"), "there is no cause 'kiled'. Did you mean `killed`?"),
        (("site.x", "--from-line", "  "), "the line is empty"),
        (("site.there",), "'there.sleuth' is there already"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], work: Path, arguments: tuple[str, ...], words: str
) -> None:
    (work / "there.sleuth").write_text("# Mine.\n")
    assert logsleuth("rules", "new", *arguments) == 2
    assert words in capfd.readouterr().err
    assert [(path.name, path.read_text()) for path in work.iterdir()] == [("there.sleuth", "# Mine.\n")]


def test_force_writes_over_a_file_and_the_rule_in_it(logsleuth: Callable[..., int], work: Path) -> None:
    (work / "rules").mkdir()
    assert logsleuth("rules", "new", "site.x", "--output", "rules/x.sleuth") == 0
    assert logsleuth("rules", "new", "site.x", "--output", "rules/x.sleuth", "--from-line", LINE) == 2
    assert logsleuth("rules", "new", "site.x", "--output", "rules/x.sleuth", "--from-line", LINE, "--force") == 0
    assert "does not answer" in (work / "rules/x.sleuth").read_text()
    assert logsleuth("rules", "new", "site.x", "--output", "other.sleuth", "--force") == 2


def test_rules_with_errors_are_told(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], work: Path
) -> None:
    (work / "rules").mkdir()
    (work / "rules/bad.sleuth").write_text("disable s.other\n")
    assert logsleuth("rules", "new", "site.x") == 2
    assert "LS217" in capfd.readouterr().err
    assert not (work / "x.sleuth").exists()
