"""What tests of framing say about a line, without the parts that it does not tell."""

from logsleuth.tokenize.framing import frame


def told(line: bytes, labelled: bool = True) -> dict[str, object]:
    """The message and everything that the framing tells, by the names of ``Tag`` and ``Frame``."""
    peeled = frame(line, labelled)
    facts = {
        **peeled.tag._asdict(),
        "level": peeled.level,
        "group": tuple(peeled.group) if peeled.group else None,
        "exception": peeled.exception,
    }
    return {"message": line[peeled.start :], **{name: value for name, value in facts.items() if value is not None}}
