"""``logsleuth rules new``."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, output

if TYPE_CHECKING:
    from logsleuth.language.program import Program

_MOST_INPUT = 1 << 20
"""Bytes of standard input that are read; a line is wanted, not a log."""
_NAME = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*", re.ASCII)


@click.command(short_help="Begin a rule whose tests pass.")
@click.argument("name", metavar="NAME")
@click.option("--from-line", "line", metavar="LINE", help="The line of a log to begin with; `-` reads it from stdin.")
@click.option(
    "--cause", default="cause-not-in-log", metavar="CAUSE", help="What the rule finds; see `rules list --causes`."
)
@click.option(
    "--output", "file", metavar="FILE", help="Where to write; without it, the last part of NAME in this folder."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(name: str, line: str | None, cause: str, file: str | None, force: bool) -> int:
    """Begin the rule NAME (`area.name`): a commented file whose sample and tests pass."""
    from logsleuth.authoring.new_rule import EXAMPLE, new_rule
    from logsleuth.authoring.vocabulary import no_cause, vocabulary
    from logsleuth.language.library import compile_texts, load_whole

    if not _NAME.fullmatch(name):
        raise click.UsageError(f"'{name}' is no name of a rule. Write area.name, such as site.mount_hung.")
    path = Path(file or f"{name.partition('.')[2]}.sleuth")
    if path.exists() and not force:
        raise click.UsageError(
            f"'{path}' is there already. Name another file with --output, or write over it with --force."
        )
    if line == "-":
        line = sys.stdin.buffer.read(_MOST_INPUT).decode("utf-8", "replace") if sys.stdin is not None else ""
    if line is not None and not line.strip():
        raise click.UsageError("the line is empty. Leave --from-line out to begin with an example.")
    program, there = load_whole()
    texts = {key: text for key, text in there.items() if not _is_same(Path(key), path)}
    if len(texts) < len(there):
        program = compile_texts(texts)
    _refuse_taken(name, program)
    if cause not in (known := vocabulary(program)):
        raise click.UsageError(no_cause(cause, known))
    made = new_rule(name, cause, EXAMPLE if line is None else line, texts, program)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(made.text, encoding="utf-8")
    for note in made.notes:
        output.say(note)
    named = f"'{path}'" if " " in str(path) else str(path)
    output.emit(
        f"Wrote {path}. Its sample and its tests pass:\n"
        f"  logsleuth rules test {named}\n"
        "Fill in what it says, then try it on a log:\n"
        f"  logsleuth analyze --rules {named} LOGS...\n",
        sys.stdout,
    )
    return exits.NOTHING_WRONG


def _refuse_taken(name: str, program: "Program") -> None:
    """Whatever is written over: two declarations of one name are an error wherever they stand."""
    for taken in (name, f"{name}_line"):
        declared = program.rules.get(taken) or program.events.get(taken)
        if declared is not None:
            raise click.UsageError(
                f"'{taken}' is declared already, at {declared.at.file}:{declared.at.line}. Choose another name."
            )


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
