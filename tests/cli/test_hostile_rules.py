"""Commands on files that are no rules: one clear answer, status 2, and never a traceback."""

import os
import sys
from pathlib import Path

import pytest

from tests.cli.program import run


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "folder.sleuth").mkdir()
    (folder / "binary.sleuth").write_bytes(bytes(range(256)))
    (folder / "loop.sleuth").symlink_to(folder / "loop.sleuth")
    if sys.platform != "win32":
        os.mkfifo(folder / "pipe.sleuth")
    return folder
