"""Where does a declaration end that has no braces around its body?"""

import re

_NAMED = re.compile(r"disable[ \t]+[A-Za-z_][\w.-]*")
_TEXT = r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?!"")(?:[^"\\\n]|\\.)*"'
_TOLD = re.compile(rf"(?:use|cause\b[ \t]*[\w-]*[ \t]*(?:of\b)?[ \t]*[\w-]*)\s*(?:{_TEXT})", re.DOTALL)
"""What ends with its text."""
_NEXT = (
    r'(?:(?:event|rule|adjust|disable)[ \t]+\w+\.|list[ \t]+\w+[ \t]*=|(?:test|use)[ \t]*"|wordings[ \t]+of\b'
    r"|define[ \t]+\w+[ \t]*[=(]|cause[ \t]+[\w-]+[ \t]+of\b)"
)
STARTS = ("event", "wordings", "rule", "list", "test", "adjust", "disable", "define", "use", "cause")
LINE_START = rf"^(?:{'|'.join(word for word in STARTS if word != 'cause')}|cause(?=[ \t]+[\w-]+[ \t]+of\b))\b"
"""A declaration starts a line; ``cause NAME`` is a clause of a rule where no ``of`` follows."""
_DEFINED = re.compile(
    rf"{_TEXT}|\#[^\n]*|`[^`\n]*`|(?P<next>{LINE_START}|(?<![\w.]){_NEXT})|\s+|\w+|.", re.DOTALL | re.MULTILINE
)


def end_without_braces(text: str, start: int) -> int | None:
    """The end of the declaration that starts here, without the blanks and comments behind it; None for one whose body
    stands in braces."""
    word = re.compile(r"\w+").match(text, start)
    match word[0] if word else "":
        case "disable":
            named = _NAMED.match(text, start)
            return named.end() if named else None
        case "use" | "cause":
            told = _TOLD.match(text, start)
            return told.end() if told else _line_end(text, start)
        case "define":
            return _end_of_definition(text, start)
    return None


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _end_of_definition(text: str, start: int) -> int:
    """Behind the last word before something that can only begin the next declaration."""
    end = at = start + len("define")
    while at < len(text):
        token = _DEFINED.match(text, at)
        assert token  # the last alternative matches any character
        if token.lastgroup == "next":
            break
        at = token.end()
        if not token[0].isspace() and not token[0].startswith("#"):
            end = at
    return end
