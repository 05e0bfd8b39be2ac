"""``logsleuth explain``."""

import re
import sys
from collections.abc import Iterable

import click

from logsleuth.cli import exits, output

_WIDEST = 100
"""Columns of a page on a terminal."""


@click.command(short_help="Say what codes of messages about rules mean.")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
def explain(codes: tuple[str, ...]) -> int:
    """Say what the codes of messages about rules (LS201) mean and how to mend it; without CODE, list all codes."""
    from logsleuth.language.code_pages import page, titles

    if not codes:
        output.emit("".join(f"{code}  {title}\n" for code, title in titles().items()), sys.stdout)
        return exits.NOTHING_WRONG
    wanted = list(dict.fromkeys(code.upper() for code in codes))
    unknown = [code for code in wanted if code not in titles()]
    for code in unknown:
        output.say(_unknown(code, codes, titles()))
    if known := [page(code) for code in wanted if code not in unknown]:
        output.emit(_drawn("\n".join(known)), sys.stdout)
    return exits.NO_ANSWER if unknown else exits.NOTHING_WRONG


def _drawn(markdown: str) -> str:
    """The pages for stdout: laid out and coloured on a terminal, as they are written elsewhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        return markdown
    from io import StringIO
    from os import environ
    from textwrap import indent

    from rich.console import Console
    from rich.markdown import Markdown
    from rich.text import Text

    console = Console(file=StringIO(), force_terminal=True, no_color="NO_COLOR" in environ)
    console.width = min(console.width, _WIDEST)
    with console.capture() as capture:
        for part in re.split(r"(^```.*\n(?:.*\n)*?```$)", markdown, flags=re.MULTILINE):
            if part.startswith("```"):
                rules = part.partition("\n")[2].removesuffix("```")
                console.print(Text("\n" + indent(rules, "    "), style="cyan"), soft_wrap=True)
            else:
                console.print(Markdown(re.sub(r"^# (.*)", r"**\1**", part, flags=re.MULTILINE)))
    return capture.get()


def _unknown(code: str, given: Iterable[str], known: Iterable[str]) -> str:
    """What to say of a code that has no page."""
    from logsleuth.language.messages import did_you_mean

    written = next(word for word in given if word.upper() == code)
    if "." in written:
        return f"'{written}' is no code of a message; `logsleuth rules show {written}` says what a rule means."
    digits = code.removeprefix("LS").replace("O", "0")
    near = [name for name in known if digits[:3] in name] if digits.isdecimal() else []
    close = f"Did you mean {' or '.join(near[:3])}?" if near else did_you_mean(code, known)
    return f"there is no code '{written}'. {close or '`logsleuth explain` lists all.'}"
