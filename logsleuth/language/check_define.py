"""Checks definitions by themselves, and says what they mean once all definitions that they use are put in place."""

from collections.abc import Iterable, Mapping

from logsleuth.language import syntax as s
from logsleuth.language.check_condition import ConditionChecker, Names
from logsleuth.language.expand import Expansion, Meaning, Notes
from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.limits import LONGEST_CHAIN
from logsleuth.language.messages import Message
from logsleuth.language.substitute import SCOPE_NAMES, parts

_ABOUT_NAMES = ("LS201", "LS202", "LS203", "LS204", "LS208", "LS214", "LS215", "LS216")
"""What is wrong whatever an argument will be; of other findings that is so only where no parameter takes part."""


class Definitions:
    """All definitions; each is checked once, when it is first asked for."""

    def __init__(self, declared: Iterable[s.Definition], names: Names) -> None:
        ordered = sorted(declared, key=lambda one: (one.at.file, one.at.line, one.at.column))
        self.declared: Mapping[str, s.Definition] = {one.name: one for one in ordered}
        self.names = names
        self.errors: list[Message] = []
        self.notes: Notes = {}
        self._meanings: dict[str, Meaning | None] = {}
        self._open: list[str] = []
        """Those that are being worked out, each used by the one before it."""

    def check(self) -> None:
        """Looks at all of them, used or not."""
        for definition in self.declared.values():
            try:
                self.meaning(definition.name, definition.at)
            except RecursionError:
                self._meanings |= dict.fromkeys([*self._open, definition.name])
                self._open.clear()
                text = f"'{definition.name}' and what it uses are nested too deeply"
                self._error("LS228", definition.at, text, "Write some of it out.")

    def meaning(self, name: str, at: s.Place) -> Meaning | None:
        """What a definition means; None where it has errors. ``at`` is the place that asks."""
        if name in self._open:
            self._circle(self._open[self._open.index(name) :])
        elif name not in self._meanings and len(self._open) >= LONGEST_CHAIN:
            text = f"more than {LONGEST_CHAIN} definitions use one another, one after the other"
            self._error("LS228", at, text, "Write some of them out.")
            return None
        elif name not in self._meanings:
            self._open.append(name)
            found = self._worked_out(self.declared[name])
            self._open.pop()
            self._meanings.setdefault(name, found)
        return self._meanings.get(name)

    def _error(self, code: str, at: s.Place, text: str, remedy: str = "") -> None:
        self.errors.append(Message(code, at, text, remedy))

    def _circle(self, circle: list[str]) -> None:
        """Tells a circle at the first of its definitions; all of it is without a meaning."""
        first = min(circle, key=list(self.declared).index)
        start = circle.index(first)
        around = [*circle[start:], *circle[:start], first]
        text = f"'{first}' is defined by itself: {' -> '.join(around)}"
        self._error("LS222", self.declared[first].at, text, "Break the circle: a definition must come to an end.")
        for name in circle:
            self._meanings[name] = None

    def _worked_out(self, definition: s.Definition) -> Meaning | None:
        before = len(self.errors)
        for part in parts(definition.body):
            # Asked for here and not where they stand, so that a chain of them is not as deep as all bodies together.
            if isinstance(part, s.Call) and part.function in self.declared:
                self.meaning(part.function, part.at)
        self._check_names(definition)
        self._check_bindings(definition)
        parameters = frozenset(name for name, _ in definition.parameters)
        expansion = Expansion(self, parameters=parameters)
        body = expansion.node(definition.body)
        self.errors += expansion.errors
        self.notes |= expansion.notes
        if len(self.errors) == before:
            self._check_unused(definition, body)
        if len(self.errors) > before or definition.name in self._meanings:
            return None
        self.errors += self._check_body(definition, body)
        uses = tuple(expansion.used.values())
        return Meaning(definition, body, uses) if len(self.errors) == before else None

    def _check_names(self, definition: s.Definition) -> None:
        if definition.name in FUNCTIONS or definition.name in SCOPE_NAMES:
            what = "a function" if definition.name in FUNCTIONS else "the members"
            text = f"'{definition.name}' is {what} of the language"
            self._error("LS224", definition.at, text, "Choose another name.")
        seen: set[str] = set()
        for name, at in definition.parameters:
            if name in seen or name in SCOPE_NAMES or name == definition.name:
                text = f"the parameter '{name}' stands here a second time" if name in seen else f"'{name}' is taken"
                self._error("LS224", at, text, "Choose another name.")
            seen.add(name)

    def _check_bindings(self, definition: s.Definition) -> None:
        for part in parts(definition.body):
            if isinstance(part, s.Pattern | s.Step) and part.binding:
                text = f"'{definition.name}' binds a name, 'as {part.binding}', that nobody could speak of"
                remedy = "A definition says whether something holds; bind names where it is used."
                self._error("LS223", part.reference.at, text, remedy)

    def _check_unused(self, definition: s.Definition, body: s.Node) -> None:
        said: set[str] = set()
        for part in parts(body):
            match part:
                case s.Parameter() | s.Values():
                    said.add(part.name)
                case s.Reference():
                    said.add(part.event)
                case s.Together():
                    said.add(part.binding)
                case s.Members():
                    said.add(part.of)
        is_broken = any(isinstance(part, s.Parameter) and not part.name for part in parts(body))
        for name, at in definition.parameters:
            if name not in said and not is_broken:
                remedy = "Leave it out, here and where the definition is used."
                self._error("LS225", at, f"'{definition.name}' does not use its parameter '{name}'", remedy)

    def _check_body(self, definition: s.Definition, body: s.Node) -> list[Message]:
        """What is wrong with it whatever its arguments are."""
        parameters = [name for name, _ in definition.parameters]
        anything = {name: s.Let(name, s.Parameter(name, "", at), "", at) for name, at in definition.parameters}
        checker = ConditionChecker(
            definition.name,
            self.names._replace(
                fields={**self.names.fields, **dict.fromkeys(parameters)},
                lists={**self.names.lists, **{n: s.ListOf(n, (), (), definition.at) for n in parameters}},
            ),
        )
        checker.lets = anything
        checker.node(body)
        depends = {part.at for part in parts(body) if hasattr(part, "at") and _speaks_of_parameters(part)}
        return [m for m in checker.errors if m.code in _ABOUT_NAMES or m.place not in depends]


def _speaks_of_parameters(node: object) -> bool:
    return any(isinstance(part, s.Parameter) for part in parts(node))
