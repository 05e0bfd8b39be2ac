"""``logsleuth rules check``."""

import sys

import click

from logsleuth.cli import exits, output


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
def check(paths: tuple[str, ...]) -> int:
    """Check rule files (or folders of them) for errors; without PATH, ./rules or else the shipped rules."""
    from logsleuth.language.library import check_rules
    from logsleuth.language.messages import RulesError

    try:
        checked = check_rules(paths)
    except RulesError as errors:
        return output.bad_rules(errors)
    counts = [_count(checked.rules, "rule"), _count(checked.events, "event"), _count(checked.files, "file")]
    adjusted = f"; {_count(checked.adjusted, 'rule')} adjusted or disabled" if checked.adjusted else ""
    output.emit("{} and {} in {}{}: no errors\n".format(*counts, adjusted), sys.stdout)
    return exits.NOTHING_WRONG


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
