"""Judges what tools tell of nodes: asks this node, or reads what was saved, and puts it to the rules."""

import os
import zlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from logsleuth.drivers.batch import judged
from logsleuth.drivers.node_by_node import by_node
from logsleuth.drivers.reading import read
from logsleuth.drivers.standing import Given, nodes
from logsleuth.engine.copies import without_copies
from logsleuth.engine.plan import plan
from logsleuth.ingest.discover import discover
from logsleuth.ingest.labels import label
from logsleuth.ingest.open import open_source
from logsleuth.language.library import Library
from logsleuth.model.analysis import Analysis, Input, Problem
from logsleuth.model.origin import ByteStream, PathLabel, Source, Tag
from logsleuth.model.preflight import Preflight
from logsleuth.probes import node
from logsleuth.probes.saved import LOOKED_AT, Saved, first_words, node_of, recognised

_NO_OUTPUT = "It is not recognised as an output that is asked for here and was left out; `logsleuth analyze` reads it."
_LOG = "It was collected as a log of a job and was left out; `logsleuth analyze` reads logs."


class _Chosen(NamedTuple):
    given: list[Given]
    left_out: list[Input]


def of_this_node(library: Library) -> Preflight:
    """Asks this node everything that can be asked without harm, and judges the answers."""
    given = [
        Given(
            Source(output.path, made=output.text),
            output.probe,
            output.header.host,
            output.header,
            output.header.exit,
            first_words(output.body[:LOOKED_AT]),
            output.probe.questions(output.body[:LOOKED_AT].decode("utf-8", "replace")),
        )
        for output in node.outputs()
    ]
    return _judged(library, _Chosen(given, []))


def of_saved(library: Library, paths: Sequence[str]) -> Preflight:
    """Judges outputs that were saved: files, folders or archives, of one node or of many."""
    found = discover(paths)
    left_out = [Input(path, "none", problems=[problem]) for path, problem in found.problems]
    seen: list[tuple[Source, Saved, bytes]] = []
    for source in found.sources:
        try:
            with open_source(source) as stream:
                head = start_of(stream)
        except (OSError, EOFError, zlib.error) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            left_out.append(_left_out(source, Problem(f"It cannot be read: {reason}.", True)))
            continue
        saved = recognised(Path(source.path.rpartition("!")[2]).name, head)
        if saved is None:
            left_out.append(_left_out(source, Problem(_NO_OUTPUT)))
        else:
            seen.append((source, saved, head))
    logs = tuple({f"{place}logs/" for source, saved, _ in seen if (place := _collected_at(source.path, saved))})
    given = []
    for source, saved, head in seen:
        if saved.header is None and logs and source.path.startswith(logs):
            left_out.append(_left_out(source, Problem(_LOG)))
        else:
            host = saved.header.host if saved.header else _host(source.path, paths)
            answered = saved.probe.questions(head.decode("utf-8", "replace"))
            given.append(Given(source, saved.probe, host, saved.header, saved.exit, first_words(head), answered))
    return _judged(library, _Chosen(given, left_out))


def _left_out(source: Source, problem: Problem) -> Input:
    return Input(source.path, source.format, problems=[problem])


def _collected_at(path: str, saved: Saved) -> str | None:
    """Where what was collected with an output lies: the path in front of ``HOST/PROBE.txt``."""
    place = f"{saved.header.host}/{saved.probe.name}.txt" if saved.header else ""
    return path.removesuffix(place) if place and path.endswith(place) else None


def start_of(stream: ByteStream) -> bytes:
    """The bytes by which an output is recognised, however few the stream gives at once."""
    head = b""
    while len(head) < LOOKED_AT and (block := stream.read1(LOOKED_AT - len(head))):
        head += block
    return head


def _host(path: str, roots: Sequence[str]) -> str | None:
    """The node of an output that does not tell it: by the names beneath the argument that leads to it."""
    for root in sorted(roots, key=len, reverse=True):
        for mark in (os.sep, "!"):
            start = root.rstrip(os.sep) + mark
            if path.startswith(start):
                within = path.removeprefix(start)
                return label(within.replace("!", "/")).tag.host or node_of(within, Path(root).resolve().name)
    return label(path).tag.host


def _judged(library: Library, chosen: _Chosen) -> Preflight:
    program = library.program
    wanted = plan(program)
    # What the names around an output seem to tell besides its node counts for nothing.
    sources = [one.source._replace(label=PathLabel(Tag(host=one.host))) for one in chosen.given]
    reading = read(sources, program, wanted)
    inputs = [one[0] for one in reading.inputs]
    paths = [log.path for log in reading.logs]
    whole = without_copies(reading.state, reading.labels, paths)
    for copy, original in whole.copies.items():
        inputs[copy].problems.append(Problem(f"It repeats {paths[original]}, so it was counted once."))
    found = by_node(partial(judged, program, wanted, logs=reading.logs), whole)
    notes = (*library.notes, *reading.notes, *found.given_up)
    analysis = Analysis(found.verdicts, (found.job,), (*inputs, *chosen.left_out), notes)
    return Preflight(tuple(nodes(chosen.given, inputs, analysis.verdicts)), analysis)
