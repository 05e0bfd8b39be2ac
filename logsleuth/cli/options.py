"""Options that several commands share."""

import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from logsleuth.layouts.said import Said

Command = TypeVar("Command", bound=Callable[..., object])


FORMATS = ("terminal", "json")


def analysis_options(*formats: str) -> Callable[[Command], Command]:
    """``--format``, ``--rules`` and ``--no-local-rules``, as the parameters output_format, rules and no_local_rules."""

    def with_options(command: Command) -> Command:
        return click.option(
            "--format",
            "output_format",
            type=click.Choice(formats),
            default=formats[0],
            help="For people (the default) or for programs.",
        )(rule_options(command))

    return with_options


def rule_options(command: Command) -> Command:
    """``--rules`` and ``--no-local-rules``, as the parameters rules and no_local_rules."""
    for option in (
        click.option("--no-local-rules", is_flag=True, help="Leave the folder ./rules alone."),
        click.option(
            "--rules",
            multiple=True,
            metavar="PATH",
            help="A rule file, or a folder of them, beside the shipped rules and ./rules. May be given again.",
        ),
    ):
        command = option(command)
    return command


def jobs(command: Command) -> Command:
    """``--jobs``, as the parameter jobs; None where it is not given."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Read with up to N processes (default: one for each core that may be used, up to 16). The answer is the "
        "same with any N.",
    )(command)


def source_options(command: Callable[..., object]) -> Callable[..., object]:
    """``--rank-from`` and ``--source-format``, together as the parameter hints (``drivers.hints.Hints``)."""

    @wraps(command)
    def hinted(*, rank_from: re.Pattern[str] | None, source_format: "tuple[Said, ...]", **others: object) -> object:
        from logsleuth.drivers.hints import Hints

        return command(hints=Hints(rank_from, source_format), **others)

    told: Callable[..., object] = hinted
    for option in (
        click.option(
            "--source-format",
            multiple=True,
            callback=_source_format,
            metavar="[GLOB=]NAME",
            help="How records lie in the logs, or in those whose path is like GLOB, where their text does not tell: "
            "lines, docker, cri, json, ... May be given again.",
        ),
        click.option(
            "--rank-from",
            callback=_rank_from,
            metavar="REGEX",
            help="Search each log's path for its writer: (?P<rank>\\d+); also local_rank, host, task, attempt.",
        ),
    ):
        told = option(told)
    return told


def _rank_from(_: click.Context, option: click.Parameter, value: str | None) -> re.Pattern[str] | None:
    if value is None:
        return None
    from logsleuth.ingest.rank_from import RankFromError, compiled

    try:
        return compiled(value)
    except RankFromError as error:
        raise click.BadParameter(str(error), param=option) from None


def _source_format(_: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> "tuple[Said, ...]":
    if not texts:
        return ()
    from logsleuth.layouts.said import SourceFormatError, said

    try:
        return said(texts)
    except SourceFormatError as error:
        raise click.BadParameter(str(error), param=option) from None
