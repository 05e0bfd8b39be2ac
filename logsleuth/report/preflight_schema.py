"""The published schema of ``preflight --format json``, stated as pydantic models; see ``logsleuth.report.schema``.

``python -m logsleuth.report.preflight_schema FILE`` writes it as JSON Schema (``docs/preflight.schema.json``).
"""

import json
import sys
from pathlib import Path
from typing import Literal

from pydantic import Field

from logsleuth.report.preflight_document import SCHEMA
from logsleuth.report.schema import Count, Input, Record, Verdict

Standing = Literal["fine", "not fine", "not looked at"]


class Told(Record):
    """What one tool told of a node."""

    probe: str = Field(description="Name of the probe; `docs/preflight.md` has them all.")
    source: str | None = Field(description="The output as evidence cites it; null where there is none.")
    exit: str | None = Field(
        description="The tool's exit status, or `absent`, `refused`, `timeout`, `endless`; null where nothing tells it."
    )
    at: str | None = Field(description="When it was collected, ISO 8601 in UTC; null where nothing tells it.")
    command: str | None = Field(description="What was run; null where nothing tells it.")
    standing: Standing = Field(
        description="`fine`: it was read. Whether a verdict speaks against the node is said of the question."
    )
    why: str = Field(description="Why it was not looked at; empty where it was.")
    lines: Count
    events: Count = Field(description="Lines that the rules know.")


class Asked(Record):
    """A question about a node, and its answer."""

    question: str
    title: str
    standing: Standing = Field(description="`fine`: an output was read, and no verdict speaks against it.")
    why: str = Field(description="Why it could not be looked at; empty where it was.")
    verdicts: list[str] = Field(description="`id` of the verdicts that speak against it.")
    told: list[Told]


class Node(Record):
    """A node that was looked at."""

    host: str = Field(description="Its name; `(unnamed node)` where nothing tells it.")
    standing: Standing = Field(description="The worst that is known of it.")
    questions: list[Asked]


class Document(Record):
    """What `logsleuth preflight --format json` prints.

    Exit status 0: all that could be looked at is fine; 1: something is not; 2: nothing could be looked at.
    """

    schema_: Literal["logsleuth-preflight/1"] = Field(alias="schema", description="Form of this document.")
    version: str = Field(description="Version of logsleuth.")
    standing: Standing = Field(description="Of all nodes together.")
    nodes: list[Node]
    verdicts: list[Verdict] = Field(description="As in `logsleuth analyze --format json`.")
    inputs: list[Input] = Field(description="The outputs that were read, and what could not be.")
    notes: list[str]


def schema_text() -> str:
    """The JSON Schema (draft 2020-12) of the document, as it stands in ``docs/preflight.schema.json``."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
    return json.dumps(schema | {"title": SCHEMA}, indent=2) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
