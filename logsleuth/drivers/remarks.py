"""What does it mean for an answer that something was found, or was not?"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from logsleuth.model.inventory import FoundJob, FoundSource, Inventory, Remark
from logsleuth.model.ranks import format_ranks


def remarks(inventory: Inventory) -> Inventory:
    """The inventory with what follows from it."""
    sources = [source for source in inventory.sources if source.copy_of is None and source.lines]
    found = [*_of_reading(inventory), *_of_writers(sources), *_of_times(sources)]
    for one in inventory.jobs:
        named = f" of job {one.job.id}" if len(inventory.jobs) > 1 else ""
        found += _of_job(one, named, sources)
    return replace(inventory, remarks=tuple(found))


def _of_reading(inventory: Inventory) -> Iterator[Remark]:
    if unread := tuple(one.path for one in inventory.unread if one.problem.fatal):
        yield Remark("could not be read: what happened may stand just there", unread)
    cut = tuple(s.source for s in inventory.sources if any(p.text.startswith("Reading stopped") for p in s.problems))
    if cut:
        yield Remark("could be read only up to some place: how it ended is not known from there", cut)
    if empty := tuple(source.source for source in inventory.sources if not source.bytes and not source.problems):
        yield Remark("empty: nothing was written, or it was lost", empty)
    strange = tuple(s.source for s in inventory.sources if s.lines and not s.events and s.copy_of is None)
    if strange:
        yield Remark("no line is of a kind that the rules know: it adds nothing to an answer", strange)


def _of_writers(sources: list[FoundSource]) -> Iterator[Remark]:
    def is_unknown(source: FoundSource) -> bool:
        writers = source.writers
        return not (writers.ranks or writers.local_ranks or writers.tasks) and source.format != "recorder"

    if nameless := _such(sources, lambda source: is_unknown(source) and not source.writers.hosts):
        yield Remark(
            "whose lines these are is not known, so what they tell accuses no rank: where the name of the file tells "
            "the rank, say how (--rank-from)",
            nameless,
        )
    if tasks := _such(sources, lambda source: bool(source.writers.tasks) and not source.writers.ranks):
        yield Remark("the launcher's numbers are not known to be ranks, so they are told as tasks", tasks)
    if local := _such(sources, lambda source: bool(source.writers.local_ranks) and not source.writers.ranks):
        yield Remark("only local ranks are known, so that ranks of several hosts cannot be told apart by them", local)


def _of_times(sources: list[FoundSource]) -> Iterator[Remark]:
    timeless = _such(sources, lambda source: source.has_year is None)
    if sources and len(timeless) == len(sources):
        yield Remark("no line tells a time: what came first is known only within a log, and gaps cannot be seen")
        return
    if timeless:
        yield Remark("no line tells a time: what is in there has no order with the other logs", timeless)
    if yearless := _such(sources, lambda source: source.has_year is False):
        yield Remark("the stamps tell no year: they are taken to lie as near to the others as they can", yearless)
    zoneless = _such(sources, lambda source: source.has_zone is False)
    if zoneless and any(source.has_zone for source in sources):
        yield Remark("the stamps tell no zone, those of other logs do: hours may lie between them", zoneless)


def _of_job(one: FoundJob, named: str, sources: list[FoundSource]) -> Iterator[Remark]:
    job = one.job
    if not job.seen_ranks:
        yield Remark(f"no line{named} names the rank that wrote it: nobody can be blamed by rank")
    elif not job.size_is_stated:
        yield Remark(
            f"no line{named} states how many ranks the job has: ranks above {job.seen_ranks[-1]} that left no log are "
            "not missed"
        )
    if job.silent_ranks:
        ranks = format_ranks(job.silent_ranks)
        noun = "rank" if len(job.silent_ranks) == 1 else "ranks"
        yield Remark(f"no line{named} is known to be from {noun} {ranks}: what only they saw is not known")
    if len(job.hosts) > 1 and len(job.clocks) > 1 and any(clock.uncertainty is None for clock in job.clocks):
        yield Remark(
            f"clocks{named} share too few moments to be compared: what differs by seconds between hosts is in no order"
        )
    if job.attempts > 1 and (open_ := _such(sources, lambda s: job.id in s.jobs and not s.attempts)):
        yield Remark(f"nothing tells to which of the {job.attempts} attempts it belongs", open_)


def _such(sources: list[FoundSource], which: Callable[[FoundSource], bool]) -> tuple[str, ...]:
    return tuple(source.source for source in sources if which(source))
