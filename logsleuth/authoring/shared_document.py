"""What a definition, a list or a cause of one's own says, and who uses it."""

from collections.abc import Sequence

from logsleuth.authoring.declarations import Written, users_of
from logsleuth.authoring.document import Document, Section, Verbatim, document, paragraph, topics


def shared_document(one: Written, declared: Sequence[Written]) -> Document:
    """It as it is written, and the declarations that speak of it."""
    users = users_of(one.name, declared)
    used = paragraph(*topics(users), ".") if users else paragraph("Nothing speaks of it.")
    return document(one.name, [Verbatim(one.text, "sleuth")], [Section(("Used by",), (used,))])
