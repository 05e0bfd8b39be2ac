"""How often is a file looked at that nobody tells us about?"""

SOONEST = 0.5
"""Seconds between two looks at a file that grew lately, ..."""
LATEST = 5.0
"""... and at one that has been quiet for long."""
_SHARE = 0.05
"""Of the time that it has been quiet: after 100 seconds it is looked at as seldom as may be."""
SAFETY = 10.0
"""Seconds between two looks at a file of which notification should tell: events may be lost."""
LONGEST_TROUBLE = 30.0


def interval(quiet: float, is_told: bool) -> float:
    """Seconds until the next look at a file or folder that last changed ``quiet`` seconds ago; ``is_told``: whether
    notification tells of it."""
    return SAFETY if is_told else min(max(quiet * _SHARE, SOONEST), LATEST)


def after_trouble(failures: int) -> float:
    """Seconds until it is tried again, after so many failures one after another."""
    return min(SOONEST * 2.0 ** min(failures, 10), LONGEST_TROUBLE)
