"""``logsleuth rules format``."""

import difflib
import io
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from logsleuth.cli import exits, output

if TYPE_CHECKING:
    from logsleuth.authoring.format_rules import Formatted

STDIN = "-"


class _File(NamedTuple):
    name: str
    before: str
    after: str
    changes: bool
    """Whether the file's bytes would become others: its line endings count too."""


@click.command("format", short_help="Lay rule files out in one style.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def format_rules(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Lay rule files (or folders of them) out in one style; without PATH, those of ./rules.

    Comments and texts are kept as they are, and so is what the rules say. With "-", text is read from stdin and
    written to stdout.
    """
    from logsleuth.language.library import read_rules

    if STDIN in paths:
        if len(paths) > 1:
            raise click.UsageError('"-" stands for stdin and goes with no other PATH.')
        return _pass_through(check, diff)
    chosen = [Path(path) for path in paths] or [Path("rules")]
    if not paths and not chosen[0].is_dir():
        raise click.UsageError("There is no folder ./rules here; name the rule files or folders to lay out.")
    texts = read_rules(chosen, follow=False)
    files, unreadable = _formatted(texts)
    if diff:
        _emit("".join(_difference(file) for file in files))
    elif not check:
        for file in files:
            if file.changes and not _write(Path(file.name), file.after):
                return exits.NO_ANSWER
    changed = [file.name for file in files if file.changes]
    if not diff:
        done = "would change" if check else "laid out"
        output.emit("".join(f"{done}: {name}\n" for name in changed) + _total(files, check), sys.stdout)
    if unreadable:
        raise unreadable
    return exits.FAILURE_FOUND if check and changed else exits.NOTHING_WRONG


def _formatted(texts: dict[str, str]) -> tuple[list[_File], Exception | None]:
    """The files that can be laid out, and what is wrong with the syntax of the others."""
    from logsleuth.language.messages import RulesError

    files, errors = [], []
    for name, text in texts.items():
        formatted = _format(name, text)
        errors += formatted.errors
        if not formatted.errors:
            changes = Path(name).read_bytes() != formatted.text.encode()
            files.append(_File(name, text, formatted.text, changes))
    return files, RulesError(errors, texts) if errors else None


def _format(name: str, text: str) -> "Formatted":
    from logsleuth.authoring.format_rules import ChangedMeaningError, format_text

    try:
        return format_text(name, text)
    except ChangedMeaningError as error:
        raise click.ClickException(
            f"{error}, so nothing was written. This is a defect of logsleuth: please report it with that file."
        ) from None


def _pass_through(check: bool, diff: bool) -> int:
    from logsleuth.language.messages import RulesError

    data = sys.stdin.buffer.read()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise click.UsageError("What stdin gives is not UTF-8 text.") from None
    formatted = _format("<stdin>", text)
    if formatted.errors:
        raise RulesError(formatted.errors, {"<stdin>": text})
    file = _File("<stdin>", text, formatted.text, data != formatted.text.encode())
    if diff:
        _emit(_difference(file))
    elif not check:
        _emit(file.after)
    return exits.FAILURE_FOUND if check and file.changes else exits.NOTHING_WRONG


def _emit(text: str) -> None:
    """Text of rule files to stdout, in UTF-8 like the files: it quotes logs, which hold any character."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    output.emit(text, sys.stdout)


def _difference(file: _File) -> str:
    """The changes as a unified diff; a file whose line endings alone would change has none to show."""
    old, new = (text.split("\n") for text in (file.before, file.after))
    lines = difflib.unified_diff(old, new, file.name, file.name, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _total(files: list[_File], check: bool) -> str:
    changed = sum(file.changes for file in files)
    rest = len(files) - changed
    told = f"{changed} {'file' if changed == 1 else 'files'} {'would change' if check else 'laid out'}"
    return f"{told}, {rest} {'was' if rest == 1 else 'were'} so already\n"


def _write(file: Path, text: str) -> bool:
    """Replaces the whole file or leaves it as it was; False where it could not be written, which was said then."""
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        shutil.copymode(file, name)
        Path(name).replace(file)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        output.say(f"{file}: cannot be written: {error.strerror or error}; it is as it was.")
        return False
    return True
