"""Checks the tables of an event declaration."""

from collections import Counter

from logsleuth.language import syntax as s
from logsleuth.language.literals import SHORTEST
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.program import types_of_column
from logsleuth.language.template import NUMERIC, TYPES, TemplateError, parse_template


def check_table(event: s.Event, table: s.Table) -> list[Message]:
    """Everything that is wrong with one table of the event."""
    errors = [message for column in table.columns for message in _check_column(column)]
    if errors:
        return errors
    if table.separator and (len(table.separator) != 1 or table.separator.isspace() or table.separator.isalnum()):
        text = f"'{table.separator}' separates no columns"
        errors.append(Message("LS214", table.at, text, "Write one character, or leave it out where blanks do."))
    if not table.headers:
        text = f"a table of '{event.name}' has no header"
        errors.append(Message("LS209", table.at, text, 'Add header "..." with a text that its headers hold.'))
    for header in table.headers:
        if len(header.strip()) < SHORTEST:
            text = (
                f"the header '{header}' has fewer than {SHORTEST} characters, so every line would have to be looked at"
            )
            errors.append(Message("LS210", table.at, text, "Write out more of a text that headers hold."))
    if not any(kind in NUMERIC for column in table.columns for kind in types_of_column(column).values()):
        text = f"no column of the table of '{event.name}' is a number, so any line would be a row"
        errors.append(Message("LS214", table.at, text, "Give a column a type such as int or percent."))
    if not event.frequent:
        text = f"'{event.name}' has a table, of whose rows only some are looked at"
        errors.append(Message("LS214", table.at, text, "Add 'frequent'."))
    for name in table.needs:
        if not any(name in column.names for column in table.columns):
            known = [name for column in table.columns for name in column.names]
            errors.append(Message("LS202", table.at, f"the table has no column '{name}'", did_you_mean(name, known)))
    counted = Counter(name for column in table.columns for name in column.names)
    for name, times in counted.items():
        if times > 1:
            text = f"the column '{name}' is declared a second time"
            errors.append(Message("LS205", table.at, text, "Keep one of them."))
    return errors


def template_error(error: TemplateError, at: s.Place) -> Message:
    """What to say of a malformed template."""
    if error.unknown_type:
        return Message("LS206", at, str(error), known_types(error.unknown_type))
    return Message("LS212", at, str(error))


def known_types(word: str) -> str:
    """What to do about a word that is no type."""
    return did_you_mean(word, TYPES) or f"Known are {', '.join(sorted(TYPES))}."


def _check_column(column: s.Column) -> list[Message]:
    if column.is_stamp:
        return []
    try:
        parse_template(column.cell)
    except TemplateError as error:
        return [template_error(error, column.at)]
    if not types_of_column(column):
        return [Message("LS214", column.at, f"the cells of '{column.names[0]}' give no field", "Name one in a hole.")]
    return []
