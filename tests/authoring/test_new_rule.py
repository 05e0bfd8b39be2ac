"""New rules from lines of logs: whatever the line, the file has no error, and its sample and tests pass."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from logsleuth.authoring.format_rules import format_text
from logsleuth.authoring.new_rule import NewRule, new_rule
from logsleuth.language.library import compile_texts
from logsleuth.testing.runner import run_test
from logsleuth.testing.samples import check_samples

SHIPPED = """
event s.wait "It waits." { line "store waits for {key}" sample "store waits for k" gives key = "k" }
event s.error "An error." { fallback line "RuntimeError: {what:text}" sample "RuntimeError: x" }
event s.assert "A check failed." { line "{...}a check of the kernel failed" sample "a check of the kernel failed" }
rule s.found "Found." {
  severity fatal cause device-side-assert
  when some rank has s.assert as it
  unless seen s.wait
  culprit it
  verdict "found"
}
"""
SHIPPED += """
event s.step "A step." { line "step {n:int} loss {loss:float}" series loss at n sample "step 5 loss 2.5" }
event s.pick "Picky." { line "a picky thing went wrong" sample "a picky thing went wrong" }
rule s.picky "Picky." {
  severity fatal cause killed
  when some rank has s.pick as it
  when count(it) >= 1
  when count(ranks) >= 1
  when no s.wait
  when no s.error
  culprit it
  verdict "picky"
}
"""
TEXTS = {"shipped": SHIPPED}


def made(line: str, cause: str = "cause-not-in-log") -> NewRule:
    return new_rule("site.trouble", cause, line, TEXTS, compile_texts(TEXTS))


def failures(new: NewRule) -> list[str]:
    """What is wrong with the file beside the shipped rules."""
    program = compile_texts({**TEXTS, "new": new.text})
    tests = [test for test in program.tests if test.at.file == "new"]
    assert len(tests) == 2
    assert "site.trouble" in program.rules
    assert format_text("new", new.text) == (new.text, [])
    results = [*check_samples(program), *(run_test(test, program) for test in tests)]
    return [result.failure for result in results if result.failure]


def template(line: str) -> str:
    """The template of the event that is made of a line."""
    text = made(line).text
    return next(row.strip() for row in text.splitlines() if row.startswith("  line ")).removeprefix('line "')[:-1]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=120))
@example("\x1b[31mERROR\x1b[0m it \"failed\" `x` '{a}' \\ 100%\\n")
@example('a """quoted""" end"')
@example("{{}} }{ {x:int} {...}")
@example("x" * 10_000)
@example("первый ранг завис на 30s: 中文 é")
@example("3: 4: 5: 6: 7: 8:")
@example("rule x.y { event")
@example("[rank3]:[rank3]:")
@example("local_rank 99999999999999999999 rank -5")
@example("# no comment // 'a' 'b' \"c\" `d`")
@example("12:34:56 12:34:56.789 1.2.3.4 5.6 7e8 0x9 10 11 12 13 14 15 16 17")
def test_any_line_gives_a_file_that_passes(line: str) -> None:
    assert failures(made(line)) == []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.sampled_from(
            ["rank 3", "local_rank: 1", "timeout=600000ms", "10.0.0.7:29500", "12.5 GiB", "93.1%", "0xdeadbeef", "/srv/data/x.bin",
             "'quoted words'", '"q"', "`b`", "{", "}", "\\", '"', "-1", "1e-5", "failed", "[rank2]:", "node-7:", "=", ":", "  ", "\t", "\u00e9"]
        ),
        max_size=12,
    )
)  # fmt: skip
def test_any_mixture_of_what_lines_hold_gives_a_file_that_passes(parts: list[str]) -> None:
    assert failures(made(" ".join(parts))) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("loader: bucket tokens has not answered for 95s", "loader: bucket tokens has not answered for {duration:duration}"),
        ("gave up, timeout=600000ms", "gave up, timeout={timeout:duration}"),
        ("rank 3 lost the mount", "rank {r:int} lost the mount"),
        ("[rank3] lost the mount", "[rank{r:int}] lost the mount"),
        ("of rank3.log and rank3 of it", "of rank3.log and rank{r:int} of it"),
        ("local_rank: 2 lost the mount", "local_rank: {l:int} lost the mount"),
        ("cannot reach 10.0.0.7:29500 now", "cannot reach {address:address} now"),
        ("took 12.5 GiB of it, 93.1%", "took {size:bytes} of it, {share:percent}"),
        ("torch 2.6.0+cu124 beside tokenizers 0.19.1", "torch {version} beside tokenizers {version_2}"),
        ("vocabulary hash=3fa9c0de of it", "vocabulary hash={hash} of it"),
        ("section 1.2 and e4m3 stay", "section {section:float} and e4m3 stay"),
        ("server 'nfs-2' is gone", "server '{server}' is gone"),
        ("state 'not well at all' of it", "state '{state:text}' of it"),
        ("stale handle 0xdeadbeef of it", "stale handle {handle:hex} of it"),
        ("cannot open /srv/data/x.bin today", "cannot open {open} today"),
        ("a {brace} and a \\ and a \"quote", 'a {{brace}} and a \\\\ and a \\"quote'),
        ("node7 and float32 and v3 stay as they are", "node7 and float32 and v3 stay as they are"),
        ("host=7 of it has time=8", "host={host_told:int} of it has time={time_told:int}"),
        ("step 3 step 4 of it", "step {step:int} step {step_2:int} of it"),
        ("2025-03-04 03:12:07,123 - ERROR - the mount is gone", "the mount is gone"),
        ("[rank3]:[E1130 12:00:00.123456789 x.cpp:632] [Rank 3] the mount is gone", "the mount is gone"),
        ("\x1b[31mthe mount\x1b[0m is gone", "the mount is gone"),
        ("RuntimeError: the mount is gone", "the mount is gone"),
        ("KeyError: 'x'", "KeyError: '{name}'"),
    ],
)  # fmt: skip
def test_what_changes_becomes_a_hole_with_a_name(line: str, expected: str) -> None:
    assert template(line) == expected


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gave up, timeout=600000ms", "gives timeout = 600"),
        ("took 2 GiB of the memory", "gives size = 2147483648"),
        ("rank 3 lost the mount", "about rank {r}"),
        ("rank 3 lost the mount", "expect site.trouble culprit rank 3\n"),
        ("[rank3] lost the mount", "about rank {r}"),
        ("[rank3] lost the mount", "expect site.trouble culprit rank 3\n"),
        ("[rank5]: the mount is gone", "expect site.trouble culprit rank 5\n"),
        ("the mount is gone", 'log rank 3 """\nthe mount is gone\n"""\n  expect site.trouble culprit rank 3\n'),
        ("rank 3 lost the mount /srv/data", 'verdict  "{found}: rank {found.r} lost the mount {found.mount}"'),
        ("gave up after timeout=5s", "site.trouble_line[timeout > 60 s]"),
        ("the mount is gone", "expect no site.trouble\n"),
    ],
)  # fmt: skip
def test_the_file_uses_what_the_line_tells(line: str, words: str) -> None:
    assert words in made(line).text


def test_the_cause_is_the_chosen_one() -> None:
    assert "  cause    filesystem-error  #" in made("the mount is gone", "filesystem-error").text


def test_a_line_that_an_event_reads_gives_a_rule_on_that_event() -> None:
    new = made("[rank1]: store waits for k")
    assert "event " not in new.text.partition("\nrule ")[2]
    assert "when     some rank has s.wait as found" in new.text
    assert any("s.wait reads this line already" in note for note in new.notes)
    assert failures(new) == []


def test_numbers_that_the_event_of_a_line_leaves_unread_are_told() -> None:
    line = "[rank1]: step 5 loss 2.5"
    assert not any("does not read" in note for note in made(line).notes)
    assert any("It does not read clock. For that" in note for note in made(f"{line} clock 1410").notes)


def test_a_line_that_a_rule_finds_gives_one_that_asks_for_more() -> None:
    new = made("[rank1]: a check of the kernel failed")
    assert "s.found" in new.text
    assert "severity fatal" in new.text
    assert failures(new) == []


def test_a_line_that_a_finer_rule_finds_is_taken_away_from_it_with_a_warning() -> None:
    new = made("[rank1]: a picky thing went wrong today")
    assert "event site.trouble_line" in new.text
    assert any("takes the line away from s.pick" in note for note in new.notes)
    assert failures(new) == []


def test_an_event_that_gives_way_to_any_other_is_no_event_of_the_line() -> None:
    new = made("RuntimeError: the mount is gone")
    assert "event site.trouble_line" in new.text
    assert new.notes == ()


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("the mount is gone\nso is the other\n", "first of 2 lines"),
        ("y" * 5_000, "1000 characters of it are kept"),
        ("abc", "an example line stands in its place"),
        ("[rank3]:", "an example line stands in its place"),
    ],
)
def test_what_was_done_to_a_line_is_told(line: str, note: str) -> None:
    new = made(line)
    assert any(note in told for told in new.notes)
    assert note in new.text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            '{"ts": "2025-03-04T10:11:12Z", "level": "error", "msg": "shard 17 is gone", "rank": 3}',
            "shard {shard:int} is gone",
        ),
        ("mlx5_core 0000:5e:00.0: reset failed", "mlx5_core {device}: reset failed"),
        ("clock: sm=345MHz power=71.20W at 88C", "clock: sm={sm:float}MHz power={power:float}W at {value:float}C"),
        ("the rate is now 1e-4", "the rate is now {now:float}"),
    ],
)
def test_what_machines_write_changes_where_it_changes(line: str, expected: str) -> None:
    assert template(line) == expected
    assert not failures(made(line))
