"""Tests that stand beside rules."""

from pathlib import Path

import pytest

from logsleuth.language.messages import RulesError
from logsleuth.testing.results import Report
from logsleuth.testing.runner import run_tests
from tests.small_jobs import EVENTS, rule, ship, write

RULES = EVENTS + rule(
    "r.fall",
    "when seen a.fall as x",
    "culprit x",
    "explains a.echo on other ranks",
    severity="fatal",
    verdict="{x} fell",
)
RULES += rule("r.echo", "role symptom", "when seen a.echo as x", "culprit x", cause="peer-exited")
RULES += rule("r.slip", "when seen a.slip as x", "culprit hosts of x", severity="warning", cause="hang")
RULES += rule(
    "r.set",
    "let down = ranks where seen a.exit then no a.fall within 5 min",
    "when seen a.exit",
    "when count(down) >= 1",
    cause="aborted",
)
RULES += rule("r.open", "when seen a.hang", "when some rank has a.slip", cause="terminated")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory beside a shipped library that has no rules."""
    return ship(tmp_path, monkeypatch, "")


def run(work: Path, test: str, only: str = "") -> Report:
    """The report on one rule file with these tests; samples are left out of it."""
    (work / "own.sleuth").write_text(RULES + test)
    report = run_tests(["own.sleuth"], only)
    return Report(tuple(result for result in report.results if not result.name.startswith("sample")))


def failure(work: Path, *clauses: str) -> str:
    (result,) = run(work, 'test "the test" {\n' + "\n".join(clauses) + "\n}").results
    assert result.name == "the test"
    return result.failure


FALL, ECHO = 'log """\n[rank1]: fell with code 1\n"""', 'log """[rank2]: lost sight of 1\n"""'


@pytest.mark.parametrize(
    "clauses",
    [
        (FALL, "expect r.fall"), (FALL, "expect r.fall culprit rank 1"), (FALL, ECHO, "expect r.fall culprit rank 1", "expect no r.echo", "expect cause killed"),
        (ECHO, "expect r.echo culprit rank 2", "expect cause peer-exited", "expect no r.fall"), ('log """hello"""', "expect nothing"),
        ('log """slipped on ice"""', "expect nothing", "expect r.slip culprit nobody", "expect cause hang"), ('log host node-7 """slipped on ice"""', "expect r.slip culprit host node-7"),
        ('log rank 3 """fell with code 1"""', "expect r.fall culprit rank 3"), ('log host b rank 3 """fell with code 1"""', "expect r.fall culprit rank 3"),
        ('log "node-7/rank_4.log" """fell with code 1"""', "expect r.fall culprit rank 4"), ('log """[default1]: fell with code 1"""', "expect r.fall culprit local_rank 1"),
        (FALL, 'log rank 0 """fell with code 1"""', "expect r.fall culprit ranks 0, 1"), ('log """fell with code 1"""', "expect r.fall culprit nobody"),
        ('log """the job has 4 ranks\n[rank0]: gave up waiting after 1 ms"""', "expect nothing"),
        ('log host a rank 0 """fell with code 1"""', 'log host b rank 0 """hello"""', "expect r.fall culprit local_rank 0"),
    ],
)  # fmt: skip
def test_what_is_as_expected_passes(work: Path, clauses: tuple[str, ...]) -> None:
    assert failure(work, *clauses) == ""


HANG = 'log """the job has 4 ranks\n[rank0]: gave up waiting after 1 ms"""'
CAME = "r.fall was decided by\n  log 1, line 1  (rank 1)\n    [rank1]: fell with code 1"
SLIP = "r.slip did not fire:\n  fails: when seen a.slip as x\n    - no line of these logs is a.slip"


@pytest.mark.parametrize(
    ("clauses", "lines"),
    [
        (('log """hello"""', "expect r.fall"), ["expect  r.fall", "got     nothing", "r.fall did not fire:", "  fails: when seen a.fall as x", "    - no line of these logs is a.fall"]),
        (('log """fell down the stairs"""', "expect r.fall"), [
            "expect  r.fall", "got     nothing", "r.fall did not fire:", "  fails: when seen a.fall as x", "    - no line of these logs is a.fall",
            '    - a line comes close: it fits "fell ", then goes on "down the stairs", the wording "with code {code:int}"', "      log 1, line 1", "        fell down the stairs",
        ]),
        ((FALL, "expect r.fall culprit rank 2"), ["expect  r.fall culprit rank 2", "got     r.fall culprit rank 1 (fatal): Rank 1 fell", "r.fall names rank 1, for", "  log 1, line 1  (rank 1)", "    [rank1]: fell with code 1"]),
        ((FALL, "expect nothing"), ["expect  nothing", "got     r.fall culprit rank 1 (fatal): Rank 1 fell", *CAME.splitlines()]),
        ((FALL, "expect no r.fall"), ["expect  no r.fall", "got     r.fall culprit rank 1 (fatal): Rank 1 fell", *CAME.splitlines()]),
        ((FALL, "expect cause hang"), [
            "expect  cause hang", "got     r.fall culprit rank 1 (fatal): Rank 1 fell", "r.fall (cause killed) came first, decided by", "  log 1, line 1  (rank 1)", "    [rank1]: fell with code 1", *SLIP.splitlines(),
        ]),
        (('log """hello"""', "expect cause hang"), ["expect  cause hang", "got     nothing", *SLIP.splitlines()]),
        ((FALL, 'log """[rank2]: slipped on ice"""', "expect cause hang"), [
            "expect  cause hang", "got     r.fall culprit rank 1 (fatal): Rank 1 fell", "        r.slip (warning): It happened", "r.fall (cause killed) came first, decided by", "  log 1, line 1  (rank 1)", "    [rank1]: fell with code 1",
            "r.slip fired: it is told after r.fall: fatal comes before warning",
        ]),
        ((FALL, ECHO, "expect r.echo"), ["expect  r.echo", "got     r.fall culprit rank 1 (fatal): Rank 1 fell", "r.echo fired: r.fall explains it (rank 1)", "  log 1, line 1  (rank 1)", "    [rank1]: fell with code 1"]),
        ((HANG, "expect no r.open"), ["expect  no r.open", "got     open r.open (error): It happened", "r.open is open, and goes by", "  log 1, line 2  (rank 0)", "    [rank0]: gave up waiting after 1 ms"]),
        ((HANG, "expect r.open"), [
            "expect  r.open", "got     open r.open (error): It happened", "r.open is open: it is told as a question", "  open:  when some rank has a.slip", "    - 0 of 4 ranks, 3 without a log (no: rank 0; unknown: ranks 1-3)",
            "    - no line of these logs is a.slip", "    - the logs of ranks 1-3 would decide it",
        ]),
        (('log rank 0 """2025-03-04 10:00:00 saw rank 0 end"""', "expect r.set"), [
            "expect  r.set", "got     open r.set (error): It happened", "r.set is open: it is told as a question",
            "  open:  let down: for rank 0, seen a.exit then no a.fall within 5 min", "    - step 1 of the sequence, a.exit, holds", "      log 1, line 1  (rank 0, 2025-03-04 10:00:00.000)", "        2025-03-04 10:00:00 saw rank 0 end",
            "    - step 2 of the sequence, then no a.fall within 5 min, open: the logs end before 2025-03-04T10:05:00.000", "  open:  when count(down) >= 1", "    - count(down) = 0 to 1",
        ]),
    ],
)  # fmt: skip
def test_what_is_not_as_expected_says_what_came_and_why(work: Path, clauses: tuple[str, ...], lines: list[str]) -> None:
    assert failure(work, *clauses).splitlines() == lines


@pytest.mark.parametrize(
    ("who", "words"),
    [("nobody", "nobody"), ("ranks 1, 2", "ranks 1, 2"), ("host a", "host a"), ("local_rank 1", "local_rank 1")],
)
def test_culprits_are_told_as_a_test_writes_them(work: Path, who: str, words: str) -> None:
    assert failure(work, FALL, f"expect r.fall culprit {who}").startswith(
        f"expect  r.fall culprit {words}\ngot     r.fall culprit rank 1 "
    )


def test_all_failures_of_a_test_are_told(work: Path) -> None:
    blocks = failure(work, FALL, "expect nothing", "expect r.echo", "expect r.fall culprit rank 9").split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == [
        "expect  nothing",
        "expect  r.echo",
        "expect  r.fall culprit rank 9",
    ]


def test_a_failure_is_short(work: Path) -> None:
    many = "".join(f"[rank{rank}]: fell with kode {rank}\n" for rank in range(50))
    assert len(failure(work, f'log """{many}"""', "expect r.fall").splitlines()) <= 16


def test_where_the_logs_are_files_the_command_that_shows_all_is_told(work: Path) -> None:
    (work / "rank_3.log").write_text("slipped on ice\n")
    told = failure(work, 'logs "rank_3.log"', "expect r.fall").splitlines()
    assert told[-1] == "`logsleuth rules trace r.fall rank_3.log --rules own.sleuth` shows all"


# Logs in files


def test_logs_lie_beside_the_rule_file_or_above_it(work: Path) -> None:
    (work / "rules" / "deep").mkdir(parents=True)
    (work / "rules" / "deep" / "here.log").write_text("[rank1]: fell with code 1\n")
    (work / "logs").mkdir()
    (work / "logs" / "rank_3.log").write_text("fell with code 1\n")
    (work / "logs" / "rank_4.log").write_text("lost sight of 3\n")
    tests = 'test "one" { logs "here.log" expect r.fall culprit rank 1 }\ntest "two" { logs "logs" expect r.fall culprit rank 3 }\n'
    (work / "rules" / "deep" / "own.sleuth").write_text(RULES + tests)
    for paths in ((), ("rules",), (str(work / "rules"),)):
        assert [(r.name, r.failure) for r in run_tests(paths).results if not r.name.startswith("sample")] == [
            ("one", ""),
            ("two", ""),
        ]


def test_logs_of_both_kinds_are_one_job(work: Path) -> None:
    (work / "rank_3.log").write_text("lost sight of 1\n")
    assert (
        failure(
            work,
            'logs "rank_3.log"',
            'log rank 1 """fell with code 1"""',
            "expect r.fall culprit rank 1",
            "expect no r.echo",
        )
        == ""
    )


def test_logs_that_are_not_there_are_told(work: Path) -> None:
    assert failure(work, 'logs "missing"', "expect nothing") == "there is no 'missing' beside the rule file or above it"


# What is run


def test_the_name_chooses(work: Path) -> None:
    tests = f'test "alpha" {{ {FALL} expect r.fall }}\ntest "beta" {{ {ECHO} expect r.echo }}\n'
    assert [r.name for r in run(work, tests).results] == ["alpha", "beta"]
    assert [r.name for r in run(work, tests, "alp").results] == ["alpha"]
    assert [r.name for r in run(work, tests, "r.echo").results] == ["beta"]


def test_only_the_files_that_are_named_are_run(work: Path, tmp_path: Path) -> None:
    shipped = 'event s.x { line "shipped line" sample "shipped line" }\n'
    shipped += rule("s.rule", "when seen s.x") + 'test "shipped" { log """shipped line""" expect s.rule }\n'
    (tmp_path / "site" / "library" / "s.sleuth").write_text(shipped)
    assert [r.name for r in run(work, f'test "own" {{ {FALL} expect r.fall expect no s.rule }}\n').results] == ["own"]
    assert [r.name for r in run_tests([]).results] == ["sample of s.x", "shipped"]


def test_shipped_tests_ask_the_shipped_rules_and_a_sites_own_what_it_has_made_of_them(
    work: Path, tmp_path: Path
) -> None:
    shipped = 'event s.x { line "shipped line {n:int}" sample "shipped line 1" }\n'
    shipped += rule("s.rule", "let floor = 5", "when seen s.x[n > floor]") + rule("s.other", "when seen s.x[n == 0]")
    shipped += """test "shipped" { log \"\"\"shipped line 7\"\"\" expect s.rule }
test "other" { log \"\"\"shipped line 0\"\"\" expect s.other }
"""
    (tmp_path / "site" / "library" / "s.sleuth").write_text(shipped)
    (work / "rules").mkdir()
    (work / "rules" / "site.sleuth").write_text("""adjust s.rule { let floor = 9 }
disable s.other
test "adjusted" { log \"\"\"shipped line 7\"\"\" expect no s.rule }
test "still there" { log \"\"\"shipped line 10\"\"\" expect s.rule }
test "gone" { log \"\"\"shipped line 0\"\"\" expect no s.other }
""")
    own = ["adjusted", "still there", "gone"]
    for paths, tests in (((), own), ((str(tmp_path / "site" / "library"), "rules"), ["shipped", "other", *own])):
        report = run_tests(paths)
        assert [r.name for r in report.results if not r.name.startswith("sample")] == tests
        assert not report.failures


def test_rules_with_errors_are_told(work: Path) -> None:
    (work / "own.sleuth").write_text("event a.b { }")
    with pytest.raises(RulesError, match="LS209"):
        run_tests(["own.sleuth"])


def test_the_report_counts(work: Path) -> None:
    report = run(work, f'test "good" {{ {FALL} expect r.fall }}\n\ntest "bad" {{ {FALL} expect nothing }}\n')
    text = report.text().splitlines()
    assert text[0] == f"own.sleuth:{RULES.count(chr(10)) + 5}: bad"
    assert text[1] == "  expect  nothing"
    assert text[-1] == "1 passed, 1 failed"
    assert [r.name for r in report.failures] == ["bad"]


def test_shipped_tests_whose_logs_are_not_installed_are_left_out(tmp_path: Path) -> None:
    shipped = RULES + 'test "t" { logs "fixtures/logs/fall" expect nothing }\n'
    write(tmp_path, {"site/library/s.sleuth": shipped})
    report = run_tests()
    assert report.left_out == 1
    assert report.text().endswith(" failed, 1 left out: their logs are not part of an installation")
    # A checkout has the logs, so one that is missing there is a mistake.
    write(tmp_path, {"site/fixtures/logs/other/x.log": "fell with code 1\n"})
    assert "there is no 'fixtures/logs/fall'" in run_tests().text()
