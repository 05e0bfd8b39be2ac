"""``logsleuth analyze``."""

import sys
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, options, output, progress
from logsleuth.cli.engine import engine_options
from logsleuth.cli.live import live_options

if TYPE_CHECKING:
    from logsleuth.cli.live import Wishes
    from logsleuth.drivers.hints import Hints
    from logsleuth.drivers.reading import Follow, Reads
    from logsleuth.model.analysis import Analysis


@click.command(short_help="Say what went wrong.")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option(
    "--why-not",
    "causes",
    multiple=True,
    metavar="CAUSE",
    help="Tell, after the report, why CAUSE is not the answer, and what would have to be there. May be given again.",
)
@options.source_options
@options.analysis_options(*options.FORMATS, "jsonl")
@live_options
@options.jobs
@engine_options
@progress.option
def analyze(
    paths: tuple[str, ...],
    causes: tuple[str, ...],
    hints: "Hints",
    output_format: str,
    rules: tuple[str, ...],
    no_local_rules: bool,
    no_progress: bool,
    jobs: int | None,
    live: "Wishes | None",
    reads: "Reads | None",
) -> int:
    """Say what went wrong in the logs at PATH...: files, folders, globs, `-` for standard input.

    With --follow, say what goes wrong while it happens, until Ctrl-C, SIGTERM or the end of standard input.

    Exit status 0: nothing wrong; 1: a failure was found; 2: the command line, the rules or the logs do not allow an
    answer.
    """
    if not paths:
        raise click.UsageError(
            "no PATH is given, so there is nothing to read. Name the job's logs, for example:\n"
            "  logsleuth analyze logs/ slurm-4711.out\n"
            "  cat train.log | logsleuth analyze -"
        )
    if live is not None:
        if reads is not None:
            raise click.UsageError("--engine dask reads logs that have ended. Leave out it or --follow.")
        if jobs is not None:
            raise click.UsageError("--jobs is for logs that have ended. --follow reads all logs in one process.")
        if causes:
            raise click.UsageError("--why-not asks about logs that have ended. Ask it without --follow.")
        from logsleuth.cli.following import follow as follow_paths

        return follow_paths(paths, hints, output_format, rules, not no_local_rules, live)
    if reads is not None and jobs is not None:
        raise click.UsageError("--jobs is for processes of this machine. A cluster reads with the workers that it has.")
    if output_format == "jsonl":
        raise click.UsageError("--format jsonl is the stream of --follow. Without it there is one document: json.")
    from logsleuth.drivers.batch import analyze as analyze_paths
    from logsleuth.drivers.cores import MOST, usable_cores
    from logsleuth.model.cluster import ClusterError
    from logsleuth.tokenize.scanner import ScannerUnavailableError

    shared_by = min(usable_cores(), MOST) if jobs is None else jobs
    local = not no_local_rules
    try:
        with progress.following(no_progress) as follow:
            if causes:
                analysis = _with_why_not(paths, causes, rules, local, hints, follow, shared_by, reads)
            else:
                analysis = analyze_paths(
                    paths, rules=rules, local_rules=local, hints=hints, follow=follow, jobs=shared_by, reads=reads
                )
    except (ScannerUnavailableError, ClusterError) as error:
        output.say(str(error))
        return exits.NO_ANSWER
    status = output.status_of(analysis)
    if status != exits.NO_ANSWER or output_format == "json":
        output.show(analysis, output_format, sys.stdout)
    if status == exits.NO_ANSWER:
        output.show(analysis, "terminal", sys.stderr)
    return status


def _with_why_not(
    paths: tuple[str, ...],
    causes: tuple[str, ...],
    rules: tuple[str, ...],
    local: bool,
    hints: "Hints",
    follow: "Follow | None",
    jobs: int,
    reads: "Reads | None",
) -> "Analysis":
    """The analysis with the reasons why some causes are not its answer; raises UsageError for a cause that is none."""
    from logsleuth.authoring.vocabulary import no_cause, vocabulary
    from logsleuth.drivers.tracing import ask_why_not
    from logsleuth.language.library import load

    library = load(rules, local)
    known = vocabulary(library.program)
    for cause in causes:
        if cause not in known:
            raise click.UsageError(no_cause(cause, known))
    return ask_why_not(library.program, paths, causes, library.notes, hints, follow, jobs, reads)
