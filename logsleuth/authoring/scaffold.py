"""The text of a new rule file: an event, a rule and two tests, with comments that say how to go on."""

from typing import NamedTuple

from logsleuth.authoring.line_template import LineTemplate, TypedHole

_LONGEST_VERDICT = 120
_LONGEST_GIVEN = 100
_AMOUNTS = {"duration": "60 s", "percent": "90%", "bytes": "1 GiB", "float": "10", "int": "10"}
"""What a rule might ask to be exceeded, by the type of a hole; what says most of a trouble first."""


class Draft(NamedTuple):
    """What a rule file is made of."""

    name: str
    """Of the rule: ``area.name``."""
    cause: str
    line: str
    template: LineTemplate
    floats: bool
    """Whether the template may begin anywhere in a message."""
    names_culprit: bool
    """Whether the test asks who is named."""
    near_miss: str
    shipped_event: str
    """The event that reads the line already; empty for one of its own."""
    notes: tuple[str, ...]
    """What the author should know of the line."""
    rivals: tuple[str, ...] = ()
    """Rules that find the same line; of them the one that asks for more is told."""

    @property
    def event(self) -> str:
        """The event on which the rule decides."""
        return self.shipped_event or f"{self.name}_line"

    def text(self) -> str:
        """The rule file; ends with a newline."""
        notes = "".join(f"# {note}\n" for note in self.notes)
        parts = [*([] if self.shipped_event else [self._event()]), self._rule(), self._tests()]
        return f"{notes}\n" * bool(notes) + "\n".join(parts)

    def _event(self) -> str:
        about = "".join(f"  about {key} {{{hole}}}\n" for key, hole in self.template.about)
        gives = ", ".join(given for hole in self.template.holes if (given := _given(hole)))
        return (
            "# 1. The line. What changes is a hole {name:type}; a template need not reach the end of the line.\n"
            "#    Add a `line` and a `sample` for every other wording of the same fact.\n"
            f'event {self.event} """Say in a sentence what the line means.""" {{\n'
            f'  line "{_quoted(("{...}" if self.floats else "") + _template(self.template))}"\n'
            f"{about}"
            f'  sample "{_quoted(self.line)}"\n' + (f"    gives {gives}\n" if gives else "") + "}\n"
        )

    def _rule(self) -> str:
        return (
            "# 2. What follows from it.\n"
            f'rule {self.name} """Say in a sentence what went wrong.""" {{\n'
            f"  severity {'fatal' if self.rivals else 'error'}"
            "  # fatal: the job ended by it; error; warning: worth a look; info: a note\n"
            f"  cause    {self.cause}  # `logsleuth rules list --causes` prints the vocabulary\n"
            f"{self._hint()}"
            f"  when     some rank has {self.event} as found\n"
            f"{self._more_conditions()}"
            "  culprit  found\n"
            "  # What is only an echo of it, so that it is not told as a cause of its own:\n"
            "  # explains peer.lost, collective.timeout on other ranks\n"
            f'  verdict  "{_quoted(self._verdict())}"\n'
            '  remedy   """\n'
            "    - Say what to do first, and where to look.\n"
            '    """\n'
            '  next     """\n'
            "    - Say what to collect if that does not help.\n"
            '    """\n'
            "}\n"
        )

    def _more_conditions(self) -> str:
        """What makes the rule ask for more than its rivals, until the author knows better."""
        if not self.rivals:
            return ""
        text = _quoted(str(self.template.longest_text().pieces[0]))
        return (
            f"  # Of rules that rest on one line the one with more conditions is told: {', '.join(self.rivals)}\n"
            "  # may rest on this one too. Put in the place of these what is special about yours:\n"
            f'  when     found.text contains "{text}"\n'
            "  when     count(found) >= 1\n"
            "  needs    count(ranks) >= 1\n"
        )

    def _hint(self) -> str:
        whom = {hole for _, hole in self.template.about}
        numbers = [hole for hole in self.template.holes if hole.type in _AMOUNTS and hole.name not in whom]
        if self.shipped_event or not numbers:
            return ""
        telling = min(numbers, key=lambda hole: list(_AMOUNTS).index(hole.type))
        asked = f"{self.event}[{telling.name} > {_AMOUNTS[telling.type]}]"
        return f"  # To ask for more than the line: {asked}\n"

    def _verdict(self) -> str:
        if self.shipped_event:
            return "{found} wrote a line that means trouble"
        told, length = "", 0
        for piece in self.template.pieces:
            length += len(piece) if isinstance(piece, str) else len(piece.text)
            if length > _LONGEST_VERDICT:
                break
            told += f"{{found.{piece.name}}}" if isinstance(piece, TypedHole) else _braced(piece)
        return f"{{found}}: {told.strip()}" if told.strip() else "{found} wrote a line that means trouble"

    def _tests(self) -> str:
        rank, label, culprit = self._whom()
        return (
            "# 3. A test in which it must be found, and one that only resembles it and must stay silent.\n"
            'test "the line is found" {\n'
            f'  log{label} """\n{_long(self.line)}\n"""\n'
            f"  expect {self.name}{culprit if rank is not None and self.names_culprit else ''}\n"
            "}\n\n"
            "# Put a line of a job that is well in its place, as like the other as you can find one.\n"
            'test "a line that only resembles it is no trouble" {\n'
            f'  log """\n{_long(self.near_miss)}\n"""\n'
            f"  expect no {self.name}\n"
            "}\n"
        )

    def _whom(self) -> tuple[int | None, str, str]:
        """The rank that must be named, with how the log says and how the test asks for it."""
        named = dict(self.template.about)
        if "rank" in named:
            rank = next(int(hole.text) for hole in self.template.holes if hole.name == named["rank"])
            return rank, "", f" culprit rank {rank}"
        if named:
            return None, "", ""
        if self.template.rank is not None:
            return self.template.rank, "", f" culprit rank {self.template.rank}"
        return 3, " rank 3", " culprit rank 3"


def _template(template: LineTemplate) -> str:
    return "".join(_hole(piece) if isinstance(piece, TypedHole) else _braced(piece) for piece in template.pieces)


def _hole(hole: TypedHole) -> str:
    return f"{{{hole.name}}}" if hole.type == "word" else f"{{{hole.name}:{hole.type}}}"


def _given(hole: TypedHole) -> str:
    """``waited = 95``; nothing for what cannot be written."""
    value = hole.value
    if isinstance(value, str):
        return f'{hole.name} = "{_quoted(value)}"' if len(value) <= _LONGEST_GIVEN else ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return f"{hole.name} = {value!r}" if isinstance(value, int | float) else ""


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _quoted(text: str) -> str:
    """Inside of ``"..."``."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")


def _long(text: str) -> str:
    """Inside of a text of several lines."""
    text = text.replace("\\", "\\\\").replace("\t", "\\t")
    return text.replace('"', '\\"') if '""' in text or text.endswith('"') else text
