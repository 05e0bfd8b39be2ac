"""Finds what a test expects and can never come."""

from collections.abc import Iterator, Mapping

from logsleuth.language import syntax as s
from logsleuth.language.messages import WARNING, Message


def check_expectations(test: s.Test, rules: Mapping[str, s.Rule]) -> Iterator[Message]:
    """A warning for each expectation of a test that no log fulfils."""
    causes = {rule.cause for rule in rules.values()}
    wanted = {expected.name for expected in test.expectations if expected.kind in ("rule", "open rule")}
    for expected in test.expectations:
        rule = rules.get(expected.name)
        if expected.kind == "rule" and rule and not rule.culprit and expected.culprits not in ("", "nobody"):
            remedy = "Give the rule a culprit, or expect 'culprit nobody'."
            yield _never(expected.at, f"'{rule.name}' has no culprit, so it names nobody", remedy)
        elif expected.kind == "no rule" and expected.name in wanted:
            yield _never(expected.at, f"the test expects '{expected.name}' and none of it", "Remove one of the two.")
        elif expected.kind == "cause" and expected.name not in causes:
            yield _never(expected.at, f"no rule has the cause '{expected.name}'", "Expect the cause of a rule.")


def _never(at: s.Place, why: str, remedy: str) -> Message:
    return Message("LS246", at, f"this can never be so: {why}", remedy, WARNING)
