"""How rules are found, compiled and kept."""

import json
import stat
from pathlib import Path

import pytest

from logsleuth.language import library
from logsleuth.language.library import (
    MARKER,
    cache_folder,
    check_rules,
    compile_library,
    compile_texts,
    load,
    read_rules,
    shipped_rules,
)
from logsleuth.language.messages import RulesError
from logsleuth.language.program import Program
from logsleuth.language.syntax import Place

EVENT = 'event {0}.seen "It was seen." {{ line "{0} was seen" sample "{0} was seen" }}\n'
OWN = EVENT + 'rule {0}.rule "A rule." {{ severity error cause killed when seen {0}.seen verdict "{0}" }}\n'


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, a cache of its own and a small shipped library."""
    work, shipped = tmp_path / "work", tmp_path / "site" / "library"
    work.mkdir()
    put(shipped / "area" / "one.sleuth", "shipped")
    (shipped / MARKER).write_text("The library.")
    monkeypatch.chdir(work)
    monkeypatch.setenv("LOGSLEUTH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(library, "_PACKAGE", tmp_path / "site")
    return work


def put(file: Path, area: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(OWN.format(area))


def rules(program: Program) -> list[str]:
    return sorted(program.rules)


# What is loaded


def test_the_shipped_library_of_a_checkout_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert (shipped_rules() / MARKER).is_file()
    assert list(shipped_rules().rglob("*.sleuth"))


def test_the_shipped_library_of_a_wheel_is_found(tmp_path: Path) -> None:
    assert shipped_rules() == tmp_path / "site" / "library"
    assert rules(load().program) == ["shipped.rule"]


def test_a_wheel_brings_its_library_compiled(tmp_path: Path) -> None:
    (tmp_path / "site" / "library.json").write_bytes(compile_library(tmp_path / "site" / "library"))
    (tmp_path / "site" / "library" / "area" / "one.sleuth").write_text("what is compiled already is not read again")
    assert rules(load().program) == ["shipped.rule"]


def test_rules_in_the_working_directory_are_loaded(place: Path) -> None:
    put(place / "rules" / "deep" / "own.sleuth", "own")
    put(place / "rules" / "own.txt", "other")
    assert rules(load().program) == ["own.rule", "shipped.rule"]
    assert load().notes == ()
    assert rules(load(local=False).program) == ["shipped.rule"]


def test_own_rules_are_loaded_where_the_library_comes_compiled(place: Path, tmp_path: Path) -> None:
    (tmp_path / "site" / "library.json").write_bytes(compile_library(tmp_path / "site" / "library"))
    put(place / "rules" / "own.sleuth", "own")
    assert rules(load().program) == ["own.rule", "shipped.rule"]


def test_an_exact_copy_of_the_library_is_left_alone(place: Path) -> None:
    put(place / "rules" / "area" / "one.sleuth", "shipped")
    (place / "rules" / MARKER).write_text("A copy.")
    loaded = load()
    assert (rules(loaded.program), loaded.notes) == (["shipped.rule"], ())


def test_a_copy_of_the_library_that_differs_is_left_alone_and_told(place: Path) -> None:
    put(place / "rules" / "area" / "one.sleuth", "older")
    (place / "rules" / MARKER).write_text("A copy.")
    loaded = load()
    assert rules(loaded.program) == ["shipped.rule"]
    assert "./rules is a copy of the shipped library" in loaded.notes[0]


def test_the_library_itself_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site" / "library").rename(tmp_path / "rules")
    monkeypatch.setattr(library, "_PACKAGE", tmp_path / "logsleuth")
    monkeypatch.chdir(tmp_path)
    loaded = load()
    assert (rules(loaded.program), loaded.notes) == (["shipped.rule"], ())


def test_two_folders_and_a_file(place: Path) -> None:
    put(place / "a" / "x.sleuth", "first")
    put(place / "b" / "x.sleuth", "second")
    put(place / "c.sleuth", "third")
    found = load([str(place / "a"), "b", "c.sleuth"]).program
    assert rules(found) == ["first.rule", "second.rule", "shipped.rule", "third.rule"]


def test_a_file_that_is_named_twice_is_read_once(place: Path) -> None:
    put(place / "rules" / "own.sleuth", "own")
    (place / "linked.sleuth").symlink_to(place / "rules" / "own.sleuth")
    assert rules(load(["rules/own.sleuth", "rules", "linked.sleuth"]).program) == ["own.rule", "shipped.rule"]


def test_an_own_file_never_stands_in_for_a_shipped_one(place: Path) -> None:
    put(place / "rules" / "area" / "one.sleuth", "own")
    assert rules(load().program) == ["own.rule", "shipped.rule"]
    assert check_rules(["rules"])._asdict() == {"files": 1, "events": 1, "rules": 1, "adjusted": 0, "warnings": ()}


# What a site makes of the shipped rules

OTHER = 'rule shipped.other "A rule." { severity error cause killed when seen shipped.seen verdict "other" }'


def tune(place: Path, text: str) -> None:
    (place / "rules").mkdir(exist_ok=True)
    (place / "rules" / "site.sleuth").write_text(text)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_an_own_file_adjusts_and_disables_shipped_rules(place: Path, tmp_path: Path, is_compiled: bool) -> None:
    (tmp_path / "site" / "library" / "area" / "other.sleuth").write_text(OTHER)
    if is_compiled:
        (tmp_path / "site" / "library.json").write_bytes(compile_library(tmp_path / "site" / "library"))
    tune(place, "adjust shipped.rule { severity info }\ndisable shipped.other\n")
    for loaded in (load(), load()):  # compiled, then read from the cache
        assert rules(loaded.program) == ["shipped.rule"]
        assert loaded.program.rules["shipped.rule"].severity == "info"
        assert loaded.program.rules["shipped.rule"].adjusted == (Place("rules/site.sleuth", 1, 8, len("shipped.rule")),)
        assert loaded.program.disabled == {"shipped.other": Place("rules/site.sleuth", 2, 9, len("shipped.other"))}
        assert loaded.notes == ("Not judged, because a rule file disables it: shipped.other (rules/site.sleuth:2).",)
    assert load(local=False).program.rules["shipped.rule"].severity == "error"
    assert check_rules(["rules"])._asdict() == {"files": 1, "events": 0, "rules": 0, "adjusted": 2, "warnings": ()}


def test_another_adjustment_is_compiled_anew(place: Path) -> None:
    for severity in ("info", "warning", "info"):
        tune(place, f"adjust shipped.rule {{ severity {severity} }}")
        assert load().program.rules["shipped.rule"].severity == severity
    assert len(cached()) == 2


# What is wrong with them


def test_errors_of_all_files_come_at_once(place: Path) -> None:
    put(place / "good.sleuth", "shipped")
    (place / "bad.sleuth").write_text('event a.b { line "{x}" }\n')
    with pytest.raises(RulesError) as caught:
        load(["good.sleuth", "bad.sleuth"])
    assert [(m.code, m.place.file, m.place.line) for m in caught.value.messages] == [
        ("LS210", "bad.sleuth", 1), ("LS205", "good.sleuth", 1), ("LS205", "good.sleuth", 2),
    ]  # fmt: skip


def test_syntax_errors_hide_the_errors_that_follow_from_them() -> None:
    texts = {
        "a.sleuth": "event a.b { lin }\n",
        "b.sleuth": 'rule c.d "x" { severity error cause killed when seen a.b[x == 1] as y verdict "{y.z}" }',
    }
    with pytest.raises(RulesError) as caught:
        compile_texts(texts)
    assert [m.code for m in caught.value.messages] == ["LS101"]


def test_syntax_errors_hide_no_other_error() -> None:
    texts = {
        "a.sleuth": "event a.b { lin }\nlist a.a = [1 2]\nlist l = [1 2]\n",
        "b.sleuth": """rule c.d "x" {
  severity loud
  cause    killed
  when     seen a.b as y
  when     seen a.c[n in l]
  wehn     seen a.d
}
rule c.e "x" { severity error cause killed when seen a.b as y verdict "{z}" }""",
    }
    with pytest.raises(RulesError) as caught:
        compile_texts(texts)
    assert [(m.place.file, m.place.line, m.code) for m in caught.value.messages] == [
        ("a.sleuth", 1, "LS101"), ("a.sleuth", 2, "LS101"), ("a.sleuth", 3, "LS101"), ("b.sleuth", 2, "LS208"),
        ("b.sleuth", 5, "LS201"), ("b.sleuth", 6, "LS101"), ("b.sleuth", 8, "LS204"),
    ]  # fmt: skip


@pytest.mark.parametrize("make", ["nothing", "folder", "latin"])
def test_what_cannot_be_read_is_told_with_its_place(place: Path, make: str) -> None:
    file = place / "x.sleuth"
    if make == "folder":
        (place / "x.sleuth").mkdir()
        (place / "x.sleuth" / "y.sleuth").mkdir()
        file = place / "x.sleuth" / "y.sleuth"
    elif make == "latin":
        file.write_bytes(b"# caf\xe9\n")
    with pytest.raises(RulesError) as caught:
        load(["x.sleuth", "missing.sleuth"] if make != "nothing" else ["x.sleuth"])
    assert {m.code for m in caught.value.messages} == {"LS001"}
    assert str(caught.value).count(" LS001: ") == (1 if make == "nothing" else 2)
    assert file.name in str(caught.value)


def test_checking_counts_what_is_the_users_own(place: Path) -> None:
    put(place / "rules" / "own.sleuth", "own")
    assert check_rules([])._asdict() == {"files": 1, "events": 1, "rules": 1, "adjusted": 0, "warnings": ()}
    put(place / "more" / "own.sleuth", "more")
    assert check_rules(["rules", "more"])._asdict() == {
        "files": 2,
        "events": 2,
        "rules": 2,
        "adjusted": 0,
        "warnings": (),
    }


def test_names_in_errors_are_those_that_a_user_can_open(place: Path, tmp_path: Path) -> None:
    put(place / "rules" / "own.sleuth", "own")
    put(tmp_path / "far" / "x.sleuth", "far")
    texts = read_rules([shipped_rules(), place / "rules", tmp_path / "far"])
    assert len(texts) == 3
    assert all(Path(name).is_file() for name in texts)
    assert "rules/own.sleuth" in texts


# What is kept


def cached() -> list[Path]:
    folder = cache_folder()
    return sorted(folder.iterdir()) if folder and folder.exists() else []


def test_a_second_start_reads_what_the_first_has_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    first = load().program
    (file,) = cached()
    assert file.suffix == ".json"
    monkeypatch.setattr(library, "compile_texts", lambda _: pytest.fail("compiled again"))
    assert load().program.rules == first.rules
    assert first.rules["shipped.rule"].verdict == "shipped"


def test_what_is_read_from_the_cache_is_what_was_compiled() -> None:
    fresh = compile_texts(read_rules([shipped_rules()]))
    load()
    kept = load().program
    assert kept.rules == fresh.rules
    assert kept.lists == fresh.lists
    assert kept.events.keys() == fresh.events.keys()
    assert all(event.samples == () for event in kept.events.values())


def test_changed_rules_are_compiled_anew(tmp_path: Path) -> None:
    load()
    put(tmp_path / "site" / "library" / "area" / "one.sleuth", "changed")
    assert rules(load().program) == ["changed.rule"]
    assert len(cached()) == 2


def test_another_version_compiles_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    load()
    monkeypatch.setattr(library, "__version__", "99.0")
    load()
    assert len(cached()) == 2


CORRUPT = [
    "", "{", "null", "[]", "5", '"text"', "{}", '{"events": [], "rules": []}', '{"events": [1], "rules": [], "lists": []}',
    '{"events": [["Event"]], "rules": [], "lists": []}', '{"events": [["os.system", "x"]], "rules": [], "lists": []}',
    '{"events": {"a": 1}, "rules": [], "lists": []}', '{"events": [[]], "rules": [], "lists": []}',
    '{"events": [["Place", "a", 1, 1, 1]], "rules": [], "lists": []}', '{"events": 1, "rules": [], "lists": []}',
]  # fmt: skip


@pytest.mark.parametrize("text", CORRUPT)
def test_a_corrupt_cache_is_ignored_and_mended(text: str) -> None:
    load()
    (file,) = cached()
    good = file.read_text()
    file.write_text(text)
    assert rules(load().program) == ["shipped.rule"]
    assert file.read_text() == good


def test_a_cache_in_which_one_word_was_changed_is_ignored_and_mended() -> None:
    load()
    (file,) = cached()
    good = file.read_text()
    file.write_text(good.replace("It was seen.", "It was gone."))
    assert load().program.events["shipped.seen"].doc == "It was seen."
    assert file.read_text() == good


def test_rules_come_back_from_the_cache_as_they_were_compiled() -> None:
    compiled, kept = load().program, load().program
    assert dict(kept.rules) == dict(compiled.rules)
    assert kept.uses() == compiled.uses()
    assert list(kept.uses().needed) == list(kept.rules)


def test_a_cache_of_bytes_that_are_no_text_is_ignored() -> None:
    load()
    (file,) = cached()
    file.write_bytes(b"\xff\xfe\x00")
    assert rules(load().program) == ["shipped.rule"]


def test_a_cut_off_cache_is_ignored() -> None:
    load()
    (file,) = cached()
    file.write_text(file.read_text()[:-20])
    assert rules(load().program) == ["shipped.rule"]


def test_a_cache_holds_nothing_but_plain_values() -> None:
    load()
    (file,) = cached()
    checksum, head, *nodes = map(json.loads, file.read_text().split("\n"))
    assert len(checksum) == 64
    assert set(head) == {"cards", "rules", "filters", "series", "needed", "lists", "causes", "disabled"}
    assert [node[0] for node in nodes] == ["Event", "Rule", "()"]


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LOGSLEUTH_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert rules(load().program) == ["shipped.rule"]
    monkeypatch.setenv("LOGSLEUTH_CACHE_DIR", str(tmp_path / "file"))
    assert rules(load().program) == ["shipped.rule"]


def test_a_write_that_fails_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert rules(load().program) == ["shipped.rule"]
    assert cached() == []


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("LOGSLEUTH_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert rules(load().program) == ["shipped.rule"]


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"LOGSLEUTH_CACHE_DIR": "/var/cache/x"}, "/var/cache/x"),
        ({"XDG_CACHE_HOME": "/var/cache"}, "/var/cache/logsleuth"),
        ({"HOME": "/home/ada"}, "/home/ada/.cache/logsleuth"),
    ],
)
def test_where_the_cache_lies(variables: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGSLEUTH_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(folder)


def test_others_cannot_write_into_the_cache() -> None:
    load()
    (file,) = cached()
    assert not stat.S_IMODE(file.stat().st_mode) & (stat.S_IWGRP | stat.S_IWOTH)
