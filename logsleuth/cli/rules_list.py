"""``logsleuth rules list``."""

import json
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, output
from logsleuth.report.printable import printable

if TYPE_CHECKING:
    from logsleuth.authoring.choice import Choice
    from logsleuth.authoring.listing import Row
    from logsleuth.language.program import Program

_NOTHING_FOUND = 1


@click.command("list", short_help="Show the rules that there are, or the causes.")
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@click.option("--area", default="", metavar="AREA", help="Only names that begin with AREA and a dot.")
@click.option("--cause", default="", metavar="CAUSE", help="Only rules that find CAUSE.")
@click.option("--severity", default="", metavar="LEVEL", help="Only rules of this severity.")
@click.option("--events", "kind", flag_value="events", help="List events: which lines are understood.")
@click.option("--causes", "kind", flag_value="causes", help="List the causes that rules may find.")
@click.option("--format", "output_format", type=click.Choice(["terminal", "json"]), default="terminal")
@click.option("--rules", "paths", multiple=True, metavar="PATH", help="A rule file or folder beside the shipped rules.")
@click.option("--no-local-rules", is_flag=True, help="Leave the folder ./rules alone.")
def list_rules(
    words: tuple[str, ...],
    area: str,
    cause: str,
    severity: str,
    kind: str | None,
    output_format: str,
    paths: tuple[str, ...],
    no_local_rules: bool,
) -> int:
    """Show the rules that an analysis would judge: name, severity, cause and meaning.

    With TEXT only those whose name, meaning, verdict, remedy or cause holds all of it; of events, also those with a
    wording or sample that does. Exit status 1: none fits.
    """
    from logsleuth.authoring.choice import Choice, UnknownError
    from logsleuth.language.library import load

    choice = Choice(area, cause, severity, words)
    try:
        program = load(paths, not no_local_rules).program
        if kind == "events" and words:
            # Samples are searched too, and those are not kept with compiled rules.
            from logsleuth.language.library import load_whole

            program = load_whole(paths, not no_local_rules).program
        told = _json(kind, choice, program) if output_format == "json" else _rows(kind, choice, program)
    except UnknownError as error:
        raise click.UsageError(str(error)) from None
    if told is None:
        output.say(f"no {(kind or 'rules').removesuffix('s')} fits that; ask for less")
        return _NOTHING_FOUND
    output.emit(told, sys.stdout)
    return exits.NOTHING_WRONG


def _rows(kind: str | None, choice: "Choice", program: "Program") -> str | None:
    from logsleuth.authoring import listing
    from logsleuth.authoring.index import Index

    if kind == "events":
        events = choice.events(program)
        return _table(listing.event_rows(events, Index(program)), len(program.events), "event", choice)
    if kind == "causes":
        causes = choice.causes(program)
        return _table(
            listing.cause_rows(causes, program),
            len(choice._replace(cause="", words=()).causes(program)),
            "cause",
            choice,
        )
    rows = listing.rule_rows(choice.rules(program))
    if not choice.is_everything:
        return _table(rows, len(program.rules), "rule", choice)
    disabled = [f"disabled: {name} ({at.file}:{at.line})" for name, at in sorted(program.disabled.items())]
    return _text(rows, [f"{len(program.rules)} rules, {len(program.events)} events", *disabled])


def _table(rows: "Sequence[Row]", total: int, noun: str, choice: "Choice") -> str | None:
    """The rows and how many they are; None where there are none."""
    if not rows:
        return None
    return _text(rows, [f"{total} {noun}s" if choice.is_everything else f"{len(rows)} of {total} {noun}s"])


def _text(rows: "Sequence[Row]", ends: list[str]) -> str:
    from logsleuth.authoring.listing import lines

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else None
    encoding = sys.stdout.encoding if sys.stdout is not None else "utf-8"
    return "".join(f"{printable(line, encoding)}\n" for line in [*lines(rows, width), *ends])


def _json(kind: str | None, choice: "Choice", program: "Program") -> str | None:
    """An object whose one list holds what fits; ``disabled`` beside it where rules are told."""
    from logsleuth.authoring import listing
    from logsleuth.authoring.index import Index

    told: dict[str, object]
    if kind == "events":
        told = {"events": listing.event_objects(choice.events(program), Index(program))}
    elif kind == "causes":
        told = {"causes": listing.cause_objects(choice.causes(program), program)}
    else:
        disabled = {name: f"{at.file}:{at.line}" for name, at in sorted(program.disabled.items())}
        told = {"rules": listing.rule_objects(choice.rules(program)), "disabled": disabled}
    is_empty = not any(told[key] for key in ("rules", "events", "causes") if key in told)
    return None if is_empty else json.dumps(told, indent=2, ensure_ascii=True) + "\n"
