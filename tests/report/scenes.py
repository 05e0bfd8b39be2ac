"""Live jobs made by hand: one for each thing that the screen must be able to show."""

from dataclasses import replace

from logsleuth.model import vitals as v
from logsleuth.model.analysis import Analysis, Culprits, Input, Problem, Verdict
from logsleuth.model.change import Change, ChangeKind, Standing
from logsleuth.model.snapshot import Snapshot
from logsleuth.model.vitals import JobVitals, RankVitals, Vitals
from logsleuth.report.live_screen import Scene
from tests.report.analyses import data_loading_slow, killed, timeout_symptom

NOW = 1_772_000_000.0
HOSTILE = "\x1b[2J\x1b]0;owned\x07 \u202eevil\u202c \x9b31m\r\n\tnode\u200b 火"


def ranks(number: int, hosts: int, step: int | None = 1234, **states: tuple[int, ...]) -> tuple[RankVitals, ...]:
    """So many ranks on so many hosts; those of a keyword are in its state."""
    of = {rank: state for state, members in states.items() for rank in members}
    return tuple(
        RankVitals(
            f"rank {rank}",
            rank,
            f"node-{rank * hosts // number}" if hosts else None,
            of.get(rank, v.RUNNING),
            None if of.get(rank) == v.UNSEEN else step,
            None if of.get(rank) == v.UNSEEN else 700.0 if of.get(rank) == v.SILENT else 1.5,
        )
        for rank in range(number)
    )


def job(members: tuple[RankVitals, ...], name: str = "4711", state: str = v.TRAINING) -> JobVitals:
    losses = tuple(10.0 / (1 + place) for place in range(20))
    return JobVitals(
        name, 0, state, "2026-03-14T09:00:30.000", 1234, 10_000, 2.2, 1.43, losses[-1], losses, 61.2 * 2**30, "allocated",
        members,
    )  # fmt: skip


def snapshot(*jobs: JobVitals, inputs: tuple[Input, ...] = (), at: float = NOW - 2) -> Snapshot:
    return Snapshot(at, Analysis((), (), inputs), Vitals(jobs, 64, 3 * 2**30, 1_234_567, 45_678))


def standing(*verdicts: Verdict, told: float = 200.0) -> tuple[Standing, ...]:
    return tuple(Standing(f"f{number}", one, NOW - told * number) for number, one in enumerate(verdicts, 1))


def healthy() -> Scene:
    return Scene(NOW, snapshot(job(ranks(16, 2))), pace=1520.4)


def blamed() -> Scene:
    """One rank is blamed, one silent and one without a line."""
    members = ranks(16, 2, blamed=(2,), silent=(9,), unseen=(15,))
    told = standing(killed(), data_loading_slow())
    return Scene(NOW, snapshot(job(members, state=v.FAILING)), told, {"f1": NOW - 4}, pace=0.0)


def thousand() -> Scene:
    """A large job; most of a host has gone silent."""
    members = ranks(1000, 125, blamed=(77,), silent=tuple(range(800, 807)), unseen=(999,))
    return Scene(NOW, snapshot(job(members, state=v.SILENT)), standing(timeout_symptom()), pace=104_000.0)


def crowded() -> Scene:
    """More of everything than any terminal has room for."""
    many = [
        replace(killed(), summary=f"rank {rank} was killed by SIGKILL", culprits=Culprits((rank,)))
        for rank in range(30)
    ]
    inputs = tuple(
        Input(f"logs/rank{number}.log", "text", problems=[Problem("permission denied; it is tried again")])
        for number in range(14)
    )
    members = ranks(64, 8, blamed=tuple(range(30)))
    others = [job(ranks(8, 1), name=str(number), state=v.ENDED) for number in range(4712, 4722)]
    told = standing(*many, data_loading_slow())
    return Scene(NOW, snapshot(job(members, state=v.FAILING), *others, inputs=inputs), told)


def hostile() -> Scene:
    """Logs that would like to own the terminal."""
    members = tuple(rank._replace(host=HOSTILE, name=HOSTILE) for rank in ranks(4, 1, silent=(2,)))
    told = standing(replace(killed(), summary=HOSTILE, rule=HOSTILE, culprits=Culprits(hosts=(HOSTILE,))))
    inputs = (Input(HOSTILE, "text", problems=[Problem(f"{HOSTILE} is no log")]),)
    shown = snapshot(job(members, name=HOSTILE)._replace(loss=float("nan"), losses=(2.0, float("nan"))), inputs=inputs)
    return Scene(NOW, shown, told, troubles=(HOSTILE,))


def nothing_read() -> Scene:
    return Scene(NOW, Snapshot(NOW - 1, Analysis((), (), ()), Vitals((), 3)))


def nothing_judged() -> Scene:
    return Scene(NOW)


def several_jobs() -> Scene:
    """The newest in full, the others in short; the last change was that a verdict was withdrawn."""
    jobs = (job(ranks(8, 1)), job((), "4710", v.ENDED), job(ranks(32, 4), "4709", v.ENDED))
    gone = Change(7, NOW - 6, ChangeKind.WITHDRAWN, "f3", data_loading_slow())
    return Scene(NOW, snapshot(*jobs), gone=gone)


def ended() -> Scene:
    members = ranks(8, 1, ended=(0, 1, 3, 4, 5, 6, 7), blamed=(2,))
    return Scene(NOW, snapshot(job(members, state=v.ENDED)), standing(killed()))


def unnamed() -> Scene:
    """A single log that names nobody and tells no step."""
    process = RankVitals("process 41", None, None, v.RUNNING, None, None)
    bare = JobVitals("job", 1, v.STARTING, None, None, None, None, None, None, (), None, "", (process,))
    return Scene(NOW, snapshot(bare))


SCENES = {
    "healthy": healthy,
    "blamed": blamed,
    "thousand": thousand,
    "crowded": crowded,
    "hostile": hostile,
    "nothing_read": nothing_read,
    "nothing_judged": nothing_judged,
    "several_jobs": several_jobs,
    "ended": ended,
    "unnamed": unnamed,
}
