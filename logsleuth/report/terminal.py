"""The report for a terminal, a pipe or a file: the answer first, in words that need no colour."""

import os
from collections.abc import Sequence
from io import StringIO
from itertools import accumulate
from typing import Literal, TextIO, cast

from rich.cells import chop_cells
from rich.console import Console
from rich.style import Style
from rich.text import Text

from logsleuth.model.analysis import SEVERITY_ORDER, Analysis, Severity, Verdict
from logsleuth.report import overview, verdict
from logsleuth.report.page import BLANK, Line, Page, Span, Tone, Wrap, prose, section
from logsleuth.report.printable import printable

NARROWEST, WIDEST = 50, 200
WIDTH_UNKNOWN = 100
"""Columns where nobody says how many there are: a pipe, a file."""
WIDEST_PROSE = 100
"""Columns of text for reading; lines of logs may use the whole width."""

ColorSystem = Literal["standard", "256", "truecolor", "windows"]
"""What rich calls a terminal's colours."""
_STYLES = {
    Tone.PLAIN: Style(),
    Tone.STRONG: Style(bold=True),
    Tone.FAINT: Style(dim=True),
    Tone.ALARM: Style(bold=True, color="red"),
    Tone.CAUTION: Style(bold=True, color="yellow"),
    Tone.CALM: Style(color="cyan"),
}


def render(analysis: Analysis, stream: TextIO) -> str:
    """The report as text for ``stream``: with its width, its colours (none for a pipe) and its encoding."""
    return draw(compose(analysis), stream)


def compose(analysis: Analysis) -> Page:
    """What the report says, line by line."""
    if not overview.was_anything_read(analysis):
        return overview.nothing_read(analysis)
    return [*_answer(analysis), *_why_not(analysis)]


def _why_not(analysis: Analysis) -> list[Line]:
    if not analysis.why_not:
        return []
    from logsleuth.report import why_not  # Few ask.

    return [line for asked in analysis.why_not for line in why_not.compose(asked)]


def _answer(analysis: Analysis) -> Page:
    if len(analysis.jobs) > 1 and analysis.verdicts:
        return _job_by_job(analysis)
    found, notes = _parted(analysis.verdicts)
    page: Page = []
    if not found:
        page += overview.nothing_wrong(analysis)
    elif _loudest(found) == Severity.WARNING:
        page += [prose("No failure in these logs, but something that is worth a look.", tone=Tone.STRONG), BLANK]
    page += _told(found, notes, analysis)
    return [*page, *overview.untold(analysis, found[0].unknowns if found else ()), *overview.footer(analysis)]


def _job_by_job(analysis: Analysis) -> Page:
    """The newest job as if it were alone; of every other what was found, in short."""
    newest, *others = analysis.jobs
    found, notes = _parted([one for one in analysis.verdicts if one.job == newest.id])
    page = [prose(f"Job {newest.id}, the newest of {len(analysis.jobs)} jobs in these logs:", tone=Tone.STRONG), BLANK]
    if not found:
        page.append(prose("Nothing wrong found.", indent=2))
    page += _told(found, notes, analysis)
    for job in others:
        of_job = [one for one in analysis.verdicts if one.job == job.id]
        told = verdict.in_short(of_job, f"Job {job.id}", analysis)
        page += told or section(f"Job {job.id}", [prose("Nothing wrong found.", indent=2)])
    return [*page, *overview.untold(analysis, found[0].unknowns if found else ()), *overview.footer(analysis)]


def _parted(verdicts: Sequence[Verdict]) -> tuple[list[Verdict], list[Verdict]]:
    """Those of which one is the answer, and those that are only worth knowing."""
    return [one for one in verdicts if not one.is_note], [one for one in verdicts if one.is_note]


def _told(found: Sequence[Verdict], notes: Sequence[Verdict], analysis: Analysis) -> Page:
    return [
        *(verdict.in_full(found[0], analysis) if found else []),
        *verdict.in_short(found[1:], "Also found", analysis),
        *verdict.in_short(notes, "Worth knowing", analysis),
    ]


def _loudest(verdicts: Sequence[Verdict]) -> Severity:
    return max((one.severity for one in verdicts), key=SEVERITY_ORDER.__getitem__)


def draw(page: Page, stream: TextIO) -> str:
    """The page wrapped, coloured and encoded as ``stream`` can take it; no row ends in blanks."""
    encoding = stream.encoding or "utf-8"
    width = _width(stream)
    looks = Console(file=stream).color_system
    # Rich must not write to the stream itself: what a write can meet is the caller's to handle.
    paper = StringIO()
    console = Console(
        file=paper,
        width=width,
        color_system=cast("ColorSystem | None", looks),
        force_terminal=looks is not None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for line in page:
        for row in _rows(line, width, console, encoding):
            console.print(row, soft_wrap=True)
    return paper.getvalue()


def _width(stream: TextIO) -> int:
    """Columns of the paper: COLUMNS, else those of the terminal, within what can be laid out well."""
    try:
        width = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        try:
            width = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            width = 0
    return min(max(width, NARROWEST), WIDEST) if width > 0 else WIDTH_UNKNOWN


def _rows(line: Line, width: int, console: Console, encoding: str) -> list[Text]:
    lead = styled((line.lead,), encoding)
    text = styled(line.spans, encoding)
    margin = line.indent + lead.cell_len
    measure = max((min(width, WIDEST_PROSE) if line.wrap is Wrap.PROSE else width) - margin, 1)
    rows = _folded(text, measure) if line.wrap is Wrap.FULL else list(text.wrap(console, measure))
    if line.most_rows is not None and len(rows) > line.most_rows:
        rows = [*rows[: line.most_rows - 1], _cut(rows[line.most_rows - 1], measure, encoding)]
    drawn = []
    for number, row in enumerate(rows):
        start = Text(" " * line.indent) + lead if number == 0 else Text(" " * margin)
        whole = start + row
        whole.rstrip()
        drawn.append(whole)
    return drawn


def _folded(text: Text, measure: int) -> list[Text]:
    """The text in rows that are as full as they can be."""
    ends = list(accumulate(len(piece) for piece in chop_cells(text.plain, measure)))
    return list(text.divide(ends[:-1]))


def _cut(row: Text, measure: int, encoding: str) -> Text:
    """The row with a mark that something is missing behind it."""
    mark = printable("…", encoding)
    row.rstrip()
    row.truncate(max(measure - len(mark), 1))
    row.append(mark, style=_STYLES[Tone.FAINT])
    return row


def styled(spans: tuple[Span, ...], encoding: str) -> Text:
    """Spans as rich draws them, harmless to a terminal of this encoding."""
    text = Text()
    for span in spans:
        text.append(printable(span.text, encoding), style=_STYLES[span.tone])
    return text
