"""Reads logs on a cluster of dask: workers read, this process puts together what they send.

A worker opens its logs itself and sends back what is kept of them, which is merged as it comes, in any order. Shares of
a worker that dies are read by others. A share that ends one worker after the other is taken apart, so that only the log
is lost that does it.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from logsleuth import __version__
from logsleuth.drivers import uninterrupted
from logsleuth.drivers.errand import Share, UnseenError, asked, read_share
from logsleuth.drivers.read_document import unpacked_reads
from logsleuth.drivers.reading import Read, Reading, put_together, read_source, vocabulary_of
from logsleuth.drivers.shares import shares
from logsleuth.engine.plan import Plan
from logsleuth.engine.plan_document import OtherVersionError
from logsleuth.ingest.elsewhere import elsewhere, unseen
from logsleuth.language.program import Program
from logsleuth.model.cluster import ClusterError
from logsleuth.model.origin import Source

PATIENCE = 30.0
"""Seconds for a scheduler to answer."""
_PATIENT = {"distributed.deploy.lost-worker-timeout": "1 day"}
"""A worker of ours that died is begun anew; dask would give up one that is down again 15 seconds later, for ever."""
_RETRIES = 2
"""Times that a share is tried again where reading it raised."""
_MISSING = "--engine dask reads with the package distributed, which is not installed: pip install 'logsleuth[dask]'"

_GONE = "The scheduler went away, or ended the reading, before it was done. See its log, and start anew."


def read_on_cluster(
    sources: Sequence[Source],
    program: Program,
    plan: Plan,
    *,
    scheduler: str | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Reading:
    """The reading of all sources, as ``drivers.reading.read`` gives it.

    ``scheduler`` is the address of one (``tcp://head:8786``), or the file that it wrote; None starts workers on this
    machine, one for each core, and ends them. ``say`` is told in a sentence what somebody who waits should know. Raises
    ClusterError.
    """
    sent = [(number, there) for number, source in enumerate(sources) if (there := elsewhere(source))]
    ours = sorted(set(range(len(sources))) - {number for number, _ in sent})
    with _connected(scheduler) as client:
        reads = _Cluster(client, sources, program, plan, say).reads(sent, ours)
        reading = put_together(sources, reads)
    return reading._replace(notes=(*reading.notes, *_ours_told([sources[number] for number in ours])))


@contextmanager
def _connected(scheduler: str | None) -> Iterator[Any]:
    """A client of the scheduler, or of one of our own that ends with it."""
    if find_spec("distributed") is None:
        raise ClusterError(_MISSING)
    distributed = import_module("distributed")
    if scheduler is None:
        with (
            import_module("dask.config").set(_PATIENT),
            _local(distributed) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    try:
        address = _address(scheduler)
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ClusterError(
            f"The scheduler at {scheduler} cannot be reached: {_first_line(error)}. Check the address (such as "
            "tcp://head:8786, or the file that dask scheduler --scheduler-file wrote) and the network between."
        ) from None
    with client:
        yield client


def _address(scheduler: str) -> str:
    """The address of a scheduler; raises OSError, ValueError, KeyError or TypeError where it is none."""
    if not scheduler.endswith(".json"):
        address = scheduler
    else:
        try:
            address = str(json.loads(Path(scheduler).read_text(encoding="utf-8"))["address"])
        except (ValueError, KeyError, TypeError):
            raise ValueError("it is no file that a scheduler wrote") from None
    # A client that learns it only when it connects cannot be ended any more.
    core, registry = import_module("distributed.comm.core"), import_module("distributed.comm.registry")
    scheme, place = core.parse_address(address)
    registry.get_backend(scheme).get_address_host_port(place)
    return address


def _local(distributed: Any) -> Any:
    """Workers on this machine. Whoever can reach a scheduler can have it run anything, so ours asks for a certificate
    that only its own processes have."""
    wished = import_module("dask.config").get("distributed.worker.preload")
    preload = [uninterrupted.__name__, *([wished] if isinstance(wished, str) else wished)]
    try:
        return distributed.LocalCluster(
            threads_per_worker=1,
            security=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            preload=preload,
        )
    except ImportError as error:
        raise ClusterError(
            f"--engine dask starts workers with a package that is not installed ({error.name})"
        ) from None
    except OSError as error:
        raise ClusterError(f"No workers could be started on this machine: {_first_line(error)}.") from None


class _Cluster:
    """What is read on one cluster for one analysis."""

    def __init__(
        self,
        client: Any,
        sources: Sequence[Source],
        program: Program,
        plan: Plan,
        say: Callable[[str], None],
    ) -> None:
        self._client, self._sources, self._program, self._plan, self._say = client, sources, program, plan, say
        self._distributed = import_module("distributed")
        self._shares: dict[str, Share] = {}
        """Those that are being read, by the keys of their futures."""
        self._blamed: list[tuple[int, Source]] = []
        """Sources during whose reading workers died that may have read another one, too."""
        self._is_alone = False
        """Whether one of those is all that is being read."""

    def reads(self, sent: Share, ours: Sequence[int]) -> Iterator[Read]:
        """What is read of each source, in the order in which it comes: of those that are ``sent`` by workers, of
        ``ours`` here, meanwhile."""
        self._check_versions()
        asks = self._client.submit(bytes, asked(self._program, self._plan), pure=False)
        begun = [self._begin(share, asks) for share in shares(sent, self._threads())]
        try:
            yield from self._here([(number, self._sources[number]) for number in ours])
            yield from self._gathered(self._distributed.as_completed(begun, loop=self._client.loop), asks)
        except BaseException:
            # Nobody waits for it any more, so workers are to do something else.
            with suppress(Exception):
                self._client.cancel(begun, force=True)
            raise

    def _check_versions(self) -> None:
        """Asks the scheduler, which looks at what it hands on, and the workers that are there whether they can do it;
        workers that come later are asked by each share."""
        told = self._client.get_versions(packages=["logsleuth"])
        if not told["workers"]:
            self._say("the scheduler has no worker yet; waiting for one. Ctrl-C ends that.")
        theirs = {f"The worker at {address}": one for address, one in told["workers"].items()}
        for who, one in {"The scheduler": told["scheduler"], **theirs}.items():
            version = one["packages"]["logsleuth"]
            if version != __version__:
                raise ClusterError(_other_version(f"{who} has {f'logsleuth {version}' if version else 'no logsleuth'}"))

    def _threads(self) -> int:
        return len(self._client.nthreads())

    def _begin(self, share: Share, asks: Any) -> Any:
        future = self._client.submit(read_share, asks, share, pure=False, retries=_RETRIES)
        self._shares[future.key] = share
        return future

    def _here(self, share: Share) -> Iterator[Read]:
        if share:
            vocabulary = vocabulary_of(self._program, self._plan)
            for number, source in share:
                yield read_source(number, source, vocabulary, self._plan)

    def _gathered(self, completed: Any, asks: Any) -> Iterator[Read]:
        while True:
            for future in completed:
                share = self._shares.pop(future.key)
                try:
                    # Waits again where the worker died that had the result; somebody is at it anew.
                    sent = future.result()
                except self._distributed.CancelledError:
                    raise ClusterError(_GONE) from None
                except Exception as error:
                    yield from self._mended(share, error, completed, asks)
                else:
                    yield from unpacked_reads(sent)
                future.release()
            if not self._blamed:
                return
            self._is_alone = True
            completed.add(self._begin([self._blamed.pop()], asks))

    def _mended(self, share: Share, error: BaseException, completed: Any, asks: Any) -> Iterator[Read]:
        """What can be had of a share that could not be read as a whole."""
        match error:
            case OtherVersionError() | ModuleNotFoundError(name="logsleuth"):
                raise ClusterError(_other_version(f"A worker cannot read for this logsleuth: {error}"))
            case UnseenError(args=(path, host)) if any(unseen(source) is None for _, source in share):
                raise ClusterError(
                    f"The worker on {host} does not see {path}, which is there on this machine. Workers read logs by "
                    "themselves: put them on a file system that all machines have under the same path, or give URLs."
                )
        if len(share) > 1:
            for one in share:
                completed.add(self._begin([one], asks))
            return
        if isinstance(error, self._distributed.KilledWorker) and not self._is_alone:
            self._blamed += share
            return
        ((number, _),) = share
        lost = self._sources[number] if isinstance(error, UnseenError) else self._lost(number, error)
        yield from self._here([(number, lost)])

    def _lost(self, number: int, error: BaseException) -> Source:
        """A source that cannot be opened, for what happened to those who read it."""
        if isinstance(error, self._distributed.KilledWorker):
            why = "all workers that read it died, one after the other, perhaps for want of memory; their logs tell more"
        else:
            why = f"workers failed at it ({type(error).__name__}: {_first_line(error)}); please report it"
        source = self._sources[number]
        return source._replace(opener=_Lost(why), pieces=())


class _Lost:
    """Opens nothing, and says why."""

    turn: tuple[int, ...] = ()
    once = False

    def __init__(self, why: str) -> None:
        self._why = why

    def __call__(self) -> Any:
        raise OSError(self._why)


def _ours_told(sources: Sequence[Source]) -> list[str]:
    """What is to be said of sources that no worker read; lines that were made here had been read already."""
    paths = [source.path for source in sources if not source.made]
    if not paths:
        return []
    named = ", ".join(paths[:3]) + (f" and {len(paths) - 3:,} others" if len(paths) > 3 else "")
    return [
        f"Not read by workers but here, because only this process can open {'it' if len(paths) == 1 else 'them'} "
        f"(standard input, pipes, members of archives): {named}."
    ]


def _other_version(what: str) -> str:
    return (
        f"{what}. Install logsleuth {__version__}, as it is here, for the scheduler and all workers; start them anew."
    )


def _first_line(error: BaseException) -> str:
    told = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return (told.strip().splitlines() or [type(error).__name__])[0].rstrip(".")[:300]
