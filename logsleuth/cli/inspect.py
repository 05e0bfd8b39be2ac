"""``logsleuth inspect``."""

import sys
from typing import TYPE_CHECKING, TextIO

import click

from logsleuth.cli import exits, options, output, progress

if TYPE_CHECKING:
    from logsleuth.drivers.hints import Hints
    from logsleuth.model.inventory import Inventory


@click.command(short_help="Say what is there, before any rule is asked.")
@click.argument("paths", nargs=-1, metavar="PATH...")
@options.source_options
@options.analysis_options(*options.FORMATS)
@progress.option
def inspect(
    paths: tuple[str, ...],
    hints: "Hints",
    output_format: str,
    rules: tuple[str, ...],
    no_local_rules: bool,
    no_progress: bool,
) -> int:
    """Say what is there in the logs at PATH..., before any rule is asked.

    PATHs are files, folders, globs, `-` for standard input. Told are sources, who writes in them, jobs, ranks without
    a line, clocks, gaps, duplicates, and what all that means for an answer. Exit status 0: something was read; 2: the
    command line, the rules or the logs do not allow that.
    """
    if not paths:
        raise click.UsageError(
            "no PATH is given, so there is nothing to read. Name the job's logs, for example:\n"
            "  logsleuth inspect logs/ slurm-4711.out"
        )
    from logsleuth.drivers.inspecting import inspect as inspect_paths
    from logsleuth.tokenize.scanner import ScannerUnavailableError

    try:
        with progress.following(no_progress) as follow:
            inventory = inspect_paths(paths, rules=rules, local_rules=not no_local_rules, hints=hints, follow=follow)
    except ScannerUnavailableError as error:
        output.say(str(error))
        return exits.NO_ANSWER
    if inventory.was_anything_read:
        _show(inventory, output_format, sys.stdout)
        return exits.NOTHING_WRONG
    if output_format == "json":
        _show(inventory, output_format, sys.stdout)
    _show(inventory, "terminal", sys.stderr)
    return exits.NO_ANSWER


def _show(inventory: "Inventory", output_format: str, stream: TextIO | None) -> None:
    if stream is None:
        return
    if output_format == "json":
        from logsleuth.report.inventory_document import to_json

        output.emit(to_json(inventory), stream)
    else:
        from logsleuth.report.inventory import render

        output.emit(render(inventory, stream), stream)
