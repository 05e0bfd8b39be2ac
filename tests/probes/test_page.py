"""The page of preflight lists what is asked."""

import re
from pathlib import Path

from logsleuth.probes.kinds import Saved
from logsleuth.probes.node import command
from logsleuth.probes.table import PROBES, QUESTIONS

PAGE = Path(__file__).parents[2] / "docs" / "preflight.md"


def test_the_table_has_every_probe_with_its_question_and_command() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([\w-]+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    asked = [
        (
            question.title,
            probe.name,
            "only read: it would put a load on the node" if isinstance(probe.asks, Saved) else f"`{command(probe)}`",
        )
        for question in QUESTIONS
        for probe in PROBES
        if probe.question == question.name
    ]
    assert rows[2:] == asked
