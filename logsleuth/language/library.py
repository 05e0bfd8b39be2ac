"""Finds, loads and keeps rules: the shipped library, the user's files, and what they compile to.

The shipped library lies beside this package in an installed wheel (with its compiled form, ``library.json``) and at
the root of a source checkout. What has to be compiled is kept in the user's cache folder as JSON, keyed by the content
of all rule files and of the compiler, so that a second start needs neither lark nor a check.
"""

import contextlib
import hashlib
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from logsleuth import __version__
from logsleuth.language.frozen import freeze, thaw
from logsleuth.language.messages import Message, RulesError, in_order, render
from logsleuth.language.program import Program
from logsleuth.language.rule_files import SUFFIX, name_of, read_rules

__all__ = (
    "MARKER", "SUFFIX", "Checked", "Library", "cache_folder", "check_rules", "compile_library", "compile_texts", "load",
    "own_rules", "read_rules", "shipped_rules",
)  # fmt: skip

_PACKAGE = Path(__file__).resolve().parent.parent
MARKER = "LIBRARY.md"
"""A folder of rules that holds this file is the shipped library, or a copy of it."""


class Library(NamedTuple):
    program: Program
    notes: tuple[str, ...]
    """What the reader should know about how rules were found."""


class Whole(NamedTuple):
    program: Program
    texts: dict[str, str]
    """Of the rule files, by name."""


def shipped_rules() -> Path:
    """The folder of the shipped rules."""
    installed = _PACKAGE / "library"
    return installed if installed.is_dir() else _PACKAGE.parent / "rules"


def load(extra: Sequence[str] = (), local: bool = True) -> Library:
    """The program of the shipped rules, of ``extra`` files and folders, and of ``./rules`` where ``local`` is true.

    Raises RulesError with every error of every file.
    """
    folders, notes = _wanted(extra, local)
    ready = _PACKAGE / "library.json"
    if not folders and ready.is_file():
        return Library(thaw(ready.read_bytes()), tuple(notes))
    program = _cached(read_rules([shipped_rules(), *folders]))
    return Library(program, (*notes, *_disabled_note(program)))


def load_whole(extra: Sequence[str] = (), local: bool = True) -> Whole:
    """The same rules with their samples and tests, and the texts in which they stand; raises RulesError."""
    texts = read_rules([shipped_rules(), *_wanted(extra, local)[0]])
    return Whole(compile_texts(texts), texts)


def _wanted(extra: Sequence[str], local: bool) -> tuple[list[Path], list[str]]:
    """What is to be loaded beside the shipped rules, and what has to be said about it."""
    folders = [Path(path) for path in extra]
    here = Path("rules")
    if not local or not here.is_dir() or _same(here, folders):
        return folders, []
    if _is_shipped(here):
        return folders, _copy_note(here)
    return [*folders, here], []


def compile_library(folder: Path) -> bytes:
    """The rules of a folder as the lines of JSON that ``load`` reads, without tests and samples; raises RulesError."""
    return freeze(compile_texts(read_rules([folder]), tests=False))


class Checked(NamedTuple):
    files: int
    events: int
    rules: int
    adjusted: int
    """Rules that are adjusted or disabled."""
    warnings: tuple[str, ...]
    """What is hardly meant as it stands there, each rendered for a person."""


def check_rules(paths: Sequence[str]) -> Checked:
    """Checks rule files together with the shipped library and counts what they declare; raises RulesError."""
    from logsleuth.language.suspicions import suspicions

    texts = read_rules(own_rules(paths))
    program = compile_texts({**read_rules([shipped_rules()]), **texts}, asked=texts)
    events = [event for event in program.events.values() if event.at.file in texts]
    rules = [rule for rule in program.rules.values() if rule.at.file in texts]
    adjusted = {rule.name for rule in program.rules.values() if any(at.file in texts for at in rule.adjusted)}
    adjusted |= {name for name, at in program.disabled.items() if at.file in texts}
    warnings = [message for message in in_order(suspicions(program)) if message.place.file in texts]
    told = tuple(render(message, texts) for message in warnings)
    return Checked(len(texts), len(events), len(rules), len(adjusted), told)


def own_rules(paths: Sequence[str]) -> list[Path]:
    """The files and folders that a command about rules means: those named, else ./rules, else the shipped ones."""
    if paths:
        return [Path(path) for path in paths]
    here = Path("rules")
    return [here] if here.is_dir() and not _is_shipped(here) else [shipped_rules()]


def compile_texts(
    texts: dict[str, str], tests: bool = True, adjusted: bool = True, asked: Collection[str] = ()
) -> Program:
    """A checked program of rule texts by file name; raises RulesError with all that is wrong.

    Without ``tests``, the tests that stand beside rules are neither read nor checked. Without ``adjusted``, rules stay
    as they are written, whatever a site has made of them. The patterns of shipped files are not asked whether a line
    can make them take for ever, which a test has shown, but for those of ``asked``.
    """
    from logsleuth.language.broken import Broken
    from logsleuth.language.check import check
    from logsleuth.language.check_regex import guarded
    from logsleuth.language.literals import with_literals
    from logsleuth.language.parse import parse
    from logsleuth.language.syntax import Adjustment, Declaration, Disabling

    declarations: list[Declaration] = []
    errors: list[Message] = []
    broken: list[Broken] = []
    for name, text in texts.items():
        parsed = parse(name, text, tests)
        declarations += parsed.declarations
        errors += parsed.errors
        broken += parsed.broken
    if not adjusted:
        declarations = [item for item in declarations if not isinstance(item, Adjustment | Disabling)]
    ours = name_of(shipped_rules()) + "/"
    proved = {name for name in texts if name.startswith(ours) and name not in asked}
    checked = check(declarations, broken, proved)
    if errors := [*errors, *checked.errors]:
        raise RulesError(errors, texts)
    events = {name: with_literals(guarded(event, proved)) for name, event in checked.program.events.items()}
    return replace(checked.program, events=events)


def findings(texts: dict[str, str]) -> list[Message]:
    """All that is wrong with rule texts by file name, in their order: the errors, or else the warnings."""
    from logsleuth.language.suspicions import suspicions

    try:
        return in_order(suspicions(compile_texts(texts)))
    except RulesError as errors:
        return errors.messages


def _same(folder: Path, others: Sequence[Path]) -> bool:
    return any(other.resolve() == folder.resolve() for other in others)


def _is_shipped(folder: Path) -> bool:
    return (folder / MARKER).is_file() or folder.resolve() == shipped_rules().resolve()


def _copy_note(folder: Path) -> list[str]:
    if folder.resolve() == shipped_rules().resolve() or _contents(folder) == _contents(shipped_rules()):
        return []
    return [f"./{folder} is a copy of the shipped library and was not loaded; keep your own rules in another folder."]


def _disabled_note(program: Program) -> list[str]:
    told = [f"{name} ({at.file}:{at.line})" for name, at in sorted(program.disabled.items())]
    return (
        [f"Not judged, because a rule file disables {'it' if len(told) == 1 else 'them'}: {', '.join(told)}."]
        if told
        else []
    )


def _contents(folder: Path) -> dict[str, bytes]:
    try:
        return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob(f"*{SUFFIX}"))}
    except OSError:
        return {}


def _cached(texts: dict[str, str]) -> Program:
    folder = cache_folder()
    if folder is None:
        return compile_texts(texts)
    file = folder / f"{_key(texts)}.json"
    try:
        return thaw(file.read_bytes())
    except (OSError, ValueError):
        pass  # Not there, or not what we wrote: compile and write it anew.
    program = compile_texts(texts, tests=False)
    _write(file, freeze(program))
    return program


def cache_folder() -> Path | None:
    """Where compiled rules are kept: ``LOGSLEUTH_CACHE_DIR``, or the platform's cache folder for the user; None where
    the user has no home."""
    if chosen := os.environ.get("LOGSLEUTH_CACHE_DIR"):
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "logsleuth"
    except RuntimeError:
        return None


def _key(texts: dict[str, str]) -> str:
    digest = hashlib.sha256(__version__.encode())
    for source in sorted(Path(__file__).parent.iterdir()):
        if source.suffix in (".py", ".lark"):
            digest.update(source.read_bytes())
    for name, text in sorted(texts.items()):
        digest.update(f"\0{name}\0{text}".encode())
    return digest.hexdigest()[:32]


def _write(file: Path, content: bytes) -> None:
    """Writes the whole file or none of it; a cache that cannot be written only costs time."""
    import tempfile  # Hardly any start writes.

    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(content)
            Path(name).replace(file)
        except OSError:
            Path(name).unlink()
