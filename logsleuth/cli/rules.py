"""``logsleuth rules``: list, check and test rules."""

import sys
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, output

if TYPE_CHECKING:
    from logsleuth.language.syntax import Rule


@click.group()
def rules() -> None:
    """List, check and test rules: the shipped ones and your own."""


@rules.command("list")
@click.option("--rules", "paths", multiple=True, metavar="PATH", help="A rule file or folder beside the shipped rules.")
@click.option("--no-local-rules", is_flag=True, help="Leave the folder ./rules alone.")
def list_rules(paths: tuple[str, ...], no_local_rules: bool) -> int:
    """Show every rule that an analysis would judge: its name, cause and meaning."""
    from logsleuth.language.library import load
    from logsleuth.language.messages import RulesError

    try:
        program = load(paths, not no_local_rules).program
    except RulesError as errors:
        return _bad_rules(errors)
    width = max(map(len, program.rules), default=0)
    lines = [
        f"{name:{width}}  {rule.severity:7}  {rule.cause:34} {' '.join(rule.doc.split())}{_adjusted(rule)}"
        for name, rule in sorted(program.rules.items())
    ]
    lines.append(f"{len(program.rules)} rules, {len(program.events)} events")
    lines += [f"disabled: {name} ({at.file}:{at.line})" for name, at in sorted(program.disabled.items())]
    output.emit("\n".join([*lines, ""]), sys.stdout)
    return exits.NOTHING_WRONG


def _adjusted(rule: "Rule") -> str:
    places = ", ".join(f"{at.file}:{at.line}" for at in rule.adjusted)
    return f" (adjusted: {places})" if places else ""


@rules.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
def check(paths: tuple[str, ...]) -> int:
    """Check rule files (or folders of them) for errors; without PATH, ./rules or else the shipped rules."""
    from logsleuth.language.library import check_rules
    from logsleuth.language.messages import RulesError

    try:
        checked = check_rules(paths)
    except RulesError as errors:
        return _bad_rules(errors)
    counts = [_count(checked.rules, "rule"), _count(checked.events, "event"), _count(checked.files, "file")]
    adjusted = f"; {_count(checked.adjusted, 'rule')} adjusted or disabled" if checked.adjusted else ""
    output.emit("{} and {} in {}{}: no errors\n".format(*counts, adjusted), sys.stdout)
    return exits.NOTHING_WRONG


@rules.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-k", "name", default="", metavar="NAME", help="Only tests and samples whose name holds NAME.")
def test(paths: tuple[str, ...], name: str) -> int:
    """Run the samples and tests of rule files; without PATH, those of ./rules or else of the shipped rules."""
    from logsleuth.language.messages import RulesError
    from logsleuth.testing.runner import run_tests

    try:
        report = run_tests(paths, name)
    except RulesError as errors:
        return _bad_rules(errors)
    output.emit(report.text() + "\n", sys.stdout)
    return exits.FAILURE_FOUND if report.failures else exits.NOTHING_WRONG


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _bad_rules(errors: Exception) -> int:
    output.emit(f"{errors}\n", sys.stderr)
    return exits.NO_ANSWER
