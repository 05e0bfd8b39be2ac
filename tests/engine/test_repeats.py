"""A console that was kept and the ranks' own logs: what both hold counts once."""

from pathlib import Path

from tests.small_jobs import analysed, rule

FALL = rule("r.fall", "when seen a.fall as x", "culprit x", verdict="{count(x)} fell")
TALK = "".join(f"a line that rank {{rank}} alone has written, number {n}\n" for n in range(8))


def own(rank: int, text: str = "fell with code 1") -> str:
    return TALK.format(rank=rank) + text + "\n"


def labelled(label: str, text: str) -> str:
    return "".join(f"{label}{line}\n" for line in text.splitlines())


def test_a_labelled_console_repeats_the_logs_of_torchrun(tmp_path: Path) -> None:
    console = labelled("[default0]:", own(0)) + labelled("[default1]:", own(1))
    logs = {"console.log": "the job has 2 ranks\n" + console}
    logs |= {f"logs/none_abcd1234/attempt_0/{rank}/stderr.log": own(rank) for rank in (0, 1)}
    (verdict,) = analysed(tmp_path, FALL, logs).verdicts
    assert (verdict.occurrences, verdict.culprits.local_ranks) == (2, (0, 1))


def test_an_unlabelled_console_takes_the_rank_from_the_ranks_own_logs(tmp_path: Path) -> None:
    logs = {"console.log": "the job has 2 ranks\n" + own(0, "all is well") + own(1)}
    logs |= {"rank_0.log": own(0, "all is well"), "rank_1.log": own(1)}
    (verdict,) = analysed(tmp_path, FALL, logs).verdicts
    assert (verdict.occurrences, verdict.culprits.ranks) == (1, (1,))
    assert verdict.evidence[0].source.endswith("rank_1.log")


def test_a_console_with_lines_of_its_own_is_no_copy_of_a_log_with_others(tmp_path: Path) -> None:
    """Rank 1 says the same words; but most of its log does not stand in the console."""
    logs = {"console.log": "the job has 2 ranks\nfell with code 1\n", "rank_1.log": own(1)}
    (verdict,) = analysed(tmp_path, FALL, logs).verdicts
    assert verdict.occurrences == 2


def test_a_log_that_collects_nothing_is_no_copy_without_a_stamp(tmp_path: Path) -> None:
    logs = {"other.log": own(1) + "and more\n", "rank_1.log": own(1)}
    assert analysed(tmp_path, FALL, logs).verdicts[0].occurrences == 2


def test_equal_stamps_prove_a_copy_that_goes_on(tmp_path: Path) -> None:
    lines = [f"2025-03-04 03:12:5{n},12{n} fell with code {n}" for n in range(4)]
    logs = {"a.log": "\n".join(lines[:3]) + "\n", "b.log": "\n".join(lines) + "\n"}
    assert analysed(tmp_path, FALL, logs).verdicts[0].occurrences == 4


def test_one_equal_stamp_of_a_second_proves_nothing(tmp_path: Path) -> None:
    line = "2025-03-04 03:12:55 fell with code 1\n"
    logs = {"a.log": line, "b.log": line + "a last word\n"}
    assert analysed(tmp_path, FALL, logs).verdicts[0].occurrences == 2


def test_the_place_in_the_console_still_orders_what_its_copy_says(tmp_path: Path) -> None:
    rules = rule("r.order", "when seen a.fall as x then a.exit as y", "culprit x")
    console = "the job has 2 ranks\n" + own(1) + "saw rank 1 end\n"
    (alone,) = analysed(tmp_path / "alone", rules, {"console.log": console}).verdicts
    (both,) = analysed(tmp_path / "both", rules, {"console.log": console, "rank_1.log": own(1)}).verdicts
    assert alone.rule == both.rule == "r.order"
    assert both.culprits.ranks == (1,)


def test_a_copy_that_a_stamp_contradicts_is_none(tmp_path: Path) -> None:
    console = "the job has 2 ranks\n" + labelled("[rank1]: 2025-03-04 03:12:55,120 ", own(1))
    other = labelled("2025-03-04 03:40:00,120 ", own(1))
    logs = {"console.log": console, "rank_1.log": other}
    assert analysed(tmp_path, FALL, logs).verdicts[0].occurrences == 2


def test_consoles_of_two_hosts_with_the_same_local_ranks_are_two(tmp_path: Path) -> None:
    console = "the job has 4 ranks\n" + labelled("[default0]:", own(0)) + labelled("[default1]:", own(1))
    logs = {"one.txt": console, "other.txt": console + "the end\n"}
    assert analysed(tmp_path, FALL, logs).verdicts[0].occurrences == 4


def test_the_logs_of_two_launches_may_say_the_same(tmp_path: Path) -> None:
    logs = {f"logs/none_abcd123{n}/attempt_0/0/stderr.log": own(0) for n in (1, 2)}
    assert analysed(tmp_path, FALL, logs).verdicts[0].occurrences == 2
