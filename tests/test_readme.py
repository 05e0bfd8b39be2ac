"""The README is true: its commands are run, and what it shows is what they print.

The words behind a fence's language say how a block is run:

- ``sh``: by a test here, in a folder that holds the fixtures and the files that the README shows;
- ``sh setup``: by ``.ci/run``, from a fresh clone, for it installs; of the first one the last command is run here too;
- ``sh e2e``: by the end-to-end tests, for it needs torch;
- ``sleuth NAME``: not run; the block is the file of that name.

``status=1`` is the exit status that a command must end with; without it, 0. A ``text`` block right behind a command is
its whole output. ``python tests/test_readme.py`` writes what the commands print into these blocks.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
FENCE = re.compile(r"^```(\w+)[ ]?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WIDTH = 100
"""Columns of the reports that the README shows."""


@dataclass(frozen=True)
class Block:
    language: str
    words: tuple[str, ...]
    text: str
    shown: str | None
    """What the README shows as the command's output."""
    span: tuple[int, int]
    """Where that stands in the README."""

    @property
    def status(self) -> int:
        return next((int(word.removeprefix("status=")) for word in self.words if word.startswith("status=")), 0)

    @property
    def command(self) -> str:
        """What a test can run of it: all, or of a set-up what comes after it."""
        return self.text.split("&&")[-1] if "setup" in self.words else self.text


def blocks(readme: str) -> list[Block]:
    """The fenced blocks of a README."""
    found = list(FENCE.finditer(readme))
    result = []
    for match, following in zip(found, [*found[1:], None], strict=True):
        is_output = following and following[1] == "text" and not readme[match.end() : following.start()].strip()
        shown, span = (following[3], following.span(3)) if following and is_output else (None, (0, 0))
        result.append(Block(match[1], tuple(match[2].split()), match[3], shown, span))
    return result


BLOCKS = blocks(README.read_text(encoding="utf-8"))
SETUP = [block for block in BLOCKS if block.language == "sh" and "setup" in block.words]
COMMANDS = [
    *SETUP[:1],
    *(block for block in BLOCKS if block.language == "sh" and not {"setup", "e2e"} & set(block.words)),
]


def furnish(folder: Path) -> None:
    """Makes a working directory: the fixtures, the README's files, and this environment in place of a new one."""
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    for block in BLOCKS:
        if block.language == "sleuth" and block.words:
            file = folder / block.words[0]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": str(WIDTH), "LOGSLEUTH_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_two_commands_do_all_the_setting_up() -> None:
    assert len(SETUP) == 2
    assert all(block.text.startswith("python3 -m venv .venv && ") and block.text.count("\n") == 1 for block in SETUP)


@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: " ".join(block.command.split())[:60])
def test_a_command_does_what_is_shown(block: Block, tmp_path: Path) -> None:
    furnish(tmp_path)
    done = run(block.command, tmp_path)
    assert (done.stderr, done.returncode) == ("", block.status)
    if block.shown is not None:
        assert done.stdout == block.shown


def test_every_key_of_the_table_is_in_the_json(tmp_path: Path) -> None:
    furnish(tmp_path)
    document = json.loads(
        run("logsleuth analyze fixtures/logs/process/killed/one_of_four --format json", tmp_path).stdout
    )
    rows = re.findall(r"^\| (`[a-z_]+(?:\[\]\.[a-z_]+)?`.*?) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    keys = [tuple(key.split("[].")) for row in rows for key in re.findall(r"`(.*?)`", row)]
    assert {key[0] for key in keys} == set(document) - {"schema", "version"}
    assert {key[1] for key in keys if len(key) > 1} <= set(document["verdicts"][0])


def _write_outputs() -> None:
    readme = README.read_text(encoding="utf-8")
    for block in reversed(COMMANDS):
        if block.shown is not None:
            with TemporaryDirectory() as folder:
                furnish(Path(folder))
                output = run(block.command, Path(folder)).stdout
            readme = readme[: block.span[0]] + output + readme[block.span[1] :]
    README.write_text(readme, encoding="utf-8")


if __name__ == "__main__":
    _write_outputs()
