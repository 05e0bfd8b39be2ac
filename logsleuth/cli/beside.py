"""``logsleuth beside``: the process in which ``logsleuth run --follow`` follows; nobody else has to call it."""

import asyncio
import os
import sys
import uuid
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, options, output
from logsleuth.cli.live import alert_options

if TYPE_CHECKING:
    from logsleuth.cli.live import Wishes
    from logsleuth.model.snapshot import Snapshot

_STDIN = 0
_NICE = 10
"""How far it stands back behind the command."""


@click.command(hidden=True)
@click.argument("paths", nargs=-1, required=True)
@click.option("--leave-out", multiple=True, help="A folder of logs that are not the command's.")
@options.analysis_options(*options.FORMATS)
@alert_options
def beside(
    paths: tuple[str, ...],
    leave_out: tuple[str, ...],
    output_format: str,
    rules: tuple[str, ...],
    no_local_rules: bool,
    live: "Wishes",
) -> int:
    """Follow the logs at PATHS until standard input ends, in plain lines.

    Exit status 0: it ended; 3: at a verdict that is as bad as --exit-on says, with the report on stderr.
    """
    from logsleuth.cli.following import followed, tell_others
    from logsleuth.diagnosis.ledger import Ledger
    from logsleuth.diagnosis.stopping import reaches
    from logsleuth.drivers.following import Following
    from logsleuth.drivers.live import Live
    from logsleuth.drivers.watched import watches
    from logsleuth.language.library import load
    from logsleuth.report.plain_lines import PlainLines

    os.nice(_NICE)
    library = load(rules, not no_local_rules)
    following = Following(library.program, watches(paths, leave_out=leave_out), library.notes)
    job = Live(following, Ledger(), live.exit_on)
    endpoint = tell_others(job, live, uuid.uuid4().hex)
    lines = PlainLines(sys.stdout, prefix="logsleuth: ")
    lines.begin(paths)
    job.tell(lines)

    async def until_the_end() -> "Snapshot":
        # Whoever started us holds the other end, and has it closed however they end.
        asyncio.get_running_loop().add_reader(_STDIN, job.stop)
        return await followed(job, endpoint)

    snapshot = asyncio.run(until_the_end())
    if live.exit_on is None or not reaches((one.verdict for one in job.standing), live.exit_on):
        return exits.NOTHING_WRONG
    output.emit("\n", sys.stderr)
    output.show(snapshot.analysis, output_format, sys.stderr)
    output.emit("\n", sys.stderr)
    return exits.REACHED
