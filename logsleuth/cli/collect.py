"""``logsleuth collect``."""

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, output

if TYPE_CHECKING:
    from logsleuth.collecting.collect import Collected
    from logsleuth.drivers.redacting import Redacted

MOST_TOLD = 8


@click.command(short_help="Gather logs and state of a node in one archive.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "-o", "--output", "archive", metavar="FILE", help="The archive; else logsleuth-HOST.tar.gz in this folder."
)
@click.option("--no-probes", is_flag=True, help="Only the logs; ask this node nothing.")
@click.option(
    "--max-size",
    default="64MiB",
    show_default=True,
    metavar="SIZE",
    help="Of a larger file its start and its end are kept, with a line between them that says so.",
)
@click.option(
    "--redact",
    is_flag=True,
    help="Put other names in place of hosts, users, paths and addresses, everywhere the same, and take out keys and "
    "passwords. The archive is analysed before and after, and what is other is told.",
)
def collect(paths: tuple[str, ...], archive: str | None, no_probes: bool, max_size: str, redact: bool) -> int:
    """Gather what this node tells, and the logs at PATH..., into one archive to read or send elsewhere.

    The outputs are those of `logsleuth preflight`; values of variables that may be secret are not among them.
    `analyze`, `inspect` and `preflight --from` read the archive. Links are not followed out of what is named.

    Exit status 0: the archive is written; 2: it is not.
    """
    from logsleuth.collecting.collect import collect as gather
    from logsleuth.model.units import parse_bytes
    from logsleuth.probes import node

    most = parse_bytes(max_size)
    if most is None or most < 1024:
        raise click.UsageError(f"--max-size {max_size}: that is no size of at least 1 KiB. Write it like 64MiB or 2GB.")
    if no_probes and not paths:
        raise click.UsageError("with --no-probes and without a PATH there is nothing to collect. Name the job's logs.")
    host = node.this_host()
    target = Path(archive or f"logsleuth-{'redacted' if redact else host}.tar.gz")
    if target.exists():
        raise click.UsageError(f"{target}: there is a file of this name already. Remove it, or give another with -o.")
    if not target.parent.is_dir():
        raise click.UsageError(
            f"{target.parent}: there is no such folder to write to. Make it, or give another with -o."
        )
    at = _stated_time()
    with TemporaryDirectory(dir=target.parent, prefix=".logsleuth-") as scratch:
        plain = Path(scratch) / "plain.tar.gz" if redact else target
        kept = gather(plain, paths, [] if no_probes else node.outputs(at), host, at, int(most))
        redacted = _redacted(plain, target, at) if redact and (kept.outputs or kept.logs) else None
    for path, why in kept.left_out[:MOST_TOLD]:
        output.say(f"{path}: {why}")
    if rest := kept.left_out[MOST_TOLD:]:
        output.say(f"and {len(rest):,} more were left out; the manifest in the archive names them.")
    if not kept.outputs and not kept.logs:
        target.unlink(missing_ok=True)
        output.say("nothing could be collected, so there is no archive.")
        return exits.NO_ANSWER
    output.emit(_told(kept, target), sys.stdout)
    if redacted:
        output.emit(_told_of_names(redacted), sys.stdout)
    return exits.NOTHING_WRONG


def _redacted(plain: Path, target: Path, at: int) -> "Redacted":
    from logsleuth.drivers.redacting import redact
    from logsleuth.language.library import load

    return redact(load((), False).program, plain, target, at)


def _stated_time() -> int:
    """Now, or the time that SOURCE_DATE_EPOCH states for builds that are to be repeated (reproducible-builds.org)."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(stated) if stated.isdigit() else int(time.time())


def _told_of_names(redacted: "Redacted") -> str:
    from logsleuth.report.printable import printable

    counts = ", ".join(f"{number:,} {kind}" for kind, number in redacted.counts.items())
    lines = [f"Renamed: {counts}. Look at it before you share it: names that look like any other word are still there."]
    lines += [f"  {path}: left out. {why}" for path, why in redacted.left_out]
    if redacted.differences:
        lines.append("It does not give the same answer as before:")
        lines += [f"  {difference}" for difference in redacted.differences]
    else:
        lines.append("It gives the same verdicts as before.")
    return "".join(f"{printable(line, sys.stdout.encoding)}\n" for line in lines)


def _told(kept: "Collected", target: Path) -> str:
    from logsleuth.model.units import format_bytes
    from logsleuth.report.phrasing import count
    from logsleuth.report.printable import printable

    whole = sum(member.bytes for member in (*kept.outputs, *kept.logs))
    lines = [
        f"Wrote {target}, {format_bytes(target.stat().st_size)}: {count(len(kept.outputs), 'output')} of this node and "
        f"{count(len(kept.logs), 'log')}, {format_bytes(whole)} unpacked."
    ]
    lines += [
        f"  {member.origin}: {format_bytes(member.left_out)} of it are not in the archive (--max-size)"
        for member in kept.logs
        if member.left_out
    ]
    return "".join(f"{printable(line, sys.stdout.encoding)}\n" for line in lines)
