"""Where does a declaration end that has no braces around its body?"""

import re

STARTS = ("event", "wordings", "rule", "list", "test", "adjust", "disable", "define", "use", "cause")
_BLANK = r"(?:\s|#[^\n]*\n)+"
_CAUSE = rf"cause(?={_BLANK}[\w-]+{_BLANK}of\b)"
LINE_START = rf"^(?:{'|'.join(word for word in STARTS if word != 'cause')}|{_CAUSE})\b"
"""A declaration starts a line; ``cause NAME`` is a clause of a rule where no ``of`` follows."""
_NAMED = re.compile(r"disable[ \t]+[A-Za-z_][\w.-]*")
_NEXT = (
    r'(?:(?:event|rule|adjust|disable)[ \t]+\w+\.|list[ \t]+\w+[ \t]*=|(?:test|use)[ \t]*"|wordings[ \t]+of\b'
    rf"|define[ \t]+\w+[ \t]*[=(]|{_CAUSE})"
)
"""What can only begin a declaration, also on the line of another."""
_TOKEN = re.compile(
    r'(?P<text>"""(?:[^"\\]|\\.|"(?!""))*"""|"(?!"")(?:[^"\\\n]|\\.)*")|(?P<comment>\#[^\n]*)|`[^`\n]*`'
    rf"|(?P<next>{LINE_START}|(?<![\w.]){_NEXT})|(?P<space>\s+)|\w+|.",
    re.DOTALL | re.MULTILINE,
)
_WORD = re.compile(r"\w+")


def end_without_braces(text: str, start: int) -> int | None:
    """The end of the declaration that starts here, without the blanks and comments behind it; None for one whose body
    stands in braces."""
    word = _WORD.match(text, start)
    match word[0] if word else "":
        case "disable":
            named = _NAMED.match(text, start)
            return named.end() if named else None
        case "use" | "cause":
            return _end(text, start, ends_with_text=True)
        case "define":
            return _end(text, start, ends_with_text=False)
    return None


def _end(text: str, start: int, ends_with_text: bool) -> int:
    """Behind its text, or behind the last word before something that can only begin the next declaration."""
    word = _WORD.match(text, start)
    assert word
    end = at = word.end()
    while at < len(text):
        token = _TOKEN.match(text, at)
        assert token  # the last alternative matches any character
        if token.lastgroup == "next":
            break
        at = token.end()
        if token.lastgroup not in ("space", "comment"):
            end = at
        if token.lastgroup == "text" and ends_with_text:
            break
    return end
