"""How a trace is told."""

from logsleuth.model.trace import Trace
from logsleuth.report.trace import compose


def test_a_rule_without_a_sentence_has_no_line_for_it() -> None:
    told, untold = (compose(Trace("a.b", title, "killed", "x.sleuth:1", ())) for title in ("A rank fell", ""))
    assert len(told) == len(untold) + 1
