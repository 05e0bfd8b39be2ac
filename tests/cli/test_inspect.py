"""``logsleuth inspect`` from outside: what it prints, its exit statuses, and the bar of a long reading."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from logsleuth.report import inventory_schema

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).with_name("golden")
PUBLISHED = ROOT / "docs" / "inspect.schema.json"
TWO_NODES = "fixtures/logs/inspect/two_nodes"

Logsleuth = Callable[..., int]
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("two_nodes", [TWO_NODES]),
        ("one_stream", ["fixtures/logs/healthy/torchrun/one_stream", "fixtures/logs/gone"]),
    ],
)
def test_the_report(name: str, paths: list[str], logsleuth: Logsleuth, capsys: Captured) -> None:
    """``LOGSLEUTH_WRITE_GOLDEN=1`` writes it anew."""
    assert logsleuth("inspect", "--no-local-rules", *paths) == 0
    out, err = capsys.readouterr()
    golden = GOLDEN / f"inspect_{name}.txt"
    if os.environ.get("LOGSLEUTH_WRITE_GOLDEN"):
        golden.write_text(out, encoding="utf-8")
    assert (out, err) == (golden.read_text(encoding="utf-8"), "")


def test_the_document_is_as_published(logsleuth: Logsleuth, capsys: Captured) -> None:
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    for paths in ([TWO_NODES], ["fixtures/logs/process", "fixtures/logs/flight_recorder"], ["fixtures/logs/healthy"]):
        assert logsleuth("inspect", "--format", "json", *paths) == 0
        document = json.loads(capsys.readouterr().out)
        jsonschema.validate(document, schema)
        assert document["schema"] == "logsleuth-inspect/1"
        assert document["sources"]


def test_the_published_schema_is_that_of_the_models() -> None:
    again = "write it anew: python -m logsleuth.report.inventory_schema docs/inspect.schema.json"
    assert PUBLISHED.read_text(encoding="utf-8") == inventory_schema.schema_text(), again


def test_no_path_is_a_usage_error_with_an_example(logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("inspect") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "logsleuth inspect logs/" in err


@pytest.mark.parametrize("output_format", ["terminal", "json"])
def test_nothing_that_can_be_read(output_format: str, logsleuth: Logsleuth, capsys: Captured, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.log")
    assert logsleuth("inspect", gone, "--format", output_format) == 2
    out, err = capsys.readouterr()
    assert "Nothing could be read" in err
    assert "There is no such file or folder" in re.sub(r"\s+", " ", err)
    if output_format == "json":
        document = json.loads(out)
        assert (document["sources"], document["unread"][0]["path"]) == ([], gone)
    else:
        assert out == ""


def test_one_log_that_can_be_read_is_enough(logsleuth: Logsleuth, capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "rank_0.log").write_text("step 1\n")
    assert logsleuth("inspect", str(tmp_path / "gone.log"), str(tmp_path / "rank_0.log")) == 0
    out, err = capsys.readouterr()
    assert "gone.log: There is no such file or folder" in re.sub(r"\s+", " ", out)
    assert err == ""


def test_bad_rules_are_told(logsleuth: Logsleuth, capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "bad.sleuth").write_text("rule {")
    assert logsleuth("inspect", TWO_NODES, "--rules", str(tmp_path / "bad.sleuth")) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "bad.sleuth:1" in err


def test_hostile_names_and_text_are_printed_harmlessly(logsleuth: Logsleuth, capsys: Captured, tmp_path: Path) -> None:
    folder = tmp_path / "no\x1b[31mde\u202e\n"
    folder.mkdir()
    lines = [
        f"[pod/\x1b]0;worker-\x9b{n % 2}\u202e/main] 2026-03-14 09:{n:02}:00,000 INFO \x1b[2J\x07 step {n}"
        for n in range(0, 60, 5)
    ]
    (folder / "rank_1\u2028.log").write_text("\n".join(lines), encoding="utf-8")
    (folder / "zero\x9b.log").write_bytes(b"")
    assert logsleuth("inspect", str(tmp_path)) == 0
    out, _ = capsys.readouterr()
    assert "rank_1" in out
    assert all(character.isprintable() or character == "\n" for character in out)
    assert logsleuth("inspect", str(tmp_path), "--format", "json") == 0
    out, _ = capsys.readouterr()
    assert out.isascii()
    json.loads(out)


def test_many_sources_that_are_alike_are_told_together(logsleuth: Logsleuth, capsys: Captured, tmp_path: Path) -> None:
    for rank in range(40):
        folder = tmp_path / f"node-{rank // 8}"
        folder.mkdir(exist_ok=True)
        (folder / f"rank_{rank}.log").write_text(f"2026-03-14 09:00:{rank:02},000 INFO step\n" * (1 + rank))
    (tmp_path / "node-3/rank_40.log").write_text("")
    logsleuth("inspect", str(tmp_path))
    out, _ = capsys.readouterr()
    assert "/node-*/rank_*.log(40sources)" in "".join(out.split())
    rows = [row.strip() for row in out.splitlines()]
    assert "ranks 0-39 on node-0, node-1, node-2, node-3 and node-4; text" in rows
    assert "2026-03-14 09:00:00.000 to 09:00:39.000" in rows
    assert any(row.endswith("820 lines, ascii, in each 1 to 40 lines") for row in rows)
    assert any(row.endswith("node-3/rank_40.log") for row in rows)


def test_many_sources_are_counted(logsleuth: Logsleuth, capsys: Captured, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"train-{'x' * number}.log").write_text(f"step {number}\n")
    logsleuth("inspect", str(tmp_path))
    out, _ = capsys.readouterr()
    assert "and 16 more sources (--format json tells all)" in out
    logsleuth("inspect", str(tmp_path), "--format", "json")
    assert len(json.loads(capsys.readouterr().out)["sources"]) == 40


def test_the_public_names() -> None:
    import logsleuth

    found = logsleuth.inspect(TWO_NODES, local_rules=False)
    assert isinstance(found, logsleuth.Inventory)
    assert isinstance(found.jobs[0], logsleuth.FoundJob)
    assert isinstance(found.jobs[0].gaps[0], logsleuth.Gap)
    assert all(isinstance(source, logsleuth.FoundSource) for source in found.sources)
    assert isinstance(found.remarks[0], logsleuth.Remark)
    assert "inspect" in dir(logsleuth)


# The bar

AT_ONCE = """
import sys
import logsleuth.cli.progress as progress
from logsleuth.cli.main import main
progress.PATIENCE = progress.BETWEEN = 0.0
main(sys.argv[1:])
"""
"""The program, with a bar that does not wait until a reading has become long."""


def at_terminal(arguments: list[str], environment: dict[str, str], stdin: bytes = b"") -> tuple[int, str, str]:
    """Exit status, stdout and what a terminal at stderr was given."""
    terminal, theirs = pty.openpty()
    shown = b""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment}
    variables.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
    with subprocess.Popen(
        [sys.executable, "-c", AT_ONCE, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=variables,
        cwd=ROOT,
    ) as process:
        os.close(theirs)
        assert process.stdin
        assert process.stdout
        process.stdin.write(stdin)
        process.stdin.close()
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:  # Linux: the other side is closed.
                break
            if not part:
                break
            shown += part
        out = process.stdout.read()
    os.close(terminal)
    return process.returncode, out.decode(), shown.decode()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    for rank in range(3):
        line = f"2026-03-14 09:00:0{rank},000 INFO writes a line of no interest\n"
        (folder / f"rank_{rank}.log").write_text(line * (3 << 20 >> 6))
    return folder


def without_drawing(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)


@pytest.mark.parametrize("command", [["analyze"], ["inspect"], ["inspect", "--format", "json"]])
def test_a_long_reading_shows_how_far_it_is(command: list[str], logs: Path) -> None:
    status, out, shown = at_terminal([*command, str(logs)], {"COLUMNS": "100"})
    text = without_drawing(shown)
    assert status == 0
    total = sum(path.stat().st_size for path in logs.iterdir()) / (1 << 20)
    assert f"/{total:.1f} MiB" in text
    assert "0 of 3 logs" in text
    assert "2 of 3 logs" in text
    assert re.search(r"[\d.]+ [kMG]i?B/s", text)
    # It is taken away, and the report is none of its business.
    assert shown.rstrip().endswith(("\x1b[2K", "\x1b[?25h", "\x1b[1A\x1b[2K"))
    quiet = subprocess.run(
        [sys.executable, "-m", "logsleuth", *command, str(logs)],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
    )
    assert (quiet.stdout, quiet.stderr) == (out, "")


@pytest.mark.parametrize(
    ("arguments", "environment"), [(["--no-progress"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": "unknown"})]
)
def test_no_bar_where_none_is_wanted(arguments: list[str], environment: dict[str, str], logs: Path) -> None:
    status, out, shown = at_terminal(["inspect", *arguments, str(logs)], environment)
    assert (status, shown) == (0, "")
    assert "3 sources" in out


def test_a_bar_without_colours(logs: Path) -> None:
    _, _, shown = at_terminal(["inspect", str(logs)], {"NO_COLOR": "1"})
    assert "of 3 logs" in shown
    assert not re.search(r"\x1b\[[0-9;]*(?:3[0-9]|4[0-9]|9[0-7])m", shown)


def test_what_has_no_known_length_is_counted(logs: Path) -> None:
    text = (logs / "rank_0.log").read_bytes()
    status, _, shown = at_terminal(["inspect", "-", str(logs / "rank_1.log")], {"COLUMNS": "100"}, text)
    assert status == 0
    assert re.search(r"[\d.]+/\? (?:MiB|bytes)", without_drawing(shown))
