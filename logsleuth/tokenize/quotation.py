"""Whether a line only quotes: what a model was given or wrote, what a shell traces, what advice speaks of.

What a training on code prints of its data and its generations is full of tracebacks and of NCCL's warnings. Such a
line opens with a word for it: ``Prompt: ``, ``{"step": 40, "prompt": "``, ``>>> generation at this step: ``. Traces of
``set -x``, comments of scripts and advice ("If you see ...") name errors that nobody had. A wording that stands at the
start of a message never matches there; one that floats is refused.
"""

import re

from logsleuth.language.syntax import Wording

_ANYTHING = (".*", "(?>.*", "(?:.*", ".{", "(?>.{", "(?:.{")
_REACH = 300
"""Bytes of a message in which the word must stand."""
_WORDS = (
    rb"prompts?|completions?|responses?|generat(?:ed|ions?)(?: text| response)?|samples?|decoded|references?"
    rb"|hypothes[ie]s|assistant|user|human|questions?|answers?|instructions?|predictions?"
    rb"|targets?|input_text"
    rb"|output_text|text|query|chosen|rejected"
)
_opens_quotation = re.compile(
    # ``prompt: ``, ``| prompt | ``, ``[sample] ``, ``<|user|> ``, ``>>> generation at this step: ``
    rb"[ \t>#|*\-\[<('\"]{0,12}(?:%b)"
    rb"(?:[ _](?:text|\d{1,9}|at (?:this )?step(?: \d{1,9})?))?[\]>)'\"|* \t]{0,6}[:=|>\]]"
    # ``{"step": 40, "prompt": "``
    rb"|[ \t]*\{(?:[^{}]{0,200}[,{ ])?\\?['\"](?:%b)\\?['\"]: ?\\?['\"\[{]"
    % (_WORDS, _WORDS)
    # ``+ echo 'on CUDA error ...``, ``# CUDA error ...``, ``Note: if you see CUDA error``
    + rb"|\+{1,4} |# |echo |(?:\w{1,12}[:,] ){0,2}(?:if you (?:see|get|hit|encounter)|in case of|to avoid) ",
    re.IGNORECASE,
).match


def is_quotation(text: bytes, start: int) -> bool:
    """Whether the message of a line, which begins at ``start``, shows such text."""
    return _opens_quotation(text, start, start + _REACH) is not None


def floats(wording: Wording) -> bool:
    """Whether what a wording says may stand anywhere in a message."""
    text = wording.text
    return text.lstrip("^").startswith(_ANYTHING) if wording.is_regex else text.startswith("{...}")
