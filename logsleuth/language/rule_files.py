"""Which rule files are there to read, those that they use included, and what stands in them?"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from logsleuth.language.cut import cut
from logsleuth.language.limits import ALL_BYTES, FILE_BYTES, MOST_FILES
from logsleuth.language.messages import Message, RulesError
from logsleuth.language.syntax import Place

SUFFIX = ".sleuth"
_USE = re.compile(r'use(?<!\wuse)[ \t]*"')
"""Begins with what it can be searched for by."""
_USED = re.compile(r'use\s*"((?:[^"\\\n]|\\.)*)"')
_ABSOLUTE = re.compile(r"[/~]|[A-Za-z]:")
_NAME_A_FILE = "Name a .sleuth file or a folder of them."


def read_rules(paths: Sequence[Path], follow: bool = True) -> dict[str, str]:
    """The texts of rule files by name; folders are searched recursively, each file is read once.

    With ``follow``, what they ``use`` is read too: it lies beneath the folder that is given, or that of the file that
    is. Raises RulesError for what cannot be read.
    """
    reading = _Reading(follow)
    for path in paths:
        reading.read(path)
    if reading.errors:
        raise RulesError(reading.errors, reading.texts)
    return reading.texts


def fault_of(path: str) -> str:
    """Why no rule file can be meant by this path behind ``use``, wherever that stands; empty where one can."""
    if not path.endswith(SUFFIX) or "\0" in path or "\n" in path:
        return f"'{path}' is no {SUFFIX} file"
    if _ABSOLUTE.match(path) or "\\" in path:
        return f"'{path}' is not relative to this file"
    return ""


class _Use(NamedTuple):
    path: str
    at: Place


class _Reading:
    """What was read so far."""

    def __init__(self, follow: bool) -> None:
        self._follow = follow
        self._names: dict[Path, str] = {}
        """Files that were read, by where they lie."""
        self._followed: set[tuple[str, Path]] = set()
        """Names of files with the roots beneath which what they use was looked for: no order of arguments decides."""
        self._folders: dict[Path, Path] = {}
        """Where folders lie."""
        self._bytes = 0
        self.texts: dict[str, str] = {}
        self.errors: list[Message] = []

    def read(self, path: Path) -> None:
        """Reads a file or the files of a folder."""
        is_folder = path.is_dir()
        todo = sorted(path.rglob(f"*{SUFFIX}")) if is_folder else [path]
        root = path if is_folder else path.parent
        beneath = root.resolve()
        while todo:
            file = todo.pop(0)
            # What is given by name may be a pipe; what is found may not, for nobody may write into it.
            name = self._text_of(file, is_regular=is_folder or file != path)
            if name is None or not self._follow or (name, beneath) in self._followed:
                continue
            self._followed.add((name, beneath))
            for use in _uses(name, self.texts[name]):
                target = file.parent / use.path
                if fault := _unusable(target, use.path, root):
                    self._error("LS107", use.at, *fault)
                else:
                    todo.append(target)

    def _error(self, code: str, at: Place, text: str, remedy: str = "") -> None:
        self.errors.append(Message(code, at, text, remedy))

    def _text_of(self, file: Path, is_regular: bool) -> str | None:
        """The name of a file that is read, now or before; None where it cannot be."""
        at = Place(str(file), 1, 1)
        try:
            real = self._real(file)
            if real in self._names:
                return self._names[real]
            if is_regular and file.exists() and not (file.is_file() or file.is_dir()):
                self._error("LS001", at, "is no regular file", _NAME_A_FILE)
                return None
            with file.open("rb") as stream:
                content = stream.read(FILE_BYTES + 1)
            text = self._within_limits(content, at)
        except RuntimeError:
            self._error("LS001", at, "cannot be read: its links lead in a circle", _NAME_A_FILE)
            return None
        except OSError as error:
            self._error("LS001", at, f"cannot be read: {error.strerror or error}", _NAME_A_FILE)
            return None
        except UnicodeDecodeError:
            self._error("LS001", at, "is not UTF-8 text")
            return None
        if text is None:
            return None
        name = self._names[real] = name_of(real)
        self.texts[name] = text
        return name

    def _real(self, file: Path) -> Path:
        """``file.resolve()``, which asks about each of its folders, for the many files of a folder."""
        if os.name == "nt" or file.is_symlink():
            return file.resolve()
        folder = file.parent
        if folder not in self._folders:
            self._folders[folder] = folder.resolve()
        return self._folders[folder] / file.name

    def _within_limits(self, content: bytes, at: Place) -> str | None:
        self._bytes += len(content)
        if len(content) > FILE_BYTES:
            self._error("LS106", at, f"is larger than {FILE_BYTES >> 20} MiB", "Divide it into several files.")
            return None
        if self._bytes > ALL_BYTES or len(self.texts) >= MOST_FILES:
            text = f"is one too many: all rule files together are {MOST_FILES:,} and {ALL_BYTES >> 20} MiB at most"
            if not any(message.code == "LS106" and message.text == text for message in self.errors):
                self._error("LS106", at, text, "Name fewer files.")
            return None
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _uses(name: str, text: str) -> Iterator[_Use]:
    """What a file says it uses; what is malformed is told when it is parsed."""
    if not _USE.search(text):
        return
    for piece in cut(name, text)[0]:
        used = _USED.match(piece.text)
        if used and not fault_of(used[1]):
            ahead = piece.text[: used.start(1) - 1]
            line = piece.line + ahead.count("\n")
            column = len(ahead) - ahead.rfind("\n") + (piece.column - 1 if line == piece.line else 0)
            yield _Use(used[1], Place(name, line, column, len(used[1]) + 2))


def _unusable(target: Path, path: str, root: Path) -> tuple[str, str] | None:
    """Why a file cannot be used, and what to do."""
    beneath = root.resolve()
    try:
        is_beneath = target.resolve().is_relative_to(beneath)
        written = Path(os.path.normpath(Path.cwd() / target))
        is_written_beneath = written.is_relative_to(os.path.normpath(Path.cwd() / root))
        is_there, is_file = target.exists(), target.is_file()
    except (OSError, RuntimeError):
        return f"'{path}' leads nowhere", "Name a file that is there."
    if not is_beneath:
        how = "leads through a link out of" if is_written_beneath else "lies outside of"
        return (
            f"'{path}' {how} '{root}', the folder of these rules",
            "Put it there, or name both files on the command line.",
        )
    if not is_there:
        import difflib

        near = difflib.get_close_matches(target.stem, sorted(f.stem for f in target.parent.glob(f"*{SUFFIX}")), n=1)
        remedy = f"Did you mean `{near[0]}{SUFFIX}`?" if near else "The path is relative to the file that uses it."
        return f"there is no file '{path}'", remedy
    return None if is_file else (f"'{path}' is no file", "Name a .sleuth file.")


def name_of(real: Path) -> str:
    """How a rule file is named in messages, and told from all others: relative to the working directory where it lies
    beneath that."""
    here = Path.cwd()
    if str(real).startswith(beneath := str(here).rstrip(os.sep) + os.sep):
        return str(real)[len(beneath) :].replace(os.sep, "/")
    return (real.relative_to(here) if real.is_relative_to(here) else real).as_posix()
