"""Which files of a job are collected, and under which names."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from logsleuth.ingest.discover import discover, natural_key

_MAGIC = re.compile(r"[*?[]")
_NO_FILE = "It is no file, so it cannot be read without being used up. Save it, and name the file."


class LogFile(NamedTuple):
    path: str
    """As it was given or found."""
    real: str
    """Without links."""
    name: str
    """In the archive: ``logs/`` and the path."""
    is_text: bool
    """False where it is packed, an archive or a dump, of which a part is worth nothing."""


class Chosen(NamedTuple):
    files: list[LogFile]
    """In natural order of their names."""
    left_out: list[tuple[str, str]]
    """Paths, and why what they lead to is not collected."""


def chosen(paths: Sequence[str]) -> Chosen:
    """The files that an analysis of these paths would read, but for those that a link leads to out of them."""
    # A pipe is not even looked at: what is read of it is gone, and who waits for its writer may wait for ever.
    pipes = [path for path in paths if path == "-" or _is_pipe(Path(path))]
    named = [path for path in paths if path not in pipes]
    found = discover(named)
    roots = [_root(path) for path in named]
    files: dict[str, LogFile] = {}
    left_out = [(path, _NO_FILE) for path in pipes] + [(path, problem.text) for path, problem in found.problems]
    for source in found.sources:
        path = _file(source.path)
        real = os.path.realpath(path)
        if not Path(real).is_file():
            left_out.append((source.path, _NO_FILE))
        elif not any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots):
            left_out.append((path, "A link leads to it out of what was named; name it itself to have it."))
        else:
            files[real] = LogFile(path, real, _name(path), source.format == "text" and source.path == path)
    return Chosen(sorted(files.values(), key=lambda file: natural_key(file.name)), sorted(set(left_out)))


def _is_pipe(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _file(path: str) -> str:
    """The file on the disk: of what lies in an archive, the archive."""
    return next((part for part in _shorter(path) if Path(part).is_file()), path)


def _shorter(path: str) -> Iterator[str]:
    yield path
    while "!" in path:
        path = path.rpartition("!")[0]
        yield path


def _root(path: str) -> str:
    """What was named, without links; of a pattern the folder in which it begins."""
    if not Path(path).exists() and _MAGIC.search(path):
        parts = Path(path).parts
        path = str(Path(*parts[: next(at for at, part in enumerate(parts) if _MAGIC.search(part))]))
    return os.path.realpath(path)


def _name(path: str) -> str:
    """The path as it was given where it leads downwards from here, else from the root on."""
    plain = Path(os.path.normpath(path))
    if plain.is_absolute() or plain.parts[0] == os.pardir:
        plain = Path(os.path.normpath(Path.cwd() / plain))
        plain = plain.relative_to(plain.anchor)
    return f"logs/{plain.as_posix()}"
