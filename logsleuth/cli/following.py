"""Puts together what follows a live job: what is read, who is told, and how it ends."""

import asyncio
import os
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import click

from logsleuth.cli import exits, output
from logsleuth.cli.live import Wishes

if TYPE_CHECKING:
    from logsleuth.alerts.courier import Courier
    from logsleuth.alerts.endpoint import Endpoint
    from logsleuth.drivers.hints import Hints
    from logsleuth.drivers.live import Live
    from logsleuth.model.analysis import Analysis
    from logsleuth.model.change import Change, Standing
    from logsleuth.model.listener import Listener
    from logsleuth.model.snapshot import Snapshot
    from logsleuth.report.document import Json

PATIENCE = 10.0
"""Seconds for which alerts are still delivered when the following has ended."""


def follow(
    paths: Sequence[str],
    hints: "Hints",
    output_format: str,
    rules: Sequence[str],
    local_rules: bool,
    wishes: Wishes,
) -> int:
    """Follows until it is over; gives the exit status."""
    if os.name != "posix":
        raise click.UsageError("--follow needs a POSIX system. Give the logs without it, as often as you like.")
    from logsleuth.diagnosis.ledger import Ledger
    from logsleuth.diagnosis.ledger_document import LedgerError
    from logsleuth.drivers.following import Following
    from logsleuth.drivers.keeping import kept
    from logsleuth.drivers.live import Live
    from logsleuth.drivers.state_file import StateFileError
    from logsleuth.drivers.watched import watches
    from logsleuth.language.library import load
    from logsleuth.tailing.since import START

    library = load(rules, local_rules)
    try:
        keeper = None if wishes.state is None else kept(wishes.state, library.program, paths)
        ledger = Ledger() if keeper is None else keeper.ledger()
    except (StateFileError, LedgerError) as error:
        output.say(f"{error}")
        return exits.NO_ANSWER
    grown = watches(paths, hints, wishes.since or START, {} if keeper is None else keeper.resume)
    live = Live(Following(library.program, grown, library.notes, keeper=keeper), ledger, wishes.exit_on, keeper)
    endpoint = tell_others(live, wishes, uuid.uuid4().hex if keeper is None else keeper.run)
    live.heed_signals()  # Before anybody is told that it is followed, and may say stop.
    is_resumed = keeper is not None and keeper.is_resumed
    with _screen(output_format, paths, live.standing, is_resumed) as screen:
        live.tell(screen)
        snapshot = asyncio.run(followed(live, endpoint))
    return _report(snapshot.analysis, output_format, wishes.no_report)


async def followed(live: "Live", endpoint: "Endpoint | None") -> "Snapshot":
    """Follows until it is over and everybody was told; gives the last judgement."""
    if endpoint is not None:
        await endpoint.serve()
    patience = PATIENCE
    try:
        return await live.run()
    except KeyboardInterrupt:  # The second Ctrl-C.
        patience = 0.0
        raise
    finally:
        if endpoint is not None:
            await endpoint.close()
        await live.close(patience)


@contextmanager
def _screen(
    output_format: str, paths: Sequence[str], standing: "Sequence[Standing]", is_resumed: bool
) -> "Iterator[Listener]":
    """Where changes are shown as they come: a view on a terminal, else lines. Raises UnwritableError in the end where
    lines that are all that is asked for did not leave."""
    from logsleuth.report.live_terminal import is_for

    stream = _stream(sys.stderr if output_format == "json" else sys.stdout)
    if output_format == "jsonl":
        from logsleuth.report.json_lines import JsonLines

        lines = JsonLines(stream, output.status_of)
        lines.begin(paths, [(one.key, one.verdict) for one in standing], is_resumed=is_resumed)
        yield lines
        output.check(lines.outlet)
    elif output_format == "terminal" and is_for(stream):
        from logsleuth.report.live import LiveView

        with LiveView(stream, standing) as shown:
            yield shown
    else:
        from logsleuth.report.plain_lines import PlainLines

        plain = PlainLines(stream)
        plain.begin(paths, [(one.key, one.verdict) for one in standing], is_resumed=is_resumed)
        yield plain


def _stream(stream: TextIO | None) -> TextIO:
    """The stream; where its descriptor was closed before the start, one that leads nowhere."""
    return open(os.devnull, "w", encoding="utf-8") if stream is None else stream  # noqa: PTH123


def tell_others(live: "Live", wishes: Wishes, run: str) -> "Endpoint | None":
    """Sees to it that changes leave the process; gives where metrics are asked for. ``run`` names the following."""
    return _endpoint(live, wishes, _couriers(live, wishes, run))


def _couriers(live: "Live", wishes: Wishes, run: str) -> "list[Courier]":
    """Who carries changes out of the process."""
    from logsleuth.report.change_document import change_document

    def document(change: "Change", _: "Snapshot") -> "Json":
        return change_document(change)

    couriers: list[Courier] = []
    if wishes.on_verdict is not None:
        from logsleuth.alerts.command import Command

        couriers.append(Command(wishes.on_verdict, document, live.trouble))
    if wishes.webhook is not None:
        from logsleuth.alerts.webhook import Webhook

        couriers.append(Webhook(wishes.webhook, document, live.trouble, run))
    for courier in couriers:
        live.tell(courier)
    return couriers


def _endpoint(live: "Live", wishes: Wishes, couriers: "Sequence[Courier]") -> "Endpoint | None":
    """Where metrics are asked for; its port is taken at once. Those for a file are written by a listener."""
    if wishes.metrics is None and wishes.metrics_file is None:
        return None
    from logsleuth.alerts.endpoint import Endpoint, EndpointError
    from logsleuth.alerts.metrics import Metrics, MetricsFile

    ways = {type(courier).__name__.lower(): courier for courier in couriers}
    standing = {one.key: one.verdict for one in live.standing}
    metrics = Metrics(standing=standing, lag=live.lag, judging=live.judging, alerts=ways)
    live.tell(metrics)
    if wishes.metrics_file is not None:
        live.tell(MetricsFile(wishes.metrics_file, metrics, live.trouble))
    if wishes.metrics is None:
        return None
    try:
        return Endpoint(wishes.metrics, metrics.page)
    except EndpointError as error:
        raise click.UsageError(f"--metrics: {error}") from None


def _report(analysis: "Analysis", output_format: str, is_unwanted: bool) -> int:
    """The report on the whole, as of logs that were read at once; the exit status."""
    status = output.status_of(analysis)
    if status == exits.NO_ANSWER:
        output.show(analysis, "terminal", sys.stderr)
    elif output_format != "jsonl" and not is_unwanted:
        output.show(analysis, output_format, sys.stdout)
    return status
