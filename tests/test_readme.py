"""The README is true: its commands are run, and what it shows is what they print.

The words behind a fence's language say how a block is run:

- ``sh``: by a test here, in a folder that holds the fixtures and the files that the README shows;
- ``sh status=1``: likewise, and it must end with that exit status;
- ``sh setup``: by ``.ci/run``, from a fresh clone, for it installs; of the first one the last command is run here too;
- ``sh e2e``: by the end-to-end tests, for it needs torch;
- ``sleuth NAME``: not run; the block is the file of that name.

A ``text`` block right behind a command is its whole output.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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

    @property
    def status(self) -> int:
        return next((int(word.removeprefix("status=")) for word in self.words if word.startswith("status=")), 0)


def _blocks() -> list[Block]:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = list(FENCE.finditer(readme))
    blocks = []
    for at, match in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        is_output = following and following[1] == "text" and not readme[match.end() : following.start()].strip()
        shown = following[3] if following and is_output else None
        blocks.append(Block(match[1], tuple(match[2].split()), match[3], shown))
    return blocks


BLOCKS = _blocks()
SETUP = [block for block in BLOCKS if block.language == "sh" and "setup" in block.words]
COMMANDS = [block for block in BLOCKS if block.language == "sh" and not {"setup", "e2e"} & set(block.words)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with the fixtures, the README's files, and this environment where a set-up would make one."""
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    for block in BLOCKS:
        if block.language == "sleuth" and block.words:
            file = tmp_path / block.words[0]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
    (tmp_path / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    return tmp_path


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
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


def test_the_first_command_prints_what_is_shown(folder: Path) -> None:
    done = _run(SETUP[0].text.split("&&")[-1], folder)
    assert (done.stdout, done.stderr, done.returncode) == (SETUP[0].shown, "", SETUP[0].status)


@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: " ".join(block.text.split())[:60])
def test_a_command_does_what_is_shown(block: Block, folder: Path) -> None:
    done = _run(block.text, folder)
    assert done.returncode == block.status, done.stdout + done.stderr
    if block.shown is not None:
        assert done.stdout == block.shown
