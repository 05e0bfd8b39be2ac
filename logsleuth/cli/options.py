"""Options that several commands share."""

import re
from collections.abc import Callable
from typing import TypeVar

import click

RARELY = (200_000, 50, 50)
"""For ``gc.set_threshold``: what is read is kept or dropped, and hardly ever in circles, so that looking for garbage
all the time would cost a tenth."""

Command = TypeVar("Command", bound=Callable[..., object])


def analysis_options(command: Command) -> Command:
    """``--format``, ``--rules`` and ``--no-local-rules``, as the parameters output_format, rules and no_local_rules."""
    for option in (
        click.option("--no-local-rules", is_flag=True, help="Leave the folder ./rules alone."),
        click.option(
            "--rules",
            multiple=True,
            metavar="PATH",
            help="A rule file, or a folder of them, beside the shipped rules and ./rules. May be given again.",
        ),
        click.option(
            "--format",
            "output_format",
            type=click.Choice(["terminal", "json"]),
            default="terminal",
            help="For people (the default) or for programs.",
        ),
    ):
        command = option(command)
    return command


def source_options(command: Command) -> Command:
    """``--rank-from``, as the parameter rank_from: a pattern that is ready to be searched, or None."""
    return click.option(
        "--rank-from",
        callback=_rank_from,
        metavar="REGEX",
        help="Search each log's path for its writer: (?P<rank>\\d+); also local_rank, host, task, attempt.",
    )(command)


def _rank_from(_: click.Context, option: click.Parameter, value: str | None) -> re.Pattern[str] | None:
    if value is None:
        return None
    from logsleuth.ingest.rank_from import RankFromError, compiled

    try:
        return compiled(value)
    except RankFromError as error:
        raise click.BadParameter(str(error), param=option) from None
