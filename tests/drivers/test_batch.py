"""The public entry point."""

from pathlib import Path

from logsleuth import analyze

KILLED = Path(__file__).parents[2] / "fixtures/logs/process/killed/one_of_four"


def test_one_path_may_stand_by_itself() -> None:
    alone = analyze(KILLED, local_rules=False)
    assert alone == analyze(str(KILLED), local_rules=False) == analyze([KILLED], local_rules=False)
    assert alone.verdicts[0].culprits.ranks == (2,)
    assert alone.failed
