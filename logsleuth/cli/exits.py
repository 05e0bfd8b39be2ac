"""Exit statuses of the command line."""

NOTHING_WRONG = 0
FAILURE_FOUND = 1
"""A firm verdict of severity error or fatal."""
WARNINGS_FOUND = 1
"""``rules check``: rules that can run, but hardly mean what they say."""
NO_ANSWER = 2
"""The command line, the rules or the inputs do not allow an analysis."""
DEFECT = 70
"""A defect of logsleuth; never 1, which would say that a failure was found (70 is EX_SOFTWARE of sysexits.h)."""
REACHED = 3
"""``beside``: a verdict stands that is as bad as ``--exit-on`` says."""
INTERRUPTED = 130
BROKEN_PIPE = 141
"""Whoever read the output left, as with ``| head``."""
