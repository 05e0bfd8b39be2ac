"""What every code of a message stands for, and how it is mended: one page a code, in the folder ``codes``."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("codes")


@cache
def titles() -> dict[str, str]:
    """Every code with what it stands for, in a few words, in the order of the codes."""
    return {path.stem: page(path.stem).partition("\n")[0].partition(": ")[2] for path in sorted(_FOLDER.glob("*.md"))}


def page(code: str) -> str:
    """The page of a code, in Markdown; its first line is ``# CODE: what it stands for``.

    Raises KeyError where there is no such code.
    """
    if not code.isalnum():
        raise KeyError(code)
    try:
        return (_FOLDER / f"{code}.md").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise KeyError(code) from None
