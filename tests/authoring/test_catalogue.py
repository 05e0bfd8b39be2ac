"""The pages of the shipped rules: complete, up to date, linked, and free of what only a case could fill in."""

import re
from functools import cache
from pathlib import Path

import pytest

from logsleuth.authoring.catalogue import COMMAND, found, pages, write
from logsleuth.authoring.cause_meanings import CAUSE_MEANINGS
from logsleuth.model.cause import CAUSES

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
_FENCE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)


@cache
def told() -> dict[str, str]:
    return pages()


def prose(page: str) -> str:
    """A page without its fenced lines and code."""
    return re.sub(r"(`+).+?\1", "", _FENCE.sub("", page))


def test_the_pages_are_those_that_the_rules_give() -> None:
    """Stale, missing or left over."""
    there = found(FOLDER)
    wrong = [
        name for name in told() if name not in there or (FOLDER / name).read_text(encoding="utf-8") != told()[name]
    ]
    left_over = sorted(set(there) - told().keys())
    assert not wrong + left_over, f"run `{COMMAND}` and commit what it writes; wrong are {(wrong + left_over)[:5]}"


def test_every_link_leads_to_a_page_and_a_heading() -> None:
    wrong = []
    for name, page in told().items():
        for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", page):
            path = (FOLDER / name).parent / target if target else FOLDER / name
            if not path.exists():
                wrong.append(f"{name}: {target}")
            elif anchor:
                headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
                wrong += [] if anchor in slugs else [f"{name}: {target}#{anchor}"]
    assert wrong == []


def test_no_hole_of_a_text_is_left_raw() -> None:
    assert [name for name, page in told().items() if re.search(r"\{\w+(\.\w+)?\}", prose(page))] == []


def test_every_condition_of_the_shipped_rules_has_words() -> None:
    """What is told as it is written stands alone in back-quotes."""
    decided = [page.partition("## How it is decided")[2].partition("\n## ")[0] for page in told().values()]
    assert [part for part in decided if re.search(r"^- `[^`]+`$", part, re.MULTILINE)] == []
    assert not any("is worked out by the rule" in part for part in decided)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("README.md", "| [process.killed](process/killed.md) | fatal | killed | A process was killed with SIGKILL"),
        ("process/killed.md", "exitcode  : -9 (pid: 4711)  (SIGKILL)"),
        ("process/killed.md", "SIGKILL ended *the rank*; these logs do not say who sent it."),
        ("process/killed.md", "[`process.killed_in_shell`](../process/killed_in_shell.md)"),
        ("process/killed.md", "and nowhere [`agent.forced_kill`](../events/agent.md#agentforced_kill)"),
        ("process/killed.md", "Or else: [`host-oom`](../../causes.md)"),
        ("process/killed.md", "- one of four ranks is killed and the others lose it (found)"),
        ("process/killed.md", "- the agent itself kills a worker that does not answer SIGTERM (not found)"),
        ("speed/slow_rank.md", "adjust speed.slow_rank {\n  let least = 1.5\n}"),
        ("speed/slow_rank.md", "*took* is above *least* (1.5) × the median over its peers of *took*"),
        ("events/collective.md", "## collective.timeout"),
        ("events/collective.md", "[`collective.rank_missing`](../collective/rank_missing.md)"),
    ],
)
def test_a_page_tells_what_its_reader_looks_for(page: str, words: str) -> None:
    assert words in told()[page]


def test_writing_mends_what_is_stale_missing_and_left_over(tmp_path: Path) -> None:
    assert len(write(tmp_path)) == len(told())
    (tmp_path / "README.md").write_text(told()["README.md"] + "old\n")
    (tmp_path / "process/killed.md").unlink()
    (tmp_path / "process/gone.md").write_text(told()["process/killed.md"])
    assert write(tmp_path) == ["README.md", "process/gone.md", "process/killed.md"]
    assert found(tmp_path) == sorted(told())
    assert write(tmp_path) == []


def test_pages_that_somebody_wrote_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/handbook.md").write_text("# Mine\n")
    with pytest.raises(FileExistsError, match=r"handbook\.md was not written from rules"):
        write(tmp_path)
    assert found(tmp_path) == ["a/handbook.md"]


def test_causes_mean_what_the_page_of_causes_says() -> None:
    page = (FOLDER.parent / "causes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [\w-]+ \| ([\w-]+) \| (.+) \|$", page, re.MULTILINE)
    assert {cause: meaning for cause, meaning in rows if cause not in ("cause", "---")} == CAUSE_MEANINGS
    assert CAUSE_MEANINGS.keys() == CAUSES.keys()
