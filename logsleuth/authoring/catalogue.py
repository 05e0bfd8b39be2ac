"""The pages of the shipped rules: ``python -m logsleuth.authoring.catalogue docs/rules`` writes them."""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from logsleuth.authoring.cause_meanings import CAUSE_MEANINGS
from logsleuth.authoring.document import Section
from logsleuth.authoring.event_document import event_blocks, few_samples
from logsleuth.authoring.index import Index
from logsleuth.authoring.markdown import escaped, section_parts, to_markdown
from logsleuth.authoring.rule_document import rule_document
from logsleuth.language import syntax as s
from logsleuth.language.library import compile_texts, read_rules, shipped_rules

Named = TypeVar("Named", s.Rule, s.Event)

COMMAND = "python -m logsleuth.authoring.catalogue docs/rules"
"""What writes the pages anew."""
_WRITTEN = f"<!-- Written from the rules by `{COMMAND}`. -->"
_SOURCES = "../../../rules"
"""The rule files, seen from a page."""


def pages() -> dict[str, str]:
    """The pages of all shipped rules and events, by their paths beneath docs/rules."""
    index = Index(compile_texts(read_rules([shipped_rules()])))
    rules = sorted(index.program.rules.values(), key=lambda rule: rule.name)
    told = {"README.md": _front(index, rules)}
    for rule in rules:
        told[_page_of(rule.name)] = _rule_page(rule, index)
    for area, events in _by_area(index.program.events.values()):
        told[f"events/{area}.md"] = _event_page(area, events, index)
    return told


def write(folder: Path) -> list[str]:
    """Makes a folder hold the pages and no other; returns the paths of those that it changed.

    Raises FileExistsError where the folder holds a page that was not written from rules, and then changes nothing.
    """
    for name in found(folder):
        if not (folder / name).read_text(encoding="utf-8").startswith(_WRITTEN):
            raise FileExistsError(f"{folder / name} was not written from rules; name another folder, or move it away")
    told = pages()
    changed = []
    for name in sorted({*told, *found(folder)}):
        path = folder / name
        if name not in told:
            path.unlink()
        elif path.is_file() and path.read_text(encoding="utf-8") == told[name]:
            continue
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(told[name], encoding="utf-8")
        changed.append(name)
    return changed


def found(folder: Path) -> list[str]:
    """The pages that lie in a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


def _page_of(rule: str) -> str:
    return f"{rule.replace('.', '/', 1)}.md"


def _slug(event: str) -> str:
    """How the heading of an event is linked to."""
    return event.replace(".", "").lower()


def _links(index: Index, back: str) -> Callable[[str], str]:
    """Where a page tells of a name; ``back`` leads from the page that asks to docs/rules."""

    def link_to(name: str) -> str:
        if name in index.program.rules:
            return f"{back}{_page_of(name)}"
        if name in index.program.events:
            return f"{back}events/{name.partition('.')[0]}.md#{_slug(name)}"
        return f"{back}../causes.md" if name in CAUSE_MEANINGS else ""

    return link_to


def _rule_page(rule: s.Rule, index: Index) -> str:
    told = rule_document(rule, index)
    page = to_markdown(told, _links(index, "../"))
    source = _source(rule.at)
    ends = (
        f"Written in [{source}]({_SOURCES}/{source}); `logsleuth rules show {rule.name}` prints this page."
        " [All rules](../README.md), [how rules are tuned](../../language.md)."
    )
    return f"{_WRITTEN}\n\n{page}\n{ends}\n"


def _event_page(area: str, events: list[s.Event], index: Index) -> str:
    lead = f"Lines of the area `{area}` that logsleuth understands, with samples as they stand in logs."
    parts = [_WRITTEN, f"# Events: {area}", f"{lead} [All rules](../README.md)."]
    for event in events:
        section = Section((event.name,), (*event_blocks(event, index), *few_samples(event)))
        parts += section_parts(section, _links(index, "../"))
    return "\n\n".join(parts) + "\n"


def _front(index: Index, rules: list[s.Rule]) -> str:
    """The page from which all others are found."""
    areas = list(_by_area(rules))
    parts = [
        _WRITTEN,
        "# The shipped rules",
        f"{len(rules)} rules name the cause of a failure, from {len(index.program.events)} kinds of lines. Look for a"
        " rule by the area of its name, or search these pages for a piece of your error message: each shows the lines"
        " that it reads.",
        "`logsleuth rules list` prints the same table, `logsleuth rules show NAME` a page.",
        "Areas: " + ", ".join(f"[{area}](#{area})" for area, _ in areas) + ".",
        "Lines that are understood: "
        + ", ".join(f"[{area}](events/{area}.md)" for area, _ in _by_area(index.program.events.values()))
        + ".",
    ]
    for area, found_rules in areas:
        parts.append(f"## {area}")
        parts.append(
            "\n".join(
                ["| rule | severity | cause | what it means |", "| --- | --- | --- | --- |", *map(_row, found_rules)]
            )
        )
    return "\n\n".join(parts) + "\n"


def _row(rule: s.Rule) -> str:
    meaning = escaped(" ".join(rule.doc.split()))
    return f"| [{rule.name}]({_page_of(rule.name)}) | {rule.severity} | {rule.cause} | {meaning} |"


def _by_area(declared: Iterable[Named]) -> Iterator[tuple[str, list[Named]]]:
    ordered = sorted(declared, key=lambda item: item.name)
    for area, group in groupby(ordered, key=lambda item: item.name.partition(".")[0]):
        yield area, list(group)


def _source(at: s.Place) -> str:
    """A rule file, seen from the folder of the shipped rules."""
    return Path(at.file).resolve().relative_to(shipped_rules().resolve()).as_posix()


if __name__ == "__main__":
    try:
        print(f"{len(write(Path(sys.argv[1] if len(sys.argv) > 1 else 'docs/rules')))} pages changed")
    except FileExistsError as error:
        sys.exit(str(error))
