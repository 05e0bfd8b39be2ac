"""Which rules and events somebody asks for: by area, cause, severity and words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from logsleuth.authoring.vocabulary import no_cause, vocabulary
from logsleuth.language import syntax as s
from logsleuth.language.messages import did_you_mean
from logsleuth.language.program import Program
from logsleuth.model.analysis import Severity


class UnknownError(ValueError):
    """A filter names what there is not; the text says so and suggests what there is."""


class Choice(NamedTuple):
    """What is asked for; an empty part asks for nothing."""

    area: str = ""
    """The first part of the name."""
    cause: str = ""
    severity: str = ""
    words: tuple[str, ...] = ()
    """All of them must be found, in whatever case."""

    @property
    def is_everything(self) -> bool:
        """Whether nothing is asked for."""
        return self == Choice()

    def rules(self, program: Program) -> list[s.Rule]:
        """The rules that fit, by name. Raises UnknownError."""
        self._check(program, program.rules)
        rules = sorted(program.rules.values(), key=lambda rule: rule.name)
        return [rule for rule in rules if self._fits_rule(rule)]

    def events(self, program: Program) -> list[s.Event]:
        """The events that fit, by name; a cause or a severity is nothing that an event has. Raises UnknownError."""
        if self.cause or self.severity:
            raise UnknownError("events have no cause and no severity; ask for an area or for words")
        self._check(program, program.events)
        events = sorted(program.events.values(), key=lambda event: event.name)
        return [event for event in events if self._is_in_area(event.name) and self._finds(_texts_of_event(event))]

    def causes(self, program: Program) -> list[str]:
        """The causes that fit, in the order of the vocabulary."""
        if self.area or self.severity:
            raise UnknownError("causes have no area and no severity; ask for words")
        self._check(program, ())
        known = vocabulary(program)
        return [name for name in known if self.cause in ("", name) and self._finds((name, known[name].meaning))]

    def _check(self, program: Program, names: Iterable[str]) -> None:
        areas = sorted({name.partition(".")[0] for name in names})
        if self.area and self.area not in areas:
            raise _unknown("area", self.area, areas)
        if self.cause and self.cause not in (known := vocabulary(program)):
            raise UnknownError(no_cause(self.cause, known))
        levels = [level.value for level in Severity]
        if self.severity and self.severity not in levels:
            raise _unknown("severity", self.severity, levels)

    def _is_in_area(self, name: str) -> bool:
        return self.area in ("", name.partition(".")[0])

    def _fits_rule(self, rule: s.Rule) -> bool:
        return (
            self._is_in_area(rule.name)
            and self.cause in ("", rule.cause)
            and self.severity in ("", rule.severity)
            and self._finds((rule.name, rule.doc, rule.verdict, rule.remedy, rule.cause))
        )

    def _finds(self, texts: Iterable[str]) -> bool:
        whole = " ".join(" ".join(texts).split()).casefold()
        return all(" ".join(word.split()).casefold() in whole for word in self.words)


def _texts_of_event(event: s.Event) -> tuple[str, ...]:
    return (event.name, event.doc, *(wording.text for wording in event.wordings), *(x.text for x in event.samples))


def _unknown(what: str, name: str, known: Sequence[str]) -> UnknownError:
    remedy = did_you_mean(name, known) or f"Known are {', '.join(known)}."
    return UnknownError(f"there is no {what} '{name}'. {remedy}")
