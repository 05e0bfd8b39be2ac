"""``logsleuth rules check``."""

import sys

import click

from logsleuth.cli import exits, output


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
def check(paths: tuple[str, ...]) -> int:
    """Check rule files (or folders of them); without PATH, ./rules or else the shipped rules.

    The exit status is 2 where there are errors, 1 where there are only warnings.
    """
    from logsleuth.language.library import check_rules
    from logsleuth.report.phrasing import count

    checked = check_rules(paths)
    counts = [count(checked.rules, "rule"), count(checked.events, "event"), count(checked.files, "file")]
    adjusted = f"; {count(checked.adjusted, 'rule')} adjusted or disabled" if checked.adjusted else ""
    if checked.warnings:
        output.emit("\n\n".join(checked.warnings) + "\n", sys.stderr)
    found = f"no errors, {count(len(checked.warnings), 'warning')}" if checked.warnings else "no errors"
    output.emit("{} and {} in {}{}: {}\n".format(*counts, adjusted, found), sys.stdout)
    return exits.WARNINGS_FOUND if checked.warnings else exits.NOTHING_WRONG
