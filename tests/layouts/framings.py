"""What happens to the text of a log on its way to whoever asks about it, as programs that do the same to any log."""

import re
import textwrap
from collections.abc import Callable
from html import escape
from pathlib import PurePosixPath
from typing import NamedTuple

Job = dict[str, bytes]
"""The logs of a job by their paths."""


class Framing(NamedTuple):
    name: str
    done: Callable[[Job], Job]


def _lines(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n") if data else []


def _of_lines(change: Callable[[bytes], bytes | list[bytes]]) -> Callable[[bytes], bytes]:
    """What is done to every line of a log; several lines may come of one."""

    def done(data: bytes) -> bytes:
        made: list[bytes] = []
        for line in _lines(data):
            changed = change(line)
            made += changed if isinstance(changed, list) else [changed]
        return b"".join(line + b"\n" for line in made)

    return done


def _each(name: str, change: Callable[[bytes], bytes]) -> Framing:
    """A framing that does the same to each log of a job that holds anything."""
    return Framing(name, lambda job: {path: change(data) if data else data for path, data in job.items()})


def _cells(text: bytes) -> str:
    """A line as a terminal shows it: without colours, tabs spread out."""
    return re.sub(r"\x1b\[[\d;]*m", "", text.decode("utf-8", "replace")).expandtabs()


def _cut(line: bytes, width: int) -> list[bytes]:
    shown = _cells(line)
    return [shown[at : at + width].encode() for at in range(0, len(shown), width)] or [b""]


def folded(width: int) -> Callable[[bytes], bytes]:
    """Copied out of a terminal, ``fold -w``, tmux's scrollback without ``-J``."""
    return _of_lines(lambda line: _cut(line, width))


def padded(width: int) -> Callable[[bytes], bytes]:
    """A Windows console, ``tmux capture-pane -N``, ``screen -X hardcopy``: the same, filled with blanks."""
    return _of_lines(lambda line: [piece.decode().ljust(width).encode() for piece in _cut(line, width)])


def at_words(width: int, hanging: str = "") -> Callable[[bytes], bytes]:
    """``fold -s`` without trailing blanks, e-mail, the columns of a ticket; words that are too long stay whole."""

    def wrapped(line: bytes) -> list[bytes]:
        shown = _cells(line)
        indent = shown[: len(shown) - len(shown.lstrip())]
        pieces = textwrap.wrap(
            shown,
            width,
            initial_indent="",
            subsequent_indent=indent * bool(hanging) + hanging,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
        return [piece.encode() for piece in pieces] or [b""]

    return _of_lines(wrapped)


def numbered(form: str, first: int = 1) -> Callable[[bytes], bytes]:
    """``cat -n``, editors, pages of code hosts."""

    def done(data: bytes) -> bytes:
        return b"".join(form.format(at).encode() + line + b"\n" for at, line in enumerate(_lines(data), first))

    return done


def boxed(
    left: str, right: str, edge: str, head: tuple[str, str], foot: tuple[str, str], width: int = 120
) -> Callable[[bytes], bytes]:
    """A panel of rich's, a cell of a table; what is longer than the box goes on in its next line."""

    def done(data: bytes) -> bytes:
        made = [head[0] + edge * (width - 2) + head[1]]
        inner = width - len(left) - len(right)
        for line in _lines(data):
            made += [left + piece.decode().ljust(inner) + right for piece in _cut(line, inner)]
        made.append(foot[0] + edge * (width - 2) + foot[1])
        return "".join(line + "\n" for line in made).encode()

    return done


def fenced(data: bytes) -> bytes:
    return b"This is what it says:\n\n```\n" + data.rstrip(b"\n") + b"\n```\n\nAny ideas?\n"


def quoted_by_mail(data: bytes) -> bytes:
    """An answer to a mail that held the log: wrapped at 72, then quoted."""
    wrapped = at_words(72)(data)
    return b"On Thu, 5 Mar 2026 at 10:12, Ada wrote:\n" + b"".join(b"> " + line + b"\n" for line in _lines(wrapped))


def headed(job: Job) -> Job:
    """``tail -n +1 *``"""
    parts = [b"==> %b <==\n%b" % (path.encode(), data) for path, data in sorted(job.items())]
    return {"all.txt": b"\n".join(parts)}


def found(form: str) -> Callable[[Job], Job]:
    """``grep -n "" *``"""

    def done(job: Job) -> Job:
        made = [
            form.format(path=path, at=at).encode() + line
            for path, data in sorted(job.items())
            for at, line in enumerate(_lines(data), 1)
        ]
        return {"found.txt": b"".join(line + b"\n" for line in made)}

    return done


def scripted(data: bytes) -> bytes:
    """util-linux' ``script``"""
    return (
        b'Script started on 2026-03-05 09:58:12+00:00 [TERM="xterm-256color" TTY="/dev/pts/3" COLUMNS="211" LINES="50"]\n'
        + data.replace(b"\n", b"\r\n")
        + b'\nScript done on 2026-03-05 11:58:12+00:00 [COMMAND_EXIT_CODE="1"]\n'
    )


def coloured(opens: bytes, closes: bytes) -> Callable[[bytes], bytes]:
    """Colours around each line, and around the class of an exception, whose escape character did not survive."""

    def changed(line: bytes) -> bytes:
        inner = re.sub(rb"^\w+(?:\.\w+)*(?:Error|Exception)(?=: )", lambda match: opens + match[0] + closes, line)
        return opens + line + closes if inner == line else inner

    return _of_lines(changed)


def of_web(data: bytes) -> bytes:
    return escape(data.decode("utf-8", "replace")).encode()


def with_breaks(data: bytes) -> bytes:
    return of_web(data).replace(b"\n", b"<br>\n")


def damaged(data: bytes) -> bytes:
    """Bytes in the middle that are none of a log, and a character torn in two."""
    lines = _lines(data)
    middle = len(lines) // 2
    garbage = bytes((at * 151 + at // 7) % 256 for at in range(4000)).replace(b"\n", b"")
    lines[middle:middle] = [b"loss \xe6\x8d", garbage, b"\xff\xfe\x80"]
    return b"".join(line + b"\n" for line in lines)


def with_holes(data: bytes) -> bytes:
    """A log that was truncated under its writer (logrotate's copytruncate), and a block that a crash left empty."""
    lines = _lines(data)
    middle = len(lines) // 2
    lines[middle] = b"\0" * 3000 + lines[middle]
    return b"\0" * 70_000 + b"".join(line + b"\n" for line in lines)


def with_marks(data: bytes) -> bytes:
    """Files that Windows tools wrote, one behind the other."""
    return b"".join(
        b"\xef\xbb\xbf" + line + b"\n" if at % 3 == 0 else line + b"\n" for at, line in enumerate(_lines(data))
    )


def in_code_page(codec: str, text: str) -> Callable[[bytes], bytes]:
    """Lines in another encoding among those of the log."""
    other = text.encode(codec)
    return lambda data: b"".join(
        line + b"\n" + (b"epoch 3 " + other + b"\n" if at % 60 == 0 else b"") for at, line in enumerate(_lines(data))
    )


def with_form_feeds(data: bytes) -> bytes:
    return b"".join(b"\f" + line + b"\n" if at % 3 == 2 else line + b"\n" for at, line in enumerate(_lines(data)))


def of_notebook(data: bytes) -> bytes:
    """A cell's output in the file of a notebook."""
    import json

    texts = [line.decode("utf-8", "replace") + "\n" for line in _lines(data)]
    output = {"name": "stderr", "output_type": "stream", "text": texts}
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [output], "source": ["train()\n"]}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n"


def renamed(change: Callable[[bytes], bytes], suffix: str) -> Callable[[Job], Job]:
    return lambda job: {
        str(PurePosixPath(path).with_suffix(suffix)): change(data) for path, data in job.items() if data
    }


FRAMINGS: tuple[Framing, ...] = (
    _each("crlf", lambda data: data.replace(b"\n", b"\r\n")),
    _each("lone cr", lambda data: data.replace(b"\r", b"").replace(b"\n", b"\r")),
    _each("crcrlf", lambda data: data.replace(b"\n", b"\r\r\n")),
    _each("utf-16 with a mark", lambda data: data.decode("utf-8", "replace").encode("utf-16")),
    _each("utf-16-le", lambda data: data.decode("utf-8", "replace").encode("utf-16-le")),
    _each("utf-16-be", lambda data: data.decode("utf-8", "replace").replace("\n", "\r\n").encode("utf-16-be")),
    _each("marks in the middle", with_marks),
    _each("latin-1", in_code_page("latin-1", "Übergröße é")),
    _each("gbk", in_code_page("gbk", "训练损失")),
    _each("shift-jis", in_code_page("shift-jis", "学習の損失 表示ソ")),
    _each("damaged", damaged),
    _each("holes", with_holes),
    _each("form feeds", with_form_feeds),
    _each("doubled blank lines", lambda data: data.replace(b"\n", b"\n\n")),
    _each("folded at 80", folded(80)),
    _each("folded at 120", folded(120)),
    _each("folded at 200", folded(200)),
    _each("folded at 137", folded(137)),
    _each("folded at 80, crlf", lambda data: folded(80)(data).replace(b"\n", b"\r\n")),
    _each("padded at 120", padded(120)),
    _each("padded at 300", padded(300)),
    _each("at words of 72", at_words(72)),
    _each("at words of 100", at_words(100)),
    _each("hanging", at_words(100, "    ")),
    _each("numbered by cat", numbered("{:6}\t")),
    _each("numbered by an editor", numbered("{:4}  ")),
    _each("numbered with colons", numbered("{}: ", 480)),
    _each("numbered with colons, no blank", numbered("{}:", 480)),
    _each("numbered with L", numbered("L{} ")),
    _each("numbered with bars", numbered("{:>5} | ")),
    _each("boxed by rich", boxed("│ ", " │", "─", ("╭", "╮"), ("╰", "╯"))),
    _each("boxed in ascii", boxed("| ", " |", "-", ("+", "+"), ("+", "+"))),
    _each("quoted", _of_lines(lambda line: b"> " + line)),
    _each("quoted twice", _of_lines(lambda line: b"> > " + line)),
    _each("quoted by mail", quoted_by_mail),
    _each("quoted with bars", _of_lines(lambda line: b"| " + line)),
    _each("indented", _of_lines(lambda line: b"    " + line)),
    _each("fenced", fenced),
    Framing("headed", headed),
    Framing("found by grep -n", found("{path}:{at}:")),
    Framing("found by grep", found("{path}:")),
    _each("scripted", scripted),
    _each("colours without escape", coloured(b"[31m", b"[0m")),
    _each("colours with a caret", coloured(b"^[[1;31m", b"^[[0m")),
    _each("colours as hexadecimal text", coloured(rb"\x1b[31m", rb"\x1b[0m")),
    _each("colours as octal text", coloured(rb"\033[31m", rb"\033[0m")),
    _each("of the web", of_web),
    _each("of the web with breaks", with_breaks),
    Framing("of a notebook", renamed(of_notebook, ".ipynb")),
)
