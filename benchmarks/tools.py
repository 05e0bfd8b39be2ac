"""The tools that are compared, those that are installed here."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.dialects import as_grep, as_perl, as_ripgrep, uncounted, wordings
from benchmarks.plain_search import write_patterns
from logsleuth.language.syntax import Event

OURS = "logsleuth"
COUNTED = "ripgrep"
UNCOUNTED = "ripgrep, uncounted"
AHO = "ahocorasick_rs + re"


class Tool(NamedTuple):
    name: str
    version: str
    command: Callable[[Sequence[Path]], list[str]]
    """That reads files."""
    reads_packed: bool = False


class Tools(NamedTuple):
    ours: Tool
    others: tuple[Tool, ...]
    missing: tuple[str, ...]


def ours(jobs: int = 1) -> Tool:
    """A whole analysis with the shipped library, to the verdict, in so many processes."""
    return Tool(OURS, version("logsleuth"), lambda files: [*_ANALYZE, "--jobs", str(jobs), *map(str, files)], True)


_ANALYZE = (sys.executable, "-m", "logsleuth", "analyze", "--format", "json", "--no-local-rules")


def tools(events: Sequence[Event], scratch: Path, drain3: Path | None = None) -> Tools:
    """All of them, with their patterns in files of a folder; ``drain3`` is a Python that has it."""
    looked_for = wordings(events)
    counted = sorted({as_ripgrep(wording) for wording in looked_for})
    free = sorted(set(map(uncounted, counted)))
    patterns = {
        "counted": _lines(scratch / "counted.txt", counted),
        "uncounted": _lines(scratch / "uncounted.txt", free),
        "grep": _lines(scratch / "grep.txt", sorted(set(map(as_grep, free)))),
        "sec": _lines(scratch / "sec.conf", map(_rule_of_sec, map(as_perl, looked_for))),
    }
    described = scratch / "patterns.json"
    write_patterns(described, looked_for)
    plain = [sys.executable, "-m", "benchmarks.plain_search"]
    found: list[Tool | str] = [
        _ripgrep(COUNTED, patterns["counted"]),
        _ripgrep(UNCOUNTED, patterns["uncounted"]),
        _installed("grep -E", "grep", lambda files: ["grep", "-a", "-c", "-E", "-f", patterns["grep"], *files]),
        _package(AHO, "ahocorasick_rs", lambda files: [*plain, "ahocorasick", str(described), *files]),
        Tool(
            "naive re",
            f"Python {sys.version.split()[0]}",
            lambda files: [*plain, "naive", str(described), *map(str, files)],
        ),
        _installed("SEC", "sec", lambda files: ["sec", f"--conf={patterns['sec']}", *_inputs(files), *_ONCE]),
        _installed("lnav", "lnav", lambda files: ["lnav", "-n", "-c", ";SELECT count(*) FROM all_logs", *files], "-V"),
        _drain3(drain3),
        _installed("wc -l", "wc", lambda files: ["wc", "-l", *files]),
    ]
    there = tuple(tool for tool in found if isinstance(tool, Tool))
    return Tools(ours(), there, tuple(tool for tool in found if isinstance(tool, str)))


_ONCE = ("--fromstart", "--notail")


def _inputs(files: Sequence[str]) -> list[str]:
    return [f"--input={file}" for file in files]


def _ripgrep(name: str, patterns: str) -> Tool | str:
    # Ours match bytes; with classes of all of Unicode's characters ripgrep would be hundreds of times slower.
    found = _installed(
        name, "rg", lambda files: ["rg", "-j1", "-a", "-z", "-c", "--no-unicode", "-f", patterns, *files]
    )
    return found._replace(reads_packed=True) if isinstance(found, Tool) else found


def _installed(
    name: str, program: str, command: Callable[[list[str]], list[str]], asked: str = "--version"
) -> Tool | str:
    if not shutil.which(program):
        return name
    said = subprocess.run([program, asked], capture_output=True, text=True, check=False).stdout
    return Tool(name, said.splitlines()[0] if said else "", lambda files: command(list(map(str, files))))


def _package(name: str, package: str, command: Callable[[list[str]], list[str]]) -> Tool | str:
    if find_spec(package) is None:
        return name
    try:
        known = version(package)
    except PackageNotFoundError:
        known = ""
    return Tool(name, f"{package} {known}", lambda files: command(list(map(str, files))))


def _drain3(python: Path | None) -> Tool | str:
    if python is None:
        return "drain3"
    asked = "from importlib.metadata import version; print('drain3', version('drain3'))"
    said = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    if said.returncode:
        return "drain3"
    script = str(Path(__file__).with_name("drain.py"))
    return Tool("drain3", said.stdout.strip(), lambda files: [str(python), script, *map(str, files)])


def _rule_of_sec(pattern: str) -> str:
    return f"type=Single\nptype=RegExp\npattern={pattern}\ndesc=found\naction=none\n"


def _lines(path: Path, lines: "map[str] | list[str]") -> str:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)
