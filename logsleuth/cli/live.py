"""Options of a live job: what is followed from where, who is told, when it ends."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from logsleuth.alerts.address import Address
    from logsleuth.tailing.since import Since

_ONLY_LIVE = "{} goes with --follow, which is not given: logs are read once, and nobody is told before the end."


class Wishes(NamedTuple):
    """What is asked of a following."""

    since: "Since | None"
    """None: from the beginning."""
    state: Path | None
    on_verdict: str | None
    webhook: str | None
    metrics: "Address | None"
    exit_on: str | None
    no_report: bool


def live_options(command: Callable[..., object]) -> Callable[..., object]:
    """``--follow`` and what goes with it, together as the parameter live (``Wishes``; None without ``--follow``)."""

    @wraps(command)
    def wished(
        *,
        follow: bool,
        since: "Since | None",
        state: Path | None,
        on_verdict: str | None,
        webhook: str | None,
        metrics: "Address | None",
        exit_on: str | None,
        no_report: bool,
        **others: object,
    ) -> object:
        wishes = Wishes(since, state, on_verdict, webhook, metrics, exit_on, no_report)
        if follow:
            return command(live=wishes, **others)
        for name, value in wishes._asdict().items():
            if value:
                raise click.UsageError(_ONLY_LIVE.format("--" + name.replace("_", "-")))
        return command(live=None, **others)

    told: Callable[..., object] = wished
    for option in reversed(_OPTIONS):
        told = option(told)
    return told


def _since(_: click.Context, option: click.Parameter, value: str | None) -> "Since | None":
    if value is None:
        return None
    from logsleuth.tailing.since import SinceError, since

    try:
        return since(value)
    except SinceError as error:
        raise click.BadParameter(str(error), param=option) from None


_OPTIONS = (
    click.option(
        "--follow", is_flag=True, help="Follow the logs of a live job, and say what is wrong while it happens."
    ),
    click.option(
        "--since",
        callback=_since,
        metavar="WHEN",
        help="Follow from the start of the logs (start, the default), from what comes from now on (now), or from so long "
        "ago (10m, 2h).",
    ),
    click.option(
        "--state",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Keep in FILE what was told, and go on from there when started again.",
    ),
    click.option(
        "--on-verdict",
        metavar="CMD",
        help="Run CMD in a shell for every change of a verdict, with the change as JSON on its standard input.",
    ),
    click.option("--webhook", metavar="URL", help="Post every change of a verdict as JSON to URL."),
    click.option(
        "--metrics",
        metavar="[HOST:]PORT",
        help="Serve metrics for Prometheus at http://HOST:PORT/metrics; HOST is 127.0.0.1 where none is given.",
    ),
    click.option(
        "--exit-on",
        type=click.Choice(["warning", "error", "fatal"]),
        help="End at the first verdict that is as bad as this.",
    ),
    click.option("--no-report", is_flag=True, help="End without a report on the whole."),
)
