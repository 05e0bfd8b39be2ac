"""``logsleuth dumps``: what is read of flight-recorder dumps."""

import sys

import click

from logsleuth.cli import exits, output


@click.command(name="dumps", short_help="Show what is read of flight-recorder dumps.")
@click.argument("paths", nargs=-1, required=True)
def dumps(paths: tuple[str, ...]) -> int:
    """Show the lines that an analysis makes of the flight-recorder dumps among PATHS.

    Evidence cites them as FILE!entries:LINE. Lines tell how the ranks stand to each other, so all dumps of a job are
    given together.
    """
    from logsleuth.ingest.kinds import RECORDER
    from logsleuth.recorder.discovery import discovered
    from logsleuth.report.printable import printable

    found = discovered(paths)
    told = [source for source in found.sources if source.format == RECORDER]
    for source in told:
        lines = source.made.decode().splitlines()
        text = [source.path, *(f"{number:5}  {line}" for number, line in enumerate(lines, 1))]
        output.emit("".join(f"{printable(line, sys.stdout.encoding)}\n" for line in text), sys.stdout)
    for path, problem in found.problems:
        output.say(f"{path}: {problem.text}")
    if not told:
        output.say("there is no flight-recorder dump among these files that could be read.")
    return exits.NOTHING_WRONG if told else exits.NO_ANSWER
