"""What rules that can run hardly mean as they say it: warnings, which only ``rules check`` tells.

They are worked out of a checked program, and never where it is only to be run.
"""

from collections.abc import Iterator

from logsleuth.language.check_absence import check_absence
from logsleuth.language.check_cause import unused_causes
from logsleuth.language.check_duplicates import check_same_rules
from logsleuth.language.check_expectations import check_expectations
from logsleuth.language.check_explains import check_circles, check_explains
from logsleuth.language.check_fields import check_kinds
from logsleuth.language.check_levels import check_levels
from logsleuth.language.check_reachable import check_reachable
from logsleuth.language.check_unused import check_unused
from logsleuth.language.kinds import Kinds
from logsleuth.language.messages import Message
from logsleuth.language.program import Program, series_of
from logsleuth.language.syntax import Place


def suspicions(program: Program) -> list[Message]:
    """Every warning about the program's rules and events."""
    # What a list names stands there, and not in the rules that name the list.
    listed = {at for chosen in program.lists.values() for _, at in chosen.events}
    return [
        *(message for event in program.events.values() for message in check_kinds(event)),
        *_of_rules(program, listed),
        *check_circles(program, listed),
        *check_same_rules(program.rules),
        *unused_causes(program.causes, program.rules.values()),
        *(message for test in program.tests for message in check_expectations(test, program.rules)),
    ]


def _of_rules(program: Program, listed: set[Place]) -> Iterator[Message]:
    fields = {name: program.fields(name) for name in program.events}
    series = series_of(program.events)
    for rule in program.rules.values():
        kinds = Kinds(rule, fields, series)
        yield from check_unused(rule, kinds)
        yield from check_absence(rule, program.events, series)
        yield from check_reachable(rule, program.events, kinds)
        yield from check_explains(rule, listed)
        yield from check_levels(rule)
