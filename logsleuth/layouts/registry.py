"""Which layouts there are, and which one a source has."""

from collections.abc import Iterable, Iterator
from itertools import chain

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts import (
    copied,
    cri,
    csv_export,
    docker,
    journal_export,
    json_document,
    json_lines,
    logfmt,
    metric_records,
    metric_rows,
    notebook,
    outputs,
    text_export,
)
from logsleuth.layouts.layout import HEAD, Layout, by_line
from logsleuth.model.label import OPENS, unlabelled

LINES = "lines"
"""The name of having none: records are lines as they stand."""

LAYOUTS: tuple[Layout, ...] = (
    Layout("tools", "outputs of tools (nvidia-smi -q, ibstat, df, ...)", outputs.recognised, by_line(outputs.Outputs)),
    Layout("docker", "docker's json-file driver", docker.recognises, docker.unfolded),
    Layout("cri", "containerd and CRI-O", cri.recognises, cri.unfolded),
    Layout(
        "metric-lines", "metrics, a JSON object a line", metric_records.are_lines, by_line(metric_records.MetricLines)
    ),
    Layout(
        "trainer-state",
        "trainer_state.json of transformers",
        metric_records.is_history,
        by_line(metric_records.History),
    ),
    Layout("metric-table", "metrics as CSV (Lightning, W&B)", metric_rows.is_table, by_line(metric_rows.MetricRows)),
    Layout("json", "JSON objects, one a line", json_lines.recognises, json_lines.unfolded),
    Layout("json-document", "a JSON document", json_document.recognises, json_document.unfolded),
    Layout("journal-export", "journalctl -o export", journal_export.recognises, journal_export.unfolded, True),
    Layout("csv", "an export as CSV", csv_export.recognises, csv_export.unfolded),
    Layout("text-export", "aws logs tail, logcli, Grafana's text", text_export.recognises, text_export.unfolded),
    Layout("logfmt", "time=... level=... msg=...", logfmt.recognises, logfmt.unfolded),
    Layout("notebook", "what the cells of a Jupyter notebook wrote", notebook.is_notebook, by_line(notebook.Notebook)),
    Layout(
        "copied",
        "text that was wrapped, numbered, quoted, boxed or escaped on its way",
        copied.is_copied,
        by_line(copied.Copied),
    ),
)
"""In the order in which they are tried."""


def names() -> list[str]:
    """What a user may call a layout, ``lines`` included."""
    return [LINES, *(layout.name for layout in LAYOUTS)]


def laid_out(chunks: Iterable[Chunk], name: str | None) -> tuple[str, Iterator[Chunk]]:
    """The name of the layout that the chunks of a source have, and the chunks with records unfolded.

    ``name`` is what a user says that it is; None leaves that to the head of its text. What is recognised does not
    depend on the size of chunks.
    """
    source = iter(chunks)
    waiting: list[Chunk] = []
    if name is None:
        name, waiting = _recognised(source)
    layout = next((layout for layout in LAYOUTS if layout.name == name), None)
    rest: Iterator[Chunk] = chain(waiting, source)
    if layout is None or not layout.has_lengths:
        rest = map(_unlabelled, rest)
    return (LINES, rest) if layout is None else (layout.name, layout.unfold(rest))


def _unlabelled(chunk: Chunk) -> Chunk:
    """The chunk, in which no log may claim to be of somebody else by writing our own label."""
    return chunk._replace(data=unlabelled(chunk.data)) if OPENS in chunk.data else chunk


def _recognised(chunks: Iterator[Chunk]) -> tuple[str, list[Chunk]]:
    """The layout's name, and the chunks that were taken to see it."""
    waiting: list[Chunk] = []
    length = 0
    for chunk in chunks:
        waiting.append(chunk)
        length += len(chunk.data)
        if length >= HEAD:
            break
    head = b"".join(chunk.data for chunk in waiting)[:HEAD]
    return next((layout.name for layout in LAYOUTS if layout.recognises(head)), LINES), waiting
