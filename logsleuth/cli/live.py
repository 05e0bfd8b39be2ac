"""Options of a live job: what is followed from where, who is told, when it ends."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from logsleuth.alerts.address import Address
    from logsleuth.alerts.endpoint import Place
    from logsleuth.model.analysis import Severity
    from logsleuth.tailing.since import Since

_ONLY_LIVE = "{} goes with --follow, which is not given: logs are read once, and nobody is told before the end."

Callback = Callable[[click.Context, click.Parameter, str | None], object]


class Wishes(NamedTuple):
    """What is asked of a following."""

    since: "Since | None"
    """None: from the beginning."""
    state: Path | None
    on_verdict: str | None
    webhook: "Address | None"
    metrics: "Place | None"
    metrics_file: Path | None
    exit_on: "Severity | None"
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
        webhook: "Address | None",
        metrics: "Place | None",
        metrics_file: Path | None,
        exit_on: "Severity | None",
        no_report: bool,
        **others: object,
    ) -> object:
        wishes = Wishes(since, state, on_verdict, webhook, metrics, metrics_file, exit_on, no_report)
        if follow:
            return command(live=wishes, **others)
        _none_of(wishes._asdict())
        return command(live=None, **others)

    return _with(wished, (_FOLLOW, *_WHAT, *_alerts(), _NO_REPORT))


def alert_options(command: Callable[..., object]) -> Callable[..., object]:
    """Who is told, and when it ends, together as the parameter live (``Wishes``)."""

    @wraps(command)
    def wished(
        *,
        on_verdict: str | None,
        webhook: "Address | None",
        metrics: "Place | None",
        metrics_file: Path | None,
        exit_on: "Severity | None",
        **others: object,
    ) -> object:
        return command(live=Wishes(None, None, on_verdict, webhook, metrics, metrics_file, exit_on, True), **others)

    return _with(wished, _alerts())


def passed_on_options(command: Callable[..., object]) -> Callable[..., object]:
    """``--follow`` and the options of ``alert_options``, checked, for another process: as the words of its command
    line, the parameter follower; None without ``--follow``."""

    @wraps(command)
    def wished(
        *,
        follow: bool,
        on_verdict: str | None,
        webhook: str | None,
        metrics: str | None,
        metrics_file: Path | None,
        exit_on: str | None,
        **others: object,
    ) -> object:
        given = {
            "on_verdict": on_verdict,
            "webhook": webhook,
            "metrics": metrics,
            "metrics_file": metrics_file,
            "exit_on": exit_on,
        }
        if follow:
            words = tuple(f"{_spelled(name)}={value}" for name, value in given.items() if value is not None)
            return command(follower=words, **others)
        _none_of(given)
        return command(follower=None, **others)

    return _with(wished, (_FOLLOW, *_alerts(_checked)))


def _with(
    command: Callable[..., object], given: Sequence[Callable[..., Callable[..., object]]]
) -> Callable[..., object]:
    for option in reversed(given):
        command = option(command)
    return command


def _none_of(given: Mapping[str, object]) -> None:
    for name, value in given.items():
        if value:
            raise click.UsageError(_ONLY_LIVE.format(_spelled(name)))


def _spelled(name: str) -> str:
    return "--" + name.replace("_", "-")


def _checked(callback: Callback) -> Callback:
    """Looks whether a value is one, and leaves it as it was written."""

    def as_written(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
        callback(context, option, value)
        return value

    return as_written


def _since(_: click.Context, option: click.Parameter, value: str | None) -> "Since | None":
    if value is None:
        return None
    from logsleuth.tailing.since import Since, SinceError

    try:
        return Since.parse(value)
    except SinceError as error:
        raise click.BadParameter(str(error), param=option) from None


def _webhook(_: click.Context, option: click.Parameter, value: str | None) -> "Address | None":
    if value is None:
        return None
    from logsleuth.alerts.address import AddressError, address

    try:
        return address(value)
    except AddressError as error:
        raise click.BadParameter(str(error), param=option) from None


def _metrics(_: click.Context, option: click.Parameter, value: str | None) -> "Place | None":
    if value is None:
        return None
    from logsleuth.alerts.endpoint import EndpointError, place

    try:
        return place(value)
    except EndpointError as error:
        raise click.BadParameter(str(error), param=option) from None


def _exit_on(_: click.Context, _option: click.Parameter, value: str | None) -> "Severity | None":
    if value is None:
        return None
    from logsleuth.model.analysis import Severity

    return Severity(value)


_FOLLOW = click.option("--follow", is_flag=True, help="Follow a live job, and say what is wrong while it happens.")
_NO_REPORT = click.option("--no-report", is_flag=True, help="End without a report on the whole.")
_WHAT = (
    click.option(
        "--since",
        callback=_since,
        metavar="WHEN",
        help="Follow from the start of the logs (start, the default), from what comes next (now), or from so long "
        "ago (10m, 2h).",
    ),
    click.option(
        "--state",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Keep in FILE what was told, and go on from there when started again.",
    ),
)


def _alerts(
    how: Callable[[Callback], Callback] = lambda callback: callback,
) -> tuple[Callable[..., Callable[..., object]], ...]:
    """Who is told, and when it ends; ``how`` changes what is made of their values."""
    return (
        click.option(
            "--on-verdict",
            metavar="CMD",
            help="Run CMD in a shell for every change of a verdict, with the change as JSON on its standard input.",
        ),
        click.option(
            "--webhook", callback=how(_webhook), metavar="URL", help="Post every change of a verdict as JSON to URL."
        ),
        click.option(
            "--metrics",
            callback=how(_metrics),
            metavar="[HOST:]PORT",
            help="Serve metrics for Prometheus at http://HOST:PORT/metrics; HOST is 127.0.0.1 where none is given.",
        ),
        click.option(
            "--metrics-file",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="Write the metrics into FILE after each judgement, for node_exporter's textfile collector.",
        ),
        click.option(
            "--exit-on",
            callback=how(_exit_on),
            type=click.Choice(["warning", "error", "fatal"]),
            help="End at the first verdict that is as bad as this.",
        ),
    )
