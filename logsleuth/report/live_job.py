"""A live job in a few parts of a row: its state, how far it is, how fast it goes, and what its numbers say."""

import math
from collections.abc import Sequence

from logsleuth.model import vitals as v
from logsleuth.model.units import format_bytes, format_duration
from logsleuth.model.vitals import JobVitals, RankVitals
from logsleuth.report import phrasing
from logsleuth.report.live_strip import Row, mark_of
from logsleuth.report.page import Span, Tone

_TONES = {
    v.STARTING: Tone.PLAIN,
    v.TRAINING: Tone.CALM,
    v.SILENT: Tone.CAUTION,
    v.FAILING: Tone.ALARM,
    v.ENDED: Tone.FAINT,
}
_BARS, _PLAIN_BARS = "▁▂▃▄▅▆▇█", "_.-:=+*#"
_NO_NUMBER = "x"
"""Stands in a sparkline for a loss that is no number."""
SPARKS = 16
"""Cells of a sparkline."""


def header(job: JobVitals, passed: float, unicode: bool) -> list[Row]:
    """The parts, what matters most first; ``passed`` is how many seconds ago they were found."""
    parts: list[Row] = [(Span(f"Job {job.job}", Tone.STRONG), Span(" "), Span(job.state, _TONES[job.state]))]
    if job.step is not None:
        of = f" of {job.total:,} ({_share(job.step, job.total)})" if job.total else ""
        parts.append((Span(f"step {job.step:,}{of}"),))
    is_going = job.state in (v.TRAINING, v.FAILING)
    if job.speed and is_going:
        parts.append((Span(_speed(job.speed)),))
    if job.since_step is not None and job.state != v.ENDED:
        parts.append(
            (
                Span(
                    f"last step {age(job.since_step + passed)} ago",
                    Tone.CAUTION if job.state == v.SILENT else Tone.PLAIN,
                ),
            )
        )
    if job.loss is not None:
        parts.append((Span(f"loss {_number(job.loss)} "), Span(spark(job.losses, unicode), Tone.CALM)))
    if job.memory is not None:
        parts.append((Span(f"memory {format_bytes(job.memory)} {job.memory_is}"),))
    if job.speed and job.total and job.step is not None and job.state == v.TRAINING and job.total > job.step:
        parts.append((Span(f"about {_roughly((job.total - job.step) / job.speed)} to go", Tone.FAINT),))
    if job.attempt:
        parts.append((Span(f"attempt {job.attempt}", Tone.FAINT),))
    if job.started:
        parts.append((Span(f"since {phrasing.instant(job.started).partition('.')[0]}", Tone.FAINT),))
    return parts


def in_short(job: JobVitals) -> Row:
    """A job that is not the newest."""
    step = f", step {job.step:,}" if job.step is not None else ""
    told = f"{step}, {phrasing.count(len(job.ranks), 'rank')}" if job.ranks else step
    return Span(f"Job {job.job} "), Span(job.state, _TONES[job.state]), Span(told, Tone.FAINT)


def member(rank: RankVitals, passed: float, unicode: bool) -> Row:
    """``! rank 3 on node-7  step 812  nothing written for 4 min``."""
    told = [f"{rank.name} on {rank.host}" if rank.host else rank.name]
    told += [f"step {rank.step:,}"] if rank.step is not None else []
    told += [f"last line {age(rank.quiet + passed)} ago"] if rank.quiet is not None else []
    return mark_of(rank, unicode), Span(f" {'  '.join(told)}")


def spark(values: Sequence[float], unicode: bool) -> str:
    """The last values as heights between the least and the greatest of them."""
    shown = values[-SPARKS:]
    finite = [value for value in shown if math.isfinite(value)]
    bars = _BARS if unicode else _PLAIN_BARS
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    reach = high - low
    if len(shown) < 2 or not math.isfinite(reach):
        return ""
    return "".join(
        _NO_NUMBER if not math.isfinite(value) else bars[round((value - low) / reach * (len(bars) - 1)) if reach else 0]
        for value in shown
    )


def age(seconds: float) -> str:
    """``12 s``, ``4 min 3 s``, ``3 h 5 min``: whole seconds, as they are counted up."""
    whole = max(int(seconds), 0) if math.isfinite(seconds) else 0
    if whole < 120:
        return f"{whole} s"
    return format_duration(whole) if whole < 172_800 else f"{whole // 86_400} days"


def _roughly(seconds: float) -> str:
    """``2 h 5 min``: what is guessed is not told to the second."""
    return age(seconds if seconds < 120 else round(seconds / 60) * 60)


def _share(step: int, total: int) -> str:
    return f"{min(step / total, 1.0) * 100:.0f}%"


def _speed(speed: float) -> str:
    """``1.43 steps/s``; slow ones as ``12.3 s a step``."""
    return f"{speed:.3g} steps/s" if speed >= 0.5 else f"{format_duration(1 / speed)} a step"


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else str(value)
