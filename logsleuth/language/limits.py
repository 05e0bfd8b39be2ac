"""How large and how deep rules may be: far beyond what anybody writes by hand, and small enough to be read at once."""

FILE_BYTES = 4 * 2**20
"""Of one rule file."""
ALL_BYTES = 64 * 2**20
"""Of all files of a run."""
MOST_FILES = 5_000
MOST_DECLARATIONS = 2_000
"""Of one file."""
NAME_LENGTH = 200
NUMBER_DIGITS = 40
TEXT_LENGTH = 20_000
"""Characters of a text; that of a ``log`` or ``sample`` may be longer."""
LOG_LENGTH = 2**20
REGEX_LENGTH = 2_000
MOST_PARTS = 500
"""Clauses of a declaration, lines of a block, columns of a table, terms of a sum."""
MOST_ITEMS = 10_000
"""Values or events of a list."""
BLOCK_LINES = 10_000
DEEPEST = 60
"""Levels of a condition: calls, signs and words within each other."""
MOST_TERMS = 5_000
"""Of one condition, with its definitions written out."""
LONGEST_CHAIN = 40
"""Definitions that use one another, one after the other."""
