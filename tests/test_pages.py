"""The README, the tutorial and the handbook are true: their commands are run, and what they show is what these print."""

import json
import re
from pathlib import Path

import pytest

from tests.pages import PAGES, README, Block, Page, run

COMMANDS = [(page, block) for page in PAGES for block in page.commands]


def test_two_commands_do_all_the_setting_up() -> None:
    assert len(README.setup) == 2
    assert all(
        block.text.startswith("python3 -m venv .venv && ") and block.text.count("\n") == 1 for block in README.setup
    )


@pytest.mark.parametrize(
    ("page", "block"), COMMANDS, ids=lambda x: x.name if isinstance(x, Page) else " ".join(x.command.split())[:60]
)
def test_a_command_does_what_is_shown(page: Page, block: Block, tmp_path: Path) -> None:
    page.furnish(tmp_path, block)
    done = run(block.command, tmp_path)
    assert (done.stderr, done.returncode) == ("", block.status)
    if block.shown is not None:
        assert done.stdout == block.shown


def test_every_key_of_the_table_is_in_the_json(tmp_path: Path) -> None:
    README.furnish(tmp_path)
    document = json.loads(
        run("logsleuth analyze fixtures/logs/process/killed/one_of_four --format json", tmp_path).stdout
    )
    rows = re.findall(r"^\| (`[a-z_]+(?:\[\]\.[a-z_]+)?`.*?) \|", README.path.read_text(encoding="utf-8"), re.MULTILINE)
    keys = [tuple(key.split("[].")) for row in rows for key in re.findall(r"`(.*?)`", row)]
    assert {key[0] for key in keys} == set(document) - {"schema", "version"}
    assert {key[1] for key in keys if len(key) > 1} <= set(document["verdicts"][0])
