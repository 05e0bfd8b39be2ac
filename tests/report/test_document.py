"""Tests of the JSON document and of its published schema."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from logsleuth import __version__
from logsleuth.model import analysis as model
from logsleuth.report import schema
from logsleuth.report.document import to_document, to_json
from tests.report.analyses import CASES, several

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema.json"


@pytest.mark.parametrize("case", CASES)
def test_every_document_keeps_the_published_schema(case: str) -> None:
    document = json.loads(to_json(CASES[case]()))
    schema.Document.model_validate(document, strict=False)
    jsonschema.validate(document, json.loads(PUBLISHED.read_text(encoding="utf-8")))


@pytest.mark.parametrize("wrong", [{"extra": 1}, {"schema": "logsleuth/2"}, {"verdicts": [{"id": "v1"}]}])
def test_another_document_does_not_keep_it(wrong: dict[str, object]) -> None:
    document = {**to_document(several()), **wrong}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, json.loads(PUBLISHED.read_text(encoding="utf-8")))


def test_the_published_schema_is_not_stale(tmp_path: Path) -> None:
    fresh = tmp_path / "schema.json"
    subprocess.run([sys.executable, "-m", "logsleuth.report.schema", str(fresh)], check=True)
    again = "write it anew: python -m logsleuth.report.schema docs/schema.json"
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == json.loads(fresh.read_text(encoding="utf-8")), again


@pytest.mark.parametrize(
    "record", ["Evidence", "Culprits", "Since", "Echo", "Verdict", "Job", "Span", "Problem", "Input"]
)
def test_the_document_holds_every_field_of_the_records(record: str) -> None:
    fields = [field.name for field in dataclasses.fields(getattr(model, record))]
    assert list(getattr(schema, record).model_fields) == fields


def test_the_document_says_what_the_records_say() -> None:
    document: dict[str, Any] = to_document(several())
    assert document["schema"] == "logsleuth/1"
    assert document["version"] == __version__
    assert [verdict["cause"] for verdict in document["verdicts"]][:2] == ["killed", "checkpoint-save-failed"]
    first = document["verdicts"][0]
    assert first["culprits"] == {"ranks": [2], "local_ranks": [], "hosts": ["node-7"]}
    assert first["evidence"][0]["line"] == 48
    assert first["explains"][0] == {
        "rule": "peer.lost",
        "title": "A process lost the connection to a peer.",
        "occurrences": 3,
        "ranks": [0, 1, 3],
    }


def test_the_document_is_ascii_and_survives_any_text() -> None:
    text = to_json(CASES["hostile"]())
    assert text.isascii()
    assert json.loads(text) == to_document(CASES["hostile"]())
