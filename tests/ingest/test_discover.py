"""What is found does not depend on how it was asked for, and what is left out is said."""

import bz2
import gzip
import io
import lzma
import os
import socket
import sys
from itertools import islice, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.ingest.discover import Discovery, discover, natural_key
from logsleuth.ingest.layers import head_of
from logsleuth.ingest.open import open_source
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source

LOG = b"step 1 loss 0.5\n"
MODEL = bytes(range(256)) * 16


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: str, data: bytes = LOG) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(data)


def paths(found: Discovery) -> list[str]:
    return [source.path for source in found.sources]


def clean(*arguments: str) -> list[str]:
    """The paths that are found, where nothing is wrong with any."""
    found = discover(arguments)
    assert found.problems == []
    return paths(found)


def only_problem(*arguments: str) -> tuple[str, Problem]:
    (problem,) = discover(arguments).problems
    return problem


def zstd_of(data: bytes) -> bytes:
    """A frame of one raw block, RFC 8878, as no library that packs is needed to run the tests."""
    return b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little") + (len(data) * 8 + 1).to_bytes(3, "little") + data


def test_a_folder_is_searched_at_all_depths_in_natural_order() -> None:
    for name in ("logs/rank_10/stderr.log", "logs/rank_2/stderr.log", "logs/rank_2/stdout.log", "logs/agent.out"):
        put(name)
    put("logs/rank_10.err")
    assert clean("logs") == [
        "logs/agent.out",
        "logs/rank_2/stderr.log",
        "logs/rank_2/stdout.log",
        "logs/rank_10/stderr.log",
        "logs/rank_10.err",
    ]


def test_paths_begin_as_they_were_given(here: Path) -> None:
    put("logs/a.log")
    for folder in ("logs", "./logs", "logs/../logs", str(here / "logs")):
        assert clean(folder) == [f"{folder}/a.log"]


def test_the_order_of_arguments_does_not_matter() -> None:
    put("logs/a.log")
    put("logs/deep/b.log")
    Path("link").symlink_to("logs")
    Path("b.log").symlink_to("logs/deep/b.log")
    arguments = ["logs", "link", "logs/deep", "logs/deep/b.log", "./logs/a.log", "b.log", "gone.log", "logs/*.txt", "-"]
    first = discover(arguments)
    assert paths(first) == ["-", "./logs/a.log", "logs/deep/b.log"]
    assert [path for path, _ in first.problems] == ["gone.log", "logs/*.txt"]
    for order in islice(permutations(arguments), 0, None, 5039):
        assert discover(order) == first


def test_one_file_counts_once_whatever_leads_to_it() -> None:
    put("a.log")
    Path("z.log").hardlink_to("a.log")
    Path("0.log").symlink_to("a.log")
    assert clean("a.log", "./a.log", "z.log", "0.log", "a.log") == ["./a.log"]
    assert clean(".", "0.log") == ["./a.log"]


def test_a_path_without_links_is_preferred() -> None:
    put("logs/run_7.log")
    Path("logs/latest.log").symlink_to("run_7.log")
    Path("logs/current").symlink_to(".")
    assert clean("logs") == ["logs/run_7.log"]


def test_a_linked_folder_elsewhere_is_searched() -> None:
    put("store/run_7/a.log")
    put("logs/b.log")
    Path("logs/a").symlink_to("../store")
    assert clean("logs") == ["logs/a/run_7/a.log", "logs/b.log"]


def test_links_in_circles_end() -> None:
    put("logs/a/x.log")
    put("logs/b/y.log")
    for folder in ("logs/a", "logs/b"):
        for name, target in (("up", ".."), ("a", "../a"), ("b", "../b"), ("self", ".")):
            Path(folder, name).symlink_to(target)
    assert clean("logs") == ["logs/a/x.log", "logs/b/y.log"]
    assert clean("logs/**/*.log") == ["logs/a/x.log", "logs/b/y.log"]


def test_a_link_to_nowhere_is_told() -> None:
    put("logs/a.log")
    Path("logs/old.log").symlink_to("gone.log")
    Path("logs/round").symlink_to("round")
    found = discover(["logs"])
    assert paths(found) == ["logs/a.log"]
    assert [(path, "leads nowhere" in problem.text, problem.fatal) for path, problem in found.problems] == [
        ("logs/old.log", True, False),
        ("logs/round", True, False),
    ]


def test_hidden_files_and_folders_are_left_out_unless_named() -> None:
    put("logs/.git/a.log")
    put("logs/.b.log")
    put("logs/c.log")
    assert clean("logs") == ["logs/c.log"]
    assert clean("logs/**") == ["logs/c.log"]
    assert clean("logs/.git", "logs/.b*") == ["logs/.b.log", "logs/.git/a.log"]


def test_patterns() -> None:
    for name in ("a1.log", "a2.log", "b1.log", "deep/er/a3.log", "deep/a4.txt"):
        put(f"logs/{name}")
    assert clean("logs/a?.log") == ["logs/a1.log", "logs/a2.log"]
    assert clean("logs/[!a]*.log") == ["logs/b1.log"]
    assert clean("logs/**/a*.log") == ["logs/a1.log", "logs/a2.log", "logs/deep/er/a3.log"]
    assert clean("lo*/d*") == ["logs/deep/a4.txt", "logs/deep/er/a3.log"]
    assert clean(str(Path.cwd() / "logs/b*")) == [str(Path.cwd() / "logs/b1.log")]


def test_a_file_whose_name_is_a_pattern_is_that_file() -> None:
    put("rank[0].log")
    put("rank0.log")
    assert clean("rank[0].log") == ["rank[0].log"]


@pytest.mark.parametrize("pattern", ["*.log", "gone/**/*.log", "a**b", "["])
def test_a_pattern_without_a_match_is_a_problem(pattern: str) -> None:
    path, problem = only_problem(pattern)
    assert path == pattern
    assert problem.text == "No file or folder matches this pattern."
    assert problem.fatal


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("gone.log", "no such file or folder"),
        ("a.log/b.log", "not a directory"),
        ("x" * 300, "too long"),
        ("nul\0.log", "null"),
        ("", "variable is not set"),
    ],
)
def test_arguments_that_lead_nowhere(argument: str, words: str) -> None:
    put("a.log")
    path, problem = only_problem(argument)
    assert path == argument
    assert words in problem.text
    assert problem.fatal


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    put("logs/a.log")
    put("logs/b.log")
    really_open = Path.open

    def guarded(path: Path, mode: str = "r") -> object:
        if path.name == "a.log":
            raise PermissionError(13, "Permission denied")
        return really_open(path, mode)

    monkeypatch.setattr(Path, "open", guarded)
    found = discover(["logs"])
    assert paths(found) == ["logs/b.log"]
    assert found.problems == [("logs/a.log", Problem("It cannot be read: permission denied.", fatal=True))]


def test_a_folder_that_may_not_be_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    put("logs/closed/a.log")
    put("logs/b.log")
    really_scan = os.scandir

    def guarded(folder: str) -> object:
        if folder.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return really_scan(folder)

    monkeypatch.setattr(os, "scandir", guarded)
    found = discover(["logs"])
    assert paths(found) == ["logs/b.log"]
    assert found.problems == [
        ("logs/closed", Problem("The folder could not be searched: permission denied.", fatal=True))
    ]


@pytest.mark.parametrize("name", ["train.py", "model.pt", "MODEL.SAFETENSORS", "events.out.tfevents.17.node-7.0"])
def test_files_named_like_no_log_are_passed_over_in_silence(name: str) -> None:
    put(f"logs/{name}", MODEL)
    put("logs/a.log")
    assert clean("logs") == ["logs/a.log"]
    assert clean("logs/*") == ["logs/a.log"]


@pytest.mark.parametrize(
    "name", ["train.py.log", "slurm-17.out", "train.o4711", "pt", "rank0", "error.json", "a.txt.1"]
)
def test_what_may_be_a_log_is_read(name: str) -> None:
    put(f"logs/{name}")
    assert clean("logs") == [f"logs/{name}"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        LOG,
        b"step 1 loss 0.5" + bytes(999) + b" torn here\n",
        b"\x1b[31mred\x1b[0m  5%|#    |\r 10%|##   |\r\n",
        "Schritt 1: Verlust \u20ac \u4e2d\n".encode(),
        "Fehler: gro\u00df\n".encode("latin-1"),
        "\ufeffstep 1\n".encode("utf-16-le"),
        bytes(300) + LOG * 30,
        bytes(9000) + LOG * 30,
    ],
    ids=["empty", "ascii", "nuls inside", "colours", "utf-8", "latin-1", "utf-16", "hole before", "long hole before"],
)
def test_text_is_known_by_its_content(data: bytes) -> None:
    put("logs/a", data)
    put("logs/b", gzip.compress(data))
    found = discover(["logs"])
    assert found.sources == [Source("logs/a"), Source("logs/b", "gzip")]


@pytest.mark.parametrize("data", [MODEL, bytes(5000), b"\x7fELF\2\1\1" + bytes(90), b"\x80\x04\x95\x0e" + bytes(9)])
def test_what_is_no_text_is_told_in_a_folder_and_read_if_named(data: bytes) -> None:
    put("logs/a.log")
    put("logs/core.17", data)
    found = discover(["logs"])
    assert paths(found) == ["logs/a.log"]
    ((path, problem),) = found.problems
    assert (path, problem.fatal) == ("logs/core.17", False)
    assert "does not look like text" in problem.text
    assert clean("logs", "logs/core.17") == ["logs/a.log", "logs/core.17"]
    assert clean("logs/core.17") == ["logs/core.17"]


def test_gzip_is_known_by_its_content_not_by_its_name() -> None:
    put("a.log", gzip.compress(LOG))
    put("b.log.gz", LOG)
    assert discover(["a.log", "b.log.gz"]) == Discovery([Source("a.log", "gzip"), Source("b.log.gz", "text")], [])


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (zstd_of(LOG), "zstd"),
        (b"\x50\x2a\x4d\x18\4\0\0\0abcd" + zstd_of(LOG), "zstd"),
        (bz2.compress(LOG), "bzip2"),
        (bz2.compress(b""), "bzip2"),
        (lzma.compress(LOG), "xz"),
        (zstd_of(gzip.compress(LOG)), "zstd"),
    ],
    ids=["zstd", "pzstd", "bzip2", "empty bzip2", "xz", "gzip in zstd"],
)
def test_packings_are_known_by_content(data: bytes, format: str) -> None:
    put("logs/packed", data)
    assert discover(["logs"]) == Discovery([Source("logs/packed", format)], [])


@pytest.mark.parametrize(
    ("data", "remedy"),
    [
        (b"\x1f\x9d\x90" + bytes(99), "uncompress"),
        (b"\x04\x22\x4d\x18" + bytes(99), "lz4 -d"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(99), "7z x"),
        (gzip.compress(b"Rar!\x1a\x07" + bytes(99)), "unrar x"),
    ],
    ids=["compress", "lz4", "7z", "rar.gz"],
)
def test_what_is_not_unpacked_is_told_with_the_remedy(data: bytes, remedy: str) -> None:
    put("logs/a.log")
    put("logs/packed", data)
    for arguments in (["logs"], ["logs", "logs/packed"]):
        found = discover(arguments)
        assert paths(found) == ["logs/a.log"]
        ((path, problem),) = found.problems
        assert (path, problem.fatal) == ("logs/packed", True)
        assert f"`{remedy}`" in problem.text


def test_what_is_packed_more_than_twice_is_told() -> None:
    put("a.log.gz", gzip.compress(gzip.compress(gzip.compress(LOG))))
    assert "packed more than 2 times" in only_problem("a.log.gz")[1].text


def test_special_files_in_folders_are_left_out() -> None:
    put("logs/a.log")
    os.mkfifo("logs/pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("logs/socket")
        found = discover(["logs"])
    assert paths(found) == ["logs/a.log"]
    assert [(path, problem.fatal) for path, problem in found.problems] == [("logs/pipe", False), ("logs/socket", False)]


def test_the_only_pipe_is_looked_at_and_read_from_its_start() -> None:
    reading, writing = os.pipe()
    os.write(writing, LOG)
    os.close(writing)
    path = f"/dev/fd/{reading}"
    (source,) = discover([path]).sources
    assert (source.path, source.format) == (path, "text")
    with open_source(source) as stream:
        assert head_of(stream, 100) == LOG
    os.close(reading)


def test_of_several_pipes_none_is_opened_as_one_program_may_write_them_in_turn() -> None:
    os.mkfifo("one")
    os.mkfifo("other")
    assert discover(["one", "other"]) == Discovery([Source("one"), Source("other")], [])


def test_standard_input_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG)))
    assert clean("-", "-") == ["-"]


def test_standard_input_that_cannot_be_read_is_a_source_whose_reader_is_told() -> None:
    assert discover(["-"]) == Discovery([Source("-")], [])  # pytest takes it away.


def test_a_folder_without_logs_is_a_problem() -> None:
    Path("empty").mkdir()
    put("code/train.py")
    for argument in ("empty", "code"):
        assert only_problem(argument) == (
            argument,
            Problem("Nothing in this folder could be read as a log. Name a file itself to have it read.", fatal=True),
        )
    path, problem = only_problem("code/*.py")
    assert path == "code/*.py"
    assert (
        problem.text == "Nothing that matches this pattern could be read as a log. Name a file itself to have it read."
    )


def test_a_folder_whose_logs_another_argument_leads_to_has_logs() -> None:
    put("logs/deep/a.log")
    Path("view").mkdir()
    Path("view/deep").symlink_to("../logs/deep")
    assert clean("logs", "logs/deep", "view") == ["logs/deep/a.log"]


def test_no_arguments_are_no_logs() -> None:
    assert discover([]) == Discovery([], [])


@given(st.text("a0129/-."), st.text("a0129/-."))
def test_two_different_paths_always_have_an_order(one: str, other: str) -> None:
    assert (natural_key(one) < natural_key(other)) + (natural_key(other) < natural_key(one)) == (one != other)


@given(st.integers(0, 10**40), st.integers(0, 10**40))
def test_numbers_in_names_sort_by_value(one: int, other: int) -> None:
    assert (natural_key(f"rank_{one}.log") < natural_key(f"rank_{other}.log")) == (one < other)
