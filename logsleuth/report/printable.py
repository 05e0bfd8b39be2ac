"""Makes any text harmless to a terminal and acceptable to an encoding."""

import unicodedata

_IN_ASCII = {"→": "->", "…": "..."}
"""What the reports' own marks become where the encoding lacks them."""


def printable(text: str, encoding: str = "utf-8") -> str:
    """Text of one row that cannot harm a terminal and that ``encoding`` can take.

    Blanks of all kinds become a plain one; control and format characters (escapes, bidirectional overrides, zero-width
    ones), surrogates and unassigned code points are spelled out (``\\x1b``), and so is what the encoding lacks.
    """
    if not text.isprintable():
        text = "".join(character if character.isprintable() else _spelled(character) for character in text)
    if text.isascii():
        return text
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        for mark, plain in _IN_ASCII.items():
            text = text.replace(mark, plain)
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def _spelled(character: str) -> str:
    if character in "\t\n\r\f\v" or unicodedata.category(character).startswith("Z"):
        return " "
    return character.encode("unicode_escape").decode("ascii")
