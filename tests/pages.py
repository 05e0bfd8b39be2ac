"""Pages of documentation whose commands are run, and whose shown outputs are what they print.

The words behind a fence's language say how a block is run:

- ``sh``: by a test, in a folder that holds the fixtures and the files that the page shows;
- ``sh setup``: by ``.ci/run``, from a fresh clone, for it installs; of the first one the last command is run here too;
- ``sh e2e``: by the end-to-end tests, for it needs torch;
- ``sleuth NAME``: not run; the block is the file of that name.

``status=1`` is the exit status that a command must end with; without it, 0. A ``text`` block right behind a command is
its whole output. ``python -m tests.pages`` writes what the commands print into these blocks, and the grammar into the reference.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import grammar_text

ROOT = Path(__file__).parents[1]
WIDTH = 100
"""Columns of the reports that the pages show."""
_FENCE = re.compile(r"^```(\w+)[ ]?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    words: tuple[str, ...]
    text: str
    shown: str | None
    """What the page shows as the command's output."""
    span: tuple[int, int]
    """Where that stands in the page."""

    @property
    def status(self) -> int:
        """The exit status that the command must end with."""
        return next((int(word.removeprefix("status=")) for word in self.words if word.startswith("status=")), 0)

    @property
    def command(self) -> str:
        """What a test can run of it: all, or of a set-up what comes after it."""
        return self.text.split("&&")[-1] if "setup" in self.words else self.text


@dataclass(frozen=True)
class Page:
    """A page, by its path from the root of the repository."""

    name: str

    @property
    def path(self) -> Path:
        return ROOT / self.name

    @cached_property
    def blocks(self) -> list[Block]:
        """Its fenced blocks, in order."""
        text = self.path.read_text(encoding="utf-8")
        found = list(_FENCE.finditer(text))
        blocks = []
        for match, following in zip(found, [*found[1:], None], strict=True):
            is_output = following and following[1] == "text" and not text[match.end() : following.start()].strip()
            shown, span = (following[3], following.span(3)) if following and is_output else (None, (0, 0))
            blocks.append(Block(match[1], tuple(match[2].split()), match[3], shown, span))
        return blocks

    @property
    def setup(self) -> list[Block]:
        """The commands that install."""
        return [block for block in self.blocks if block.language == "sh" and "setup" in block.words]

    @property
    def commands(self) -> list[Block]:
        """The commands that a test runs."""
        return [
            *self.setup[:1],
            *(block for block in self.blocks if block.language == "sh" and not {"setup", "e2e"} & set(block.words)),
        ]

    def furnish(self, folder: Path, command: Block | None = None) -> None:
        """Makes a working directory: the fixtures, the page's files, and this environment in place of a new one.

        Of a file that the page shows again and again, as a reader edits it, a command sees what stands before it.
        """
        shutil.copytree(ROOT / "fixtures", folder / "fixtures")
        for block in self.blocks[: self.blocks.index(command) if command else None]:
            if block.language == "sleuth" and block.words and block.words[0] != "example":
                file = folder / block.words[0]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block.text, encoding="utf-8")
        (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)

    def write_outputs(self) -> None:
        """Writes what the commands print into the page."""
        text = self.path.read_text(encoding="utf-8")
        for block in reversed(self.commands):
            if block.shown is not None:
                with TemporaryDirectory() as folder:
                    self.furnish(Path(folder), block)
                    output = run(block.command, Path(folder)).stdout
                text = text[: block.span[0]] + output + text[block.span[1] :]
        self.path.write_text(text, encoding="utf-8")


README = Page("README.md")
HANDBOOK = Page("docs/handbook.md")
PAGES = [
    README,
    Page("docs/tutorial.md"),
    Page("docs/monitors.md"),
    HANDBOOK,
    Page("docs/flight_recorder.md"),
    Page("docs/preflight.md"),
]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a command of a page does in the folder that was furnished for it."""
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


if __name__ == "__main__":
    grammar_text.write()
    for page in PAGES:
        page.write_outputs()
