"""``logsleuth rules test``."""

import sys

import click

from logsleuth.cli import exits, output


@click.command(short_help="Run the samples and tests of rule files.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-k", "name", default="", metavar="NAME", help="Only tests and samples whose name holds NAME.")
def test(paths: tuple[str, ...], name: str) -> int:
    """Run the samples and tests of rule files; without PATH, those of ./rules or else of the shipped rules."""
    from logsleuth.testing.runner import run_tests

    report = run_tests(paths, name)
    output.emit(report.text() + "\n", sys.stdout)
    return exits.FAILURE_FOUND if report.failures else exits.NOTHING_WRONG
