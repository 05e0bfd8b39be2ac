"""``logsleuth rules show``."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, output
from logsleuth.report.printable import printable

if TYPE_CHECKING:
    from logsleuth.authoring.declarations import Written
    from logsleuth.authoring.index import Index
    from logsleuth.report.page import Page


@click.command(short_help="Tell what rules and events mean.")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--source", is_flag=True, help="Print what the rule files say instead.")
@click.option("--rules", "paths", multiple=True, metavar="PATH", help="A rule file or folder beside the shipped rules.")
@click.option("--no-local-rules", is_flag=True, help="Leave the folder ./rules alone.")
def show(names: tuple[str, ...], source: bool, paths: tuple[str, ...], no_local_rules: bool) -> int:
    """Tell what rules or events mean, how they are recognised and what to do.

    Definitions, lists and causes of rule files are shown as they are written, with the rules that use them.
    """
    from logsleuth.authoring.declarations import source_of, written
    from logsleuth.language.library import load_whole
    from logsleuth.language.messages import did_you_mean

    program, texts = load_whole(paths, not no_local_rules)
    declared = written(texts)
    known = [*program.rules, *program.events, *(one.name for one in declared if one.is_shared)]
    for name in names:
        if name in program.disabled:
            at = program.disabled[name]
            output.say(f"the rule '{name}' is disabled, at {at.file}:{at.line}")
            return exits.NO_ANSWER
        if name not in known:
            remedy = did_you_mean(name, known) or f"`logsleuth rules list {name}` searches for it."
            output.say(f"there is no rule or event '{name}'. {remedy}")
            return exits.NO_ANSWER
    if source:
        told = "\n".join(source_of(name, declared) for name in dict.fromkeys(names))
        if sys.stdout is not None and sys.stdout.isatty():
            # A rule file is somebody's text, and must not command the terminal.
            told = "".join(f"{printable(line, sys.stdout.encoding)}\n" for line in told.split("\n")[:-1])
        output.emit(told, sys.stdout)
        return exits.NOTHING_WRONG
    from logsleuth.authoring.index import Index
    from logsleuth.report.page import BLANK
    from logsleuth.report.terminal import draw

    index = Index(program)
    pages = [page for name in dict.fromkeys(names) for page in _pages(name, index, declared)]
    if sys.stdout is not None:
        output.emit(draw([line for page in pages for line in (*page, BLANK)][:-1], sys.stdout), sys.stdout)
    return exits.NOTHING_WRONG


def _pages(name: str, index: "Index", declared: "list[Written]") -> Iterator["Page"]:
    """What is called so: a rule or an event, else what they share, which may be of several kinds."""
    from logsleuth.authoring.declarations import SHARED
    from logsleuth.authoring.event_document import event_document
    from logsleuth.authoring.rule_document import rule_document
    from logsleuth.authoring.shared_document import shared_document
    from logsleuth.authoring.terminal import to_page

    if rule := index.program.rules.get(name):
        yield to_page(rule_document(rule, index), "rule", f"{rule.at.file}:{rule.at.line}")
    if event := index.program.events.get(name):
        yield to_page(event_document(event, index), "event", f"{event.at.file}:{event.at.line}")
    for one in declared:
        if one.name == name and one.is_shared:
            yield to_page(shared_document(one, declared), SHARED[one.word], f"{one.file}:{one.line}")
