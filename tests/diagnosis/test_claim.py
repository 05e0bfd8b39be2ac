"""What counts as another claim."""

import pytest

from logsleuth.diagnosis.claim import Claim, claim_of, same, words_of
from logsleuth.model.analysis import Since
from tests.diagnosis.live_verdicts import verdict


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("41% of a step is spent waiting", "39.5% of a step is spent waiting"),
        ("ranks 0-2, 4-7 timed out in ALLREDUCE #412 after 600 s", "ranks 0-7 timed out in ALLREDUCE #413 after 601 s"),
        ("rank 3 waits", "ranks 3, 5 waits"),
        ("local rank 3 failed on node-7", "local ranks 3-5 failed on node-7"),
        ("no step for 59 s, where a step took 1.5 s", "no step for 1 min 2 s, where a step took 1.5 s"),
        ("no step for 119 s before", "no step for 1 h 30 min before"),
        ("it grows by 1.20 MiB a step; it stands at 900 KiB", "it grows by 2 bytes a step; it stands at 1.50 GiB"),
        ("seen at 11:50:00.123 last", "seen at 2026-03-04T11:51:07Z last"),
        ("7 of 1,024 ranks", "1,001 of 1,024 ranks"),
        ("the loss is 1.5e-3 now.", "the loss is -2e+10 now."),
        ("it said a, b (+3)", "it said a, b (+4)"),
        ("it said a, b in time", "it said a, b (+1) in time"),
        ("100 ms", "0.5 s"),
    ],
)
def test_numbers_that_go_on_make_no_other_claim(early: str, late: str) -> None:
    assert words_of(early) == words_of(late)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPU 3 fell off the bus", "GPU 4 fell off the bus"),
        ("GPUs 0-3 of node-7", "GPUs 0-4 of node-7"),
        ("process 4711 ended", "process 4712 ended"),
        ("it ended with status 1", "it ended with status 137"),
        ("node-7 is gone", "node-8 is gone"),
        ("10.0.0.1:29500 refused", "10.0.0.2:29500 refused"),
        ("nothing listens at host:29500", "nothing listens at host:29501"),
        ("/data/shard_001.tar is damaged", "/data/shard_002.tar is damaged"),
        ("mlx5_0 lost its link", "mlx5_1 lost its link"),
        ("cuda:1 is full", "cuda:2 is full"),
        ("rank 3 was killed", "rank 3 crashed"),
        ("Xid 79 of 0000:3b:00.0", "Xid 79 of 0000:5e:00.0"),
        ("torch 2.4.1 was built for a newer CUDA", "torch 2.5.1 was built for a newer CUDA"),
    ],
)
def test_names_do(one: str, other: str) -> None:
    assert words_of(one) != words_of(other)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2026-03-04T11:50:00.000", "2026-03-04T11:51:00.000", True),
        ("2026-03-04T11:50:00.000", "2026-03-04T11:51:00.001", False),
        ("2026-12-31T23:59:50", "2027-01-01T00:00:10", True),
        ("--03-04T11:50:00", "2026-03-04T11:50:10", True),
        ("--03-04T11:50:00", "2026-03-05T11:50:10", False),
        ("T23:59:50", "T00:00:20", True),
        ("T11:50:00", "2026-03-04T11:50:30.5", True),
        ("T11:50:00", "T12:50:00", False),
        ("2026-03-04T11:50:00.123456789Z", "2026-03-04T11:50:00.9Z", True),
        ("--02-31T00:00:00", "--03-01T00:00:00", True),
        ("soon", "late", True),
        (None, "2026-03-04T11:50:00", True),
    ],
)
def test_the_time_counts_where_it_is_quite_another(one: str | None, other: str | None, is_same: bool) -> None:
    for first, second in ((one, other), (other, one)):
        assert same(claim_of(verdict(since=first)), claim_of(verdict(since=second))) is is_same


def test_the_latest_moment_counts_before_the_earliest() -> None:
    def claim(earliest: str | None, latest: str | None) -> Claim:
        return claim_of(verdict())._replace(since=Since(earliest, latest, ""))

    assert same(claim("T01:00:00", "T02:00:00"), claim("T00:00:00", "T02:00:10"))
    assert not same(claim("T01:00:00", None), claim("T00:00:00", "T02:00:10"))


def test_a_list_at_the_end_that_grows_makes_no_other_claim() -> None:
    short, long, other = (claim_of(verdict(summary=f"it said {what}")) for what in ("a", "a, b (+1)", "ab"))
    assert same(short, long)
    assert same(long, short)
    assert not same(short, other)


def test_nothing_is_the_same_as_nothing() -> None:
    assert same(None, None)
    assert not same(claim_of(verdict()), None)
