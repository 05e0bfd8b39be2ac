"""A preflight as a plain document: what ``logsleuth preflight --format json`` prints.

The published schema is stated in ``logsleuth.report.preflight_schema``; a test keeps the two equal.
"""

import json

from logsleuth import __version__
from logsleuth.model.preflight import Asked, Node, Preflight, Told
from logsleuth.report.document import Json
from logsleuth.report.document import to_document as analysis_document

SCHEMA = "logsleuth-preflight/1"
"""Name and major version of the document's form. Keys may be added under the same name, never removed or renamed."""


def to_document(preflight: Preflight) -> Json:
    """The preflight as dictionaries, lists, strings, numbers and None; verdicts and inputs as those of an analysis."""
    analysis = analysis_document(preflight.analysis)
    return {
        "schema": SCHEMA,
        "version": __version__,
        "standing": preflight.standing.value,
        "nodes": [_node(node) for node in preflight.nodes],
        **{key: analysis[key] for key in ("verdicts", "inputs", "notes")},
    }


def to_json(preflight: Preflight) -> str:
    """The document as JSON text that ends in a newline; in ASCII, which every output encoding can take."""
    return json.dumps(to_document(preflight), indent=2) + "\n"


def _node(node: Node) -> Json:
    return {
        "host": node.host,
        "standing": node.standing.value,
        "questions": [_asked(one) for one in node.asked],
    }


def _asked(asked: Asked) -> Json:
    return {
        "question": asked.question,
        "title": asked.title,
        "standing": asked.standing.value,
        "why": asked.why,
        "verdicts": list(asked.verdicts),
        "told": [_told(one) for one in asked.told],
    }


def _told(told: Told) -> Json:
    return {
        "probe": told.probe,
        "source": told.source,
        "exit": told.exit,
        "at": told.at,
        "command": told.command,
        "standing": told.standing.value,
        "why": told.why,
        "lines": told.lines,
        "events": told.events,
    }
