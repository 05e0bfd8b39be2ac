"""``logsleuth dumps`` in a process of its own."""

import sys
from pathlib import Path
from subprocess import run

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs" / "flight_recorder"


def _dumps(*paths: Path) -> tuple[int, str, str]:
    done = run(
        [sys.executable, "-m", "logsleuth", "dumps", *map(str, paths)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_lines_have_the_numbers_that_evidence_cites() -> None:
    status, out, _ = _dumps(FIXTURES / "rank_missing")
    assert status == 0
    path, *lines = out.splitlines()[-4:]
    assert path == f"{FIXTURES / 'rank_missing' / 'fr_trace_rank_1'}!entries"
    assert lines[2].startswith("    3  [rank1]: [PG ID 0 PG GUID 0(default_pg) Rank 1] recorder: never called #4 ")


def test_no_dump_at_all(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("step 1\n")
    (tmp_path / "nccl_trace_rank_0").touch()
    status, out, error = _dumps(tmp_path)
    assert (status, out) == (2, "")
    assert "nccl_trace_rank_0: It is a flight-recorder dump that could not be read: it is empty" in error
    assert "there is no flight-recorder dump" in error
