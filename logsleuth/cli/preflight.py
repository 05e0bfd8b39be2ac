"""``logsleuth preflight``."""

import sys
from pathlib import Path

import click

from logsleuth.cli import exits, options, output


@click.command(short_help="Say what is fine on a node, and what is not.")
@click.option(
    "--from",
    "saved",
    multiple=True,
    metavar="PATH",
    help="Judge outputs that were saved, of one node or of many, instead of asking this node. May be given again.",
)
@options.analysis_options(*options.FORMATS)
def preflight(saved: tuple[str, ...], output_format: str, rules: tuple[str, ...], no_local_rules: bool) -> int:
    """Say of a node, before a job starts on it, what is fine, what is not, and what could not be looked at.

    Runs the tools that are there (nvidia-smi, ibstat, df, ...), each with a time limit; none writes, needs root or puts
    a load on anything. With --from it runs nothing and compares nodes by what was saved of them: a folder or an archive
    of `logsleuth collect` a node, or a folder that holds such.

    Exit status 0: all that could be looked at is fine; 1: something is not; 2: nothing could be looked at, or
    the command line or the rules are wrong.
    """
    from logsleuth.drivers import preflight as driver
    from logsleuth.language.library import load
    from logsleuth.model.preflight import Standing
    from logsleuth.tokenize.scanner import ScannerUnavailableError

    for path in map(Path, saved):
        if str(path) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
            raise click.UsageError(f"{path}: outputs cannot come from a pipe. Save them in a folder, one file a tool.")
    library = load(rules, not no_local_rules)
    try:
        found = driver.of_saved(library, saved) if saved else driver.of_this_node(library)
    except ScannerUnavailableError as error:
        output.say(str(error))
        return exits.NO_ANSWER
    is_seen = found.standing is not Standing.UNSEEN
    if output_format == "json":
        from logsleuth.report.preflight_document import to_json

        output.emit(to_json(found), sys.stdout)
    if output_format != "json" or not is_seen:
        from logsleuth.report.preflight import compose
        from logsleuth.report.terminal import draw

        stream = sys.stdout if is_seen else sys.stderr
        if stream is not None:
            output.emit(draw(compose(found), stream), stream)
    if not is_seen:
        return exits.NO_ANSWER
    return exits.FAILURE_FOUND if found.standing is Standing.NOT_FINE else exits.NOTHING_WRONG
