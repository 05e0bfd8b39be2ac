"""``logsleuth explain``: the pages of codes."""

import sys
from collections.abc import Callable

import pytest

from logsleuth.language.code_pages import page, titles

Run = Callable[..., int]


def test_a_code_is_explained_in_any_case(logsleuth: Run, capfd: pytest.CaptureFixture[str]) -> None:
    assert logsleuth("explain", "ls201") == 0
    assert capfd.readouterr().out == page("LS201")


def test_several_codes_are_explained_each_once_in_the_order_given(
    logsleuth: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert logsleuth("explain", "LS202", "LS101", "ls202") == 0
    assert capfd.readouterr().out == f"{page('LS202')}\n{page('LS101')}"


def test_without_a_code_all_are_listed(logsleuth: Run, capfd: pytest.CaptureFixture[str]) -> None:
    assert logsleuth("explain") == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split("  ", 1) for line in lines] == [[code, title] for code, title in titles().items()]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("LS2O1", "there is no code 'LS2O1'. Did you mean LS201?"),
        ("201", "there is no code '201'. Did you mean LS201?"),
        ("ls20", "Did you mean LS201 or LS202 or LS203?"),
        ("LS999", "there is no code 'LS999'. "),
        ("kaputt", "there is no code 'kaputt'. `logsleuth explain` lists all."),
        ("elastic.restarted", "`logsleuth rules show elastic.restarted` says what a rule means."),
    ],
)
def test_what_is_no_code_is_told_in_one_sentence(
    logsleuth: Run, capfd: pytest.CaptureFixture[str], word: str, told: str
) -> None:
    assert logsleuth("explain", word) == 2
    got = capfd.readouterr()
    assert got.out == ""
    assert told in got.err
    assert got.err.count("\n") == 1


def test_a_code_that_is_there_is_explained_beside_one_that_is_not(
    logsleuth: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert logsleuth("explain", "LS999", "LS201") == 2
    assert capfd.readouterr().out == page("LS201")


def test_a_terminal_gets_colours_and_no_marks_of_markdown(
    logsleuth: Run, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    assert logsleuth("explain", "LS201") == 0
    out = capfd.readouterr().out
    assert "\x1b[1m" in out
    assert "```" not in out
    assert "# LS201" not in out
    assert "unknown event" in out
