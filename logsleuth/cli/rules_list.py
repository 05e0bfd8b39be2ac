"""``logsleuth rules list``."""

import sys
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, output

if TYPE_CHECKING:
    from logsleuth.language.syntax import Rule


@click.command("list")
@click.option("--rules", "paths", multiple=True, metavar="PATH", help="A rule file or folder beside the shipped rules.")
@click.option("--no-local-rules", is_flag=True, help="Leave the folder ./rules alone.")
def list_rules(paths: tuple[str, ...], no_local_rules: bool) -> int:
    """Show every rule that an analysis would judge: its name, cause and meaning."""
    from logsleuth.language.library import load
    from logsleuth.language.messages import RulesError

    try:
        program = load(paths, not no_local_rules).program
    except RulesError as errors:
        return output.bad_rules(errors)
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
