"""Analyses made by hand: one for each thing that a report must be able to say."""

from dataclasses import replace

from logsleuth.model.analysis import (
    Analysis,
    Confidence,
    Culprits,
    Echo,
    Evidence,
    Input,
    Job,
    Problem,
    Severity,
    Since,
    Span,
    Verdict,
)

AGENT_LINE = (
    "E1130 00:17:47.715000 15827 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -9) "
    "local_rank: 2 (pid: 15877) of binary: /opt/conda/bin/python3"
)
READ_ERROR = (
    "RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:537] Read error [10.1.2.3]:34498: "
    "Connection reset by peer. This is typically caused by a remote worker hanging or bugs in the application."
)


def killed() -> Verdict:
    return Verdict(
        id="v1",
        job="default",
        attempt=0,
        rule="process.killed",
        cause="killed",
        title="A process was killed (SIGKILL) and nothing in these logs says by whom.",
        severity=Severity.FATAL,
        role="root",
        status="firm",
        confidence=Confidence.LIKELY,
        since=Since("--11-30T00:17:34.802000", "--11-30T00:17:47.715000", "stamps around the line"),
        culprits=Culprits(ranks=(2,), hosts=("node-7",)),
        summary="rank 2 was killed by SIGKILL",
        chain=("rank 2 is killed", "its peers lose the connection to it", "the agent ends the others"),
        evidence=(
            Evidence("logs/agent.log", 48, 6120, 2, "node-7", "--11-30T00:17:47.715000", AGENT_LINE),
            Evidence("logs/rank2/stdout.log", 3, 58, 2, "node-7", None, "step 2 | loss 0.0977 | rank 2"),
        ),
        occurrences=2,
        explains=(
            Echo("peer.lost", "A process lost the connection to a peer.", 3, (0, 1, 3)),
            Echo("agent.terminated_worker", "The agent ended a worker because another one failed.", 3, (0, 1, 3)),
        ),
        alternatives=("host-oom", "job-preempted"),
        remedies=(
            "Look whether the kernel or the scheduler killed it for memory: `dmesg -T | grep -i -E 'killed process|oom'` "
            "on node-7, `sacct -j JOB --format=JobID,State,ExitCode,MaxRSS`.",
            "If it was memory: fewer DataLoader workers, no copies of the data set per worker, more memory for the job.",
            "If nobody admits to it, ask who else may end processes on that host.",
        ),
        next_steps=("The kernel's log of node-7 between 00:17:34 and 00:17:47.", "The scheduler's log of this job."),
        see=("https://docs.pytorch.org/docs/stable/elastic/errors.html",),
        unknowns=("who sent the signal: the kernel's and the scheduler's logs are not among these logs",),
    )


def data_loading_slow() -> Verdict:
    return Verdict(
        id="v2",
        job="default",
        attempt=0,
        rule="data.loading_slow",
        cause="data-loading-slow",
        title="Steps wait for data.",
        severity=Severity.WARNING,
        role="root",
        status="firm",
        confidence=Confidence.POSSIBLE,
        since=Since(None, None, "no clock in these logs"),
        culprits=Culprits(ranks=(0, 1, 2, 3)),
        summary="41% of a step is spent waiting for data",
        evidence=(Evidence("logs/rank0/stdout.log", 301, 9000, 0, None, None, "step 300 data 0.41 s total 1.00 s"),),
        occurrences=50,
        remedies=("More workers, pinned memory, a larger prefetch factor.",),
        adjusted=True,
    )


def timeout_symptom() -> Verdict:
    return Verdict(
        id="v1",
        job="default",
        attempt=0,
        rule="collective.timeout",
        cause="collective-timeout",
        title="A collective ran past its timeout.",
        severity=Severity.FATAL,
        role="symptom",
        status="firm",
        confidence=Confidence.CERTAIN,
        since=Since("2026-03-04T11:50:00.123456789Z", "2026-03-04T11:50:00.123456789Z", "stamp of the line"),
        culprits=Culprits(),
        summary="ranks 0-2, 4-7 timed out in ALLREDUCE #412 after 600 s",
        chain=("something holds the ranks up", "they wait in ALLREDUCE", "the watchdog aborts them"),
        evidence=(
            Evidence(
                "slurm-4711.out",
                20417,
                3_201_433,
                0,
                "gpu-a12",
                "2026-03-04T12:00:00.152Z",
                "[rank0]:[E304 12:00:00.152056789 ProcessGroupNCCL.cpp:629] [Rank 0] Watchdog caught collective operation timeout: "
                "WorkNCCL(SeqNum=412, OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600029 milliseconds",
            ),
        ),
        occurrences=7,
        alternatives=("rank-never-entered-collective", "data-loading-slow", "rdma-link-error"),
        remedies=("Do not raise the timeout before the cause is known.",),
        next_steps=(
            "The log of rank 3: it wrote nothing here, and the others wait.",
            "`py-spy dump --pid PID` on every rank while it hangs.",
        ),
        unknowns=("why rank 3 did not arrive: it left no line",),
    )


def refused_checkpoint() -> Verdict:
    return Verdict(
        id="v3",
        job="default",
        attempt=0,
        rule="storage.checkpoint_write_failed",
        cause="checkpoint-save-failed",
        title="A checkpoint could not be written.",
        severity=Severity.ERROR,
        role="root",
        status="firm",
        confidence=Confidence.CERTAIN,
        since=Since("--11-30T00:10:00", None, "stamp of the line"),
        culprits=Culprits(local_ranks=(1,), hosts=("node-7",)),
        summary="the checkpoint of step 200 was not written",
        evidence=(
            Evidence("logs/rank1/stderr.log", 77, 8000, None, "node-7", None, "OSError: [Errno 116] Stale file handle"),
        ),
        occurrences=1,
    )


def restarted() -> Verdict:
    return replace(
        data_loading_slow(),
        id="v4",
        rule="elastic.restarted",
        cause="elastic-restart",
        severity=Severity.INFO,
        confidence=Confidence.CERTAIN,
        culprits=Culprits(),
        summary="the workers were started again once and went on",
        evidence=(),
    )


def job(size: int = 4) -> Job:
    span = Span("--11-30T00:17:30", "--11-30T00:17:48")
    return Job("default", size, True, tuple(range(size)), (), ("node-7",), 1, span)


def log(source: str = "logs/agent.log", lines: int = 62) -> Input:
    return Input(source, "text", lines * 110, lines, min(lines, 9))


def unreadable(source: str, text: str = "permission denied; it was left out") -> Input:
    return Input(source, "text", problems=[Problem(text, fatal=True)])


def root() -> Analysis:
    """One guilty rank, seen by all."""
    return Analysis((killed(),), (job(),), (log(), log("logs/rank2/stdout.log", 3)))


def symptom() -> Analysis:
    """A timeout, and the log of the rank that everybody waited for is missing."""
    seen = (0, 1, 2, 4, 5, 6, 7)
    eight = replace(job(8), seen_ranks=seen, silent_ranks=(3,), hosts=("gpu-a12", "gpu-a13"))
    return Analysis((timeout_symptom(),), (eight,), (log("slurm-4711.out", 22_000),))


def healthy() -> Analysis:
    return Analysis((), (job(),), (log("train.log", 12_345),))


def healthy_with_gaps() -> Analysis:
    """Nothing wrong in what could be read, which is not everything."""
    some = replace(job(8), seen_ranks=(0, 1, 2, 3, 5), silent_ranks=(4, 6, 7), size_is_stated=False)
    torn = replace(
        log("logs/rank1.log.gz", 900),
        format="gzip",
        problems=[Problem("the file ends early; what came before was read")],
    )
    return Analysis((), (some,), (log("logs/rank0.log", 900), torn, unreadable("logs/rank4.log")))


def several() -> Analysis:
    """An answer, a second failure, a warning, a note and an undecided symptom."""
    undecided = replace(timeout_symptom(), id="v5", status="open", confidence=Confidence.POSSIBLE)
    verdicts = (killed(), refused_checkpoint(), data_loading_slow(), restarted(), undecided)
    return Analysis(verdicts, (job(),), (log(), log("logs/rank0/stdout.log", 12_345)))


def warning_only() -> Analysis:
    return Analysis((data_loading_slow(), restarted()), (job(),), (log("train.log", 12_345),))


def note_only() -> Analysis:
    return Analysis((restarted(),), (replace(job(), attempts=2),), (log("train.log", 12_345),))


def undecided() -> Analysis:
    """The logs end before the answer is firm."""
    answer = replace(killed(), status="open", confidence=Confidence.POSSIBLE, explains=(), see=())
    return Analysis((answer,), (job(),), (log(),), ("./rules was left out: --no-local-rules",))


def unreadable_inputs() -> Analysis:
    """A dozen inputs with problems beside a log that could be read."""
    lost = [unreadable(f"logs/rank{rank}/stderr.log") for rank in range(10)]
    lost += [unreadable(f"archive-{number}.tar", f"damaged at byte {number}; it was left out") for number in range(8)]
    torn = replace(log("logs/rank11/stderr.log"), problems=[Problem("2 lines are longer than 16 MiB and were cut")])
    return Analysis((killed(),), (job(),), (torn, log(), *lost))


def nothing_read() -> Analysis:
    return Analysis((), (), (unreadable("logs/rank0.log"), unreadable("missing.log", "no such file; check the name")))


def no_input() -> Analysis:
    return Analysis((), (), ())


def empty_log() -> Analysis:
    return Analysis((), (), (Input("train.log", "text"),))


def foreign_log() -> Analysis:
    """Lines, and none that the rules know."""
    return Analysis(
        (), (Job("default", 0, False, (), (), (), 1, Span(None, None)),), (Input("access.log", "text", 9_000, 120),)
    )


def huge() -> Analysis:
    """Thousands of ranks, hundreds of hosts, more of everything than anybody wants to read."""
    odd = tuple(range(1, 4096, 2))
    hosts = tuple(f"gpu-a{number}" for number in range(512))
    answer = replace(
        killed(),
        culprits=Culprits(ranks=odd, hosts=hosts),
        summary="2,048 ranks were killed by SIGKILL",
        evidence=tuple(
            Evidence(f"logs/rank{r}.log", r, 0, r, f"gpu-a{r // 8}", None, "Killed " + "x" * 1993) for r in odd[:20]
        ),
        occurrences=2048,
        explains=tuple(Echo(f"echo.kind_{number}", "", 1000 + number, odd) for number in range(9)),
        remedies=tuple(f"Step {number} of many." for number in range(1, 13)),
        see=(),
    )
    others = tuple(replace(data_loading_slow(), id=f"v{number}") for number in range(2, 32))
    notes = tuple(replace(restarted(), id=f"v{number}") for number in range(32, 35))
    whole = replace(job(8192), seen_ranks=tuple(range(0, 8192, 2)), silent_ranks=tuple(range(1, 8192, 2)), hosts=hosts)
    return Analysis(
        (answer, *others, *notes), (whole,), tuple(log(f"logs/rank{rank}.log", 70_001) for rank in range(4096))
    )


def hostile() -> Analysis:
    """Text that wants to be an escape sequence, markup, another line or another direction."""
    nasty = "[red]not red[/red] \x1b[31mred\x1b[0m \x1b]0;title\x07 \u202egnp.exe\u202c a\tb\r\nFATAL: forged \x9b2J \udcff \u200b\u2028 :boom: [/]"
    answer = replace(
        killed(),
        rule="site.\x1b[2J",
        title=nasty,
        summary="rank 2 said " + nasty,
        since=Since("\x1b[31m", "--13-99T", "\x1b]8;;https://example.org\x07stamp"),
        culprits=Culprits(ranks=(2,), hosts=("node\x1b[1m-7",)),
        chain=(nasty,),
        evidence=(Evidence("logs/\x1b[31mrank[bold].log", 1, 0, 2, "\x07", "\x1b", nasty),),
        explains=(Echo(nasty, nasty, 1, (1,)),),
        remedies=(nasty,),
        next_steps=(nasty,),
        see=(nasty,),
        unknowns=(nasty,),
    )
    wide = replace(data_loading_slow(), summary="損失が発散しました " * 12 + "é→…")
    return Analysis(
        (answer, wide), (replace(job(), hosts=(nasty,)),), (log("\x1b[5mlog"), unreadable(nasty, nasty)), (nasty,)
    )


def two_jobs() -> Analysis:
    """Two jobs in the same logs, one of them with three attempts."""
    first = replace(killed(), job="4711", attempt=1, see=())
    second = replace(refused_checkpoint(), job="4712")
    jobs = (replace(job(), id="4711", attempts=3, silent_ranks=(3,), seen_ranks=(0, 1, 2)), replace(job(), id="4712"))
    return Analysis((first, second), jobs, (log(), log("b.log")))


CASES = {
    made.__name__: made
    for made in (
        root,
        symptom,
        healthy,
        healthy_with_gaps,
        several,
        warning_only,
        note_only,
        undecided,
        unreadable_inputs,
        nothing_read,
        no_input,
        empty_log,
        foreign_log,
        huge,
        hostile,
        two_jobs,
    )
}
