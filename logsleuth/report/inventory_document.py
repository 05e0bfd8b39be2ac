"""What was found in logs as a plain document: what ``logsleuth inspect --format json`` prints.

The published schema is stated in ``logsleuth.report.inventory_schema``; a test keeps the two equal. Every key is
always there.
"""

import json

from logsleuth import __version__
from logsleuth.model.inventory import FoundJob, FoundSource, Gap, Inventory
from logsleuth.report.document import Json, job_document, problem_document, span_document

SCHEMA = "logsleuth-inspect/1"
"""Name and major version of the document's form. Keys may be added under the same name, never removed or renamed."""


def to_document(inventory: Inventory) -> Json:
    """The inventory as dictionaries, lists, strings, numbers, booleans and None."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "jobs": [_job(one) for one in inventory.jobs],
        "sources": [_source(source) for source in inventory.sources],
        "unread": [{"path": one.path, **problem_document(one.problem)} for one in inventory.unread],
        "remarks": [{"text": remark.text, "sources": list(remark.sources)} for remark in inventory.remarks],
        "shortest_gap": inventory.shortest_gap,
        "notes": list(inventory.notes),
    }


def to_json(inventory: Inventory) -> str:
    """The document as JSON text that ends in a newline; in ASCII, which every output encoding can take."""
    return json.dumps(to_document(inventory), indent=2) + "\n"


def _job(one: FoundJob) -> Json:
    return {
        **job_document(one.job),
        "gaps": [_gap(gap) for gap in one.gaps],
        "more_gaps": one.more_gaps,
        "repeats": [{"source": r.source, "other": r.other, "lines": r.lines} for r in one.repeats],
    }


def _source(source: FoundSource) -> Json:
    writers = source.writers
    return {
        "source": source.source,
        "pieces": list(source.pieces),
        "format": source.format,
        "layout": source.layout,
        "encoding": source.encoding,
        "bytes": source.bytes,
        "lines": source.lines,
        "events": source.events,
        "framing": list(source.framing),
        "writers": {
            "ranks": list(writers.ranks),
            "local_ranks": list(writers.local_ranks),
            "hosts": list(writers.hosts),
            "tasks": list(writers.tasks),
            "processes": list(writers.processes),
        },
        "attempts": list(source.attempts),
        "span": span_document(source.span),
        "has_year": source.has_year,
        "has_zone": source.has_zone,
        "jobs": list(source.jobs),
        "copy_of": source.copy_of,
        "gaps": [_gap(gap) for gap in source.gaps],
        "problems": [problem_document(problem) for problem in source.problems],
    }


def _gap(gap: Gap) -> Json:
    return {
        "seconds": gap.seconds,
        "after": gap.after,
        "before": gap.before,
        "ranks": list(gap.ranks),
        "local_ranks": list(gap.local_ranks),
        "hosts": list(gap.hosts),
        "lines": None if gap.lines is None else list(gap.lines),
    }
