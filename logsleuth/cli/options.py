"""Options that several commands share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from logsleuth.layouts.said import Said

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


def source_format_option(command: Command) -> Command:
    """``--source-format``, as the parameter source_format: what is said of the layout of logs."""
    return click.option(
        "--source-format",
        multiple=True,
        callback=_source_format,
        metavar="[GLOB=]NAME",
        help="How records lie in the logs, or in those whose path is like GLOB, where their text does not tell: lines, "
        "docker, cri, json, ... May be given again.",
    )(command)


def _source_format(_: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> "tuple[Said, ...]":
    if not texts:
        return ()
    from logsleuth.layouts.said import SourceFormatError, said

    try:
        return said(texts)
    except SourceFormatError as error:
        raise click.BadParameter(str(error), param=option) from None
