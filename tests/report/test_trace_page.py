"""How a trace is told."""

from logsleuth.model.trace import Judged, Trace
from logsleuth.report.trace import compose


def test_a_rule_without_a_sentence_has_no_line_for_it() -> None:
    judged = (Judged("", 0, "", (), "no", "seen a.b does not hold", ()),)
    told, untold = (compose(Trace("a.b", title, "killed", "x.sleuth:1", judged)) for title in ("A rank fell", ""))
    assert len(told) == len(untold) + 1
