"""Rule files that use others."""

import os
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze
from logsleuth.language import library, parse, rule_files
from logsleuth.language.library import check_rules, load, read_rules
from logsleuth.language.limits import FILE_BYTES
from logsleuth.language.messages import RulesError
from logsleuth.testing.runner import run_tests

SHARED = """
event site.mount_hung "A mount did not answer." {
  line "mount {path} does not answer"
  sample "mount /data does not answer" gives path = "/data"
}
test "of the shared file" { log rank 0 \"\"\"mount /data does not answer\"\"\" expect no shipped.rule }
"""
SHIPPED = """
event shipped.seen "It was seen." { line "something was seen" sample "something was seen" }
rule shipped.rule "A rule." { severity error cause killed when seen shipped.seen verdict "it was seen" }
"""
OWN = """
use "parts/shared.sleuth"
rule site.storage "A mount hangs." {
  severity error  cause filesystem-error  when seen site.mount_hung as hung  culprit hung  verdict "{hung.path} hangs"
}
test "of the own file" { log rank 3 \"\"\"mount /data does not answer\"\"\" expect site.storage culprit rank 3 }
"""


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with rules in ``site``, beside others that nobody has named."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGSLEUTH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(library, "_PACKAGE", tmp_path / "package")
    put("package/library/one.sleuth", SHIPPED)
    put("site/parts/shared.sleuth", SHARED)
    put("site/own.sleuth", OWN)
    put("outside.sleuth", "disable shipped.rule")
    return tmp_path / "site"


def put(path: str, text: str) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def read(*paths: str) -> list[str]:
    return list(read_rules([Path(path) for path in paths]))


def error(*paths: str) -> str:
    with pytest.raises(RulesError) as caught:
        read_rules([Path(path) for path in paths])
    (message,) = caught.value.messages
    at = message.place
    return f"{at.file}:{at.line}:{at.column} {message.code} {message.text}. {message.remedy}"


# What is read


def test_what_a_file_uses_is_read_once_with_it() -> None:
    assert read("site/own.sleuth") == ["site/own.sleuth", "site/parts/shared.sleuth"]
    assert read("site/own.sleuth", "site") == ["site/own.sleuth", "site/parts/shared.sleuth"]


def test_what_is_used_may_use_more_and_circles_are_harmless() -> None:
    put("site/parts/shared.sleuth", 'use "deep/a.sleuth"\nuse "../own.sleuth"' + SHARED)
    put("site/parts/deep/a.sleuth", 'use "a.sleuth" use "../shared.sleuth"')
    assert read("site/own.sleuth") == ["site/own.sleuth", "site/parts/shared.sleuth", "site/parts/deep/a.sleuth"]


def test_what_only_looks_like_use_is_none() -> None:
    put(
        "site/own.sleuth",
        '# use "x.sleuth"\nevent e.e { line "use \\"x.sleuth\\" here" }\ntest "t" { log """\nuse "x.sleuth"\n""" }',
    )
    assert read("site/own.sleuth") == ["site/own.sleuth"]


def test_check_test_and_analyze_follow_it(site: Path) -> None:
    own = str(site / "own.sleuth")
    assert check_rules([own])._asdict() == {"files": 2, "events": 1, "rules": 1, "adjusted": 0, "warnings": ()}
    put("job.log", "[rank3]: mount /data does not answer\n")
    (verdict,) = analyze(["job.log"], rules=[own], local_rules=False).verdicts
    assert (verdict.rule, verdict.summary) == ("site.storage", "/data hangs")


def test_tests_of_a_file_that_is_only_used_are_not_run(site: Path) -> None:
    def names(path: Path) -> list[str]:
        report = run_tests([str(path)])
        assert not report.failures
        return [result.name for result in report.results]

    assert names(site / "own.sleuth") == ["of the own file"]
    assert {"of the own file", "of the shared file"} < set(names(site))


def test_what_is_kept_covers_what_is_used_and_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "site.storage" in load(["site/own.sleuth"]).program.rules
    with monkeypatch.context() as patch:
        patch.setattr(parse, "grammar", None)
        assert "site.storage" in load(["site/own.sleuth"]).program.rules
    put("site/parts/shared.sleuth", SHARED.replace("does not answer", "is gone"))
    assert "is gone" in load(["site/own.sleuth"]).program.events["site.mount_hung"].wordings[0].text


# What is not


@pytest.mark.parametrize(
    ("used", "told"),
    [
        ("missing.sleuth", "there is no file 'missing.sleuth'. The path is relative to the file that uses it."),
        ("ovn.sleuth", "there is no file 'ovn.sleuth'. Did you mean `own.sleuth`?"),
        ("parts/missing/x.sleuth", "there is no file 'parts/missing/x.sleuth'"),
        ("../outside.sleuth", "'../outside.sleuth' lies outside of 'site', the folder of these rules. Put it there, or name both files on the command line."),
        ("../missing.sleuth", "'../missing.sleuth' lies outside of 'site'"),
        ("parts/../../outside.sleuth", "'parts/../../outside.sleuth' lies outside of 'site'"),
        ("folder.sleuth", "'folder.sleuth' is no file. Name a .sleuth file."),
        ("link.sleuth", "'link.sleuth' leads through a link out of 'site'"),
        ("linked/outside.sleuth", "'linked/outside.sleuth' leads through a link out of 'site'"),
        ("round.sleuth", "'round.sleuth' leads nowhere"),
        (f"{'x' * 300}.sleuth", f"'{'x' * 300}.sleuth' leads nowhere"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_at_its_place(site: Path, used: str, told: str) -> None:
    (site / "folder.sleuth").mkdir()
    (site / "link.sleuth").symlink_to("../outside.sleuth")
    (site / "linked").symlink_to("..")
    (site / "round.sleuth").symlink_to("round.sleuth")
    put("site/own.sleuth", f'# ours\nuse "{used}"\n')
    assert error("site/own.sleuth").startswith(f"site/own.sleuth:2:5 LS107 {told}")


@pytest.mark.parametrize(
    ("used", "told"),
    [
        ("/etc/passwd.sleuth", "'/etc/passwd.sleuth' is not relative to this file"),
        ("~/x.sleuth", "'~/x.sleuth' is not relative to this file"),
        ("C:/x.sleuth", "'C:/x.sleuth' is not relative to this file"),
        ("parts\\\\x.sleuth", "'parts\\x.sleuth' is not relative to this file"),
        ("/etc/passwd", "'/etc/passwd' is no .sleuth file"),
        ("parts", "'parts' is no .sleuth file"),
        ("", "'' is no .sleuth file"),
    ],
)
def test_what_no_rule_file_can_be_called_is_told_too(used: str, told: str) -> None:
    put("site/own.sleuth", f'use "{used}"\n')
    with pytest.raises(RulesError) as caught:
        check_rules(["site/own.sleuth"])
    assert [(m.code, m.place.line, m.place.column, m.text) for m in caught.value.messages] == [("LS107", 1, 5, told)]


def test_the_line_that_uses_it_is_shown() -> None:
    put("site/own.sleuth", '\nuse "missing.sleuth"  # why\n')
    with pytest.raises(RulesError, match=r'  2 \| use "missing.sleuth"  # why\n    \|     \^{16}\n'):
        check_rules(["site/own.sleuth"])


def test_a_link_that_stays_beneath_the_folder_is_followed(site: Path) -> None:
    put("site/data/v2/x.sleuth", "")
    (site / "data" / "now").symlink_to("v2")
    put("site/own.sleuth", 'use "data/now/x.sleuth"')
    assert read("site/own.sleuth") == ["site/own.sleuth", "site/data/v2/x.sleuth"]


def test_no_order_of_arguments_decides_what_may_be_used() -> None:
    put("site/parts/shared.sleuth", 'use "../own.sleuth"')
    assert read("site") == ["site/own.sleuth", "site/parts/shared.sleuth"]
    told = "lies outside of 'site/parts', the folder of these rules"
    assert told in error("site", "site/parts/shared.sleuth")
    assert told in error("site/parts/shared.sleuth", "site")


def test_what_is_no_regular_file_is_not_waited_for(site: Path) -> None:
    os.mkfifo(site / "pipe.sleuth")
    assert error("site") == "site/pipe.sleuth:1:1 LS001 is no regular file. Name a .sleuth file or a folder of them."
    put("site/own.sleuth", 'use "pipe.sleuth"')
    assert "LS107 'pipe.sleuth' is no file" in error("site/own.sleuth")


# Sizes


def test_a_file_that_is_too_large_is_told_and_not_read() -> None:
    put("site/own.sleuth", "#" * (FILE_BYTES + 1))
    assert error("site/own.sleuth") == "site/own.sleuth:1:1 LS106 is larger than 4 MiB. Divide it into several files."
    put("site/own.sleuth", "#" * FILE_BYTES)
    assert read("site/own.sleuth") == ["site/own.sleuth"]


@pytest.mark.parametrize(("limit", "most"), [("MOST_FILES", 3), ("ALL_BYTES", 3 << 20)])
def test_all_files_together_have_a_bound_that_is_told_once(
    limit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_files, limit, most)
    for number in range(8):
        put(f"many/{number}.sleuth", "#" * (1 << 20))
    assert "many/3.sleuth:1:1 LS106 is one too many: all rule files together are" in error("many")
