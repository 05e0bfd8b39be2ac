"""``logsleuth rules trace``."""

import sys
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, options, output, progress

if TYPE_CHECKING:
    from logsleuth.drivers.hints import Hints


@click.command(short_help="Tell why a rule fired in logs, or why not.")
@click.argument("rule")
@click.argument("paths", nargs=-1, required=True, metavar="LOGS...")
@options.source_options
@options.analysis_options(*options.FORMATS)
@progress.option
def trace(
    rule: str,
    paths: tuple[str, ...],
    hints: "Hints",
    output_format: str,
    rules: tuple[str, ...],
    no_local_rules: bool,
    no_progress: bool,
) -> int:
    """Tell why RULE fired in the logs at LOGS..., or why it did not.

    Clause by clause: who said yes and who no, what both sides of a comparison were, and what came nearest to lines
    that were not there. Exit status 0: there is an answer, whether the rule fired or not; 2: there is none.
    """
    from logsleuth.drivers.tracing import trace as trace_paths
    from logsleuth.language.library import load
    from logsleuth.language.messages import did_you_mean
    from logsleuth.report.overview import was_anything_read

    library = load(rules, not no_local_rules)
    program = library.program
    if rule not in program.rules:
        at = program.disabled.get(rule)
        why = f"'{rule}' is disabled at {at.file}:{at.line}" if at else f"there is no rule '{rule}'"
        remedy = "" if at else did_you_mean(rule, program.rules) or "`logsleuth rules list` tells all."
        raise click.UsageError(f"{why}. {remedy}".strip())
    with progress.following(no_progress) as follow:
        told = trace_paths(
            program,
            paths,
            [program.rules[rule]],
            notes=library.notes,
            hints=hints,
            follow=follow,
        )
    if not was_anything_read(told.analysis):
        output.show(told.analysis, "terminal", sys.stderr)
        return exits.NO_ANSWER
    output.show_traces(told.traces, output_format, sys.stdout)
    return exits.NOTHING_WRONG
