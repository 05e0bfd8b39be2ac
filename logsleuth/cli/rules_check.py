"""``logsleuth rules check``."""

import sys

import click

from logsleuth.cli import exits, output


@click.command(short_help="Check rule files.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
def check(paths: tuple[str, ...]) -> int:
    """Check rule files (or folders of them); without PATH, ./rules or else the shipped rules.

    The exit status is 2 where there are errors, 1 where there are only warnings or samples that fail.
    """
    from logsleuth.language.library import check_rules
    from logsleuth.report.phrasing import count
    from logsleuth.testing.results import told
    from logsleuth.testing.runner import failed_samples

    checked = check_rules(paths)
    counts = [count(checked.rules, "rule"), count(checked.events, "event"), count(checked.files, "file")]
    adjusted = f"; {count(checked.adjusted, 'rule')} adjusted or disabled" if checked.adjusted else ""
    failed = [told(failure) for failure in failed_samples(paths)]
    if found := [*checked.warnings, *failed]:
        output.emit("\n\n".join(found) + "\n", sys.stderr)
    summary = ["no errors"]
    summary += [count(len(checked.warnings), "warning")] if checked.warnings else []
    summary += (
        [f"{count(len(failed), 'sample')} not as {'it says' if len(failed) == 1 else 'they say'}"] if failed else []
    )
    output.emit("{} and {} in {}{}: {}\n".format(*counts, adjusted, ", ".join(summary)), sys.stdout)
    return exits.WARNINGS_FOUND if found else exits.NOTHING_WRONG
