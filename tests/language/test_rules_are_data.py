"""Rules are data: what stands in a rule file runs nothing, reaches nothing, and reads nothing but logs beside it."""

import ast
import builtins
import io
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from logsleuth.language import codec, library, syntax
from logsleuth.language.library import compile_texts, read_rules
from logsleuth.language.messages import RulesError
from logsleuth.testing.runner import run_test, run_tests

PACKAGE = Path(library.__file__).parents[1]
DANGEROUS = {
    "subprocess",
    "socket",
    "ctypes",
    "pickle",
    "marshal",
    "shelve",
    "multiprocessing",
    "http",
    "urllib",
    "importlib",
    "runpy",
    "code",
}
RULES = """
event a.fell { line "fell with code {code:int}" sample "fell with code 9" gives code = 9 }
rule a.rule {
  severity error
  cause    killed
  when     some rank has a.fell[text matches `f\\w+` and code > 2] as fall
  culprit  fall
  verdict  "{fall} ran $(touch /tmp/x) and `id` and {{__import__('os')}}"
  see      "https://example.org/"
}
test "it fell" { log rank 0 \"\"\"fell with code 9\"\"\" expect a.rule }
"""


@pytest.mark.parametrize("area", ["language", "engine", "diagnosis", "testing", "tokenize"])
def test_what_reads_and_judges_rules_can_run_nothing(area: str) -> None:
    for file in (PACKAGE / area).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & DANGEROUS, f"{file}:{getattr(node, 'lineno', 0)}"
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            assert called not in ("eval", "exec", "compile", "__import__"), f"{file}:{getattr(node, 'lineno', 0)}"
            attribute = node.attr if isinstance(node, ast.Attribute) else ""
            assert attribute not in ("system", "popen", "fork", "execv", "spawnv"), (
                f"{file}:{getattr(node, 'lineno', 0)}"
            )


def test_rules_are_compiled_and_judged_without_any_process_or_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a rule reached out")

    for module, names in (
        (subprocess, ["Popen", "run"]),
        (os, ["system", "popen", "fork", "execv"]),
        (socket, ["socket"]),
    ):
        for name in names:
            monkeypatch.setattr(module, name, refuse)
    program = compile_texts({"x.sleuth": RULES})
    assert not run_test(program.tests[0], program).failure


def test_compiling_opens_no_file_but_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    real = io.open

    def spy(file: object, *args: object, **kwargs: object) -> object:
        opened.append(str(file))
        return real(file, *args, **kwargs)  # type: ignore[call-overload]

    monkeypatch.setattr(io, "open", spy)
    monkeypatch.setattr(builtins, "open", spy)
    compile_texts({"x.sleuth": RULES})
    assert [name for name in opened if not name.endswith((".lark", ".py", ".pyc"))] == []


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../../../etc/passwd",
        "a/../../b",
        "~/x",
        "C:/x",
        "..\\x",
        "\\\\host\\share",
        "file:///etc/passwd",
        "a\0b",
    ],
)
@pytest.mark.parametrize("clause", ['logs "PATH"', 'log "PATH" """fell with code 9"""'])
def test_a_test_neither_reads_nor_writes_outside(path: str, clause: str) -> None:
    text = RULES + 'test "outside" { ' + clause.replace("PATH", path.replace("\\", "\\\\")) + " expect a.rule }"
    with pytest.raises(RulesError) as told:
        compile_texts({"x.sleuth": text})
    assert [message.code for message in told.value.messages] == ["LS251"]
    assert "leads out of the folder of the rules" in str(told.value)


def test_logs_are_found_in_the_folders_above_the_rules_but_not_all_of_them(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c" / "d" / "e"
    deep.mkdir(parents=True)
    rules = deep / "x.sleuth"
    rules.write_text(RULES + 'test "beside" { logs "here.log" expect a.rule }')
    for place, is_found in ((deep, True), (deep.parents[2], True), (deep.parents[3], False)):
        (place / "here.log").write_text("fell with code 9\n")
        failures = [result for result in run_tests([str(rules)]).results if result.failure]
        assert (not failures) is is_found
        (place / "here.log").unlink()


def test_a_cache_holds_nothing_that_runs() -> None:
    with pytest.raises(KeyError):
        codec.decode(["Path", "/etc/passwd"])
    with pytest.raises(KeyError):
        codec.decode(["__import__", "os"])
    assert all(cls.__module__.startswith("logsleuth.language") for cls in codec._CLASSES.values())
    assert codec._CLASSES.keys() <= vars(syntax).keys()


def test_files_that_are_no_rules_are_told(tmp_path: Path) -> None:
    (tmp_path / "folder.sleuth").mkdir()
    (tmp_path / "binary.sleuth").write_bytes(bytes(range(256)))
    (tmp_path / "zero.sleuth").write_bytes(b"\0" * 100)
    (tmp_path / "loop.sleuth").symlink_to(tmp_path / "loop.sleuth")
    (tmp_path / "gone.sleuth").symlink_to(tmp_path / "nowhere")
    (tmp_path / "up").symlink_to(tmp_path, target_is_directory=True)
    expected = {"folder.sleuth", "binary.sleuth", "loop.sleuth", "gone.sleuth"}
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe.sleuth")
        expected.add("pipe.sleuth")
    with pytest.raises(RulesError) as told:
        read_rules([tmp_path])
    assert {Path(message.place.file).name for message in told.value.messages} == expected
    assert {message.code for message in told.value.messages} == {"LS001"}
