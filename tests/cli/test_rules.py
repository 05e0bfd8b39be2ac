"""``logsleuth rules``: what it says of the rules of a site."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.small_jobs import ship

SHIPPED = """
event s.seen "It was seen." { line "it was seen" sample "it was seen" }
rule s.one "One." { severity error cause killed let least = 1 when count(s.seen) >= least when seen s.seen verdict "one" }
rule s.two "Two." { severity error cause killed when seen s.seen verdict "two" }
"""


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a site, beside a small shipped library."""
    return ship(tmp_path, monkeypatch, SHIPPED) / "site.sleuth"


def test_the_list_tells_what_a_site_has_made_of_the_rules(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path
) -> None:
    site.write_text("adjust s.one { severity info }\n\ndisable s.two\n")
    assert logsleuth("rules", "list", "--rules", "site.sleuth") == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].split() == ["s.one", "info", "killed", "One.", "(adjusted:", "site.sleuth:1)"]
    assert lines[1:] == ["1 rules, 1 events", "disabled: s.two (site.sleuth:3)"]


def test_the_list_of_the_shipped_rules_tells_of_none(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert logsleuth("rules", "list") == 0
    out = capfd.readouterr().out
    assert "adjusted" not in out
    assert out.endswith("2 rules, 1 events\n")


def test_a_check_counts_adjusted_rules(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path
) -> None:
    site.write_text("adjust s.one { severity info }\nadjust s.one { let least = 2 }\ndisable s.two\n")
    assert logsleuth("rules", "check", "site.sleuth") == 0
    assert capfd.readouterr().out == "0 rules and 0 events in 1 file; 2 rules adjusted or disabled: no errors\n"


def test_a_wrong_adjustment_is_an_error(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path
) -> None:
    site.write_text("adjust s.one { let leest = 2 }\n")
    assert logsleuth("rules", "list", "--rules", "site.sleuth") == 2
    told = capfd.readouterr().err.splitlines()
    assert told[0] == "site.sleuth:1:20: LS219: the let 'leest' of 's.one' is not there"
    assert told[-3].strip() == "Did you mean `least`? It has least."
    assert told[-1] == "`logsleuth explain LS219` says more."


@pytest.mark.parametrize(
    ("text", "status", "summary"),
    [
        ('event x.y "It." { line "it came" sample "it came" }\n', 0, "0 rules and 1 event in 1 file: no errors\n"),
        (
            'rule x.z "It." { severity error cause killed let idle = 1 when seen s.seen verdict "z" }\n', 1,
            "1 rule and 0 events in 1 file: no errors, 1 warning\n",
        ),
        ('rule x.z "It." { severity error cause killed let idle = 1 when seen s.sen verdict "z" }\n', 2, ""),
    ],
)  # fmt: skip
def test_a_check_tells_warnings_and_errors_apart(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path, text: str, status: int, summary: str
) -> None:
    site.write_text(text)
    assert logsleuth("rules", "check", "site.sleuth") == status
    told = capfd.readouterr()
    assert told.out == summary
    assert ("warning LS233: nothing reads the let 'idle'" in told.err) is (status == 1)
    assert ("LS201" in told.err) is (status == 2)


def test_a_check_tells_samples_that_fail(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path
) -> None:
    site.write_text('event x.y "It." {\n  line "it came"\n  sample "it went"\n}\n')
    assert logsleuth("rules", "check", "site.sleuth") == 1
    told = capfd.readouterr()
    assert told.err.startswith("site.sleuth:3: sample of x.y\n  LS301: ")
    assert told.out == "0 rules and 1 event in 1 file: no errors, 1 sample not as it says\n"


def test_warnings_stop_nothing(logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], site: Path) -> None:
    site.write_text('rule x.z "It." { severity error cause killed let idle = 1 when count(s.seen) < 0 verdict "z" }\n')
    assert logsleuth("rules", "list", "--rules", "site.sleuth") == 0
    assert "warning" not in capfd.readouterr().err
