"""How large and how deep rules may be: far beyond what anybody writes by hand, and small enough to be read at once."""

FILE_BYTES = 4 * 2**20
"""Of one rule file."""
ALL_BYTES = 64 * 2**20
"""Of all files of a run."""
MOST_FILES = 5_000
MOST_DECLARATIONS = 5_000
"""Of one file."""
NAME_LENGTH = 200
NUMBER_LENGTH = 40
TEXT_LENGTH = 20_000
"""Characters of a text; that of a ``log`` or ``sample`` may be longer."""
LOG_LENGTH = 2**20
REGEX_LENGTH = 2_000
MOST_ITEMS = 2_000
"""Parts of one clause or list: values, events, names, clauses of a declaration."""
BLOCK_LINES = 10_000
DEEPEST = 60
"""Levels of a condition: calls, signs and words within each other."""
MOST_TERMS = 5_000
"""Of one condition, with its definitions written out."""
LONGEST_CHAIN = 40
"""Definitions that use one another, one after the other."""
