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

    checked = check_rules(paths)
    counts = [_count(checked.rules, "rule"), _count(checked.events, "event"), _count(checked.files, "file")]
    adjusted = f"; {_count(checked.adjusted, 'rule')} adjusted or disabled" if checked.adjusted else ""
    if checked.warnings:
        output.emit("\n\n".join(checked.warnings) + "\n", sys.stderr)
    found = f"no errors, {_count(len(checked.warnings), 'warning')}" if checked.warnings else "no errors"
    output.emit("{} and {} in {}{}: {}\n".format(*counts, adjusted, found), sys.stdout)
    return exits.WARNINGS_FOUND if checked.warnings else exits.NOTHING_WRONG


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
