"""Regular expressions drawn at random, out of all that the syntax has."""

import re
import warnings

from hypothesis import assume
from hypothesis import strategies as st

_LEAVES = st.sampled_from(
    ["a", "b", "ab", r"\d", r"\w", r"\s", r"\S", ".", "[ab]", "[^a]", "[a-c-]", "[]a]", r"\x61", r"\.", r"[\w.-]", " ", "x=", "é", "[é]", "1"]
)  # fmt: skip
_EDGES = st.sampled_from(["^", "$", r"\b", r"\B", r"\A", r"\Z", "(?=a)", "(?!b)", "(?<=a)", "(?<!ab)", "(?#c)"])
_QUANTIFIERS = st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}", "{,2}", "*?", "+?", "??", "*+", "++", "{1,2}+"])
_FLAGS = st.sampled_from(["", "(?i)", "(?s)", "(?m)", "(?x)"])


def _more(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    opening = st.sampled_from(["(?:", "(", "(?>", "(?i:", "(?-i:"])
    group = st.builds(lambda kind, text: f"{kind}{text})", opening, inner)
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(group, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda texts: f"(?:{'|'.join(texts)})"),
        st.builds(lambda text, quantifier: f"{text}{quantifier}", group | _LEAVES, _QUANTIFIERS),
    )


patterns = st.builds(lambda flags, text: flags + text, _FLAGS, st.recursive(_LEAVES | _EDGES, _more, max_leaves=8))
"""Some of them do not compile."""


def compiled(pattern: str) -> re.Pattern[bytes]:
    """As Python reads it; a pattern that it refuses is not asked about."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return re.compile(pattern.encode())
    except (re.error, OverflowError, FutureWarning, DeprecationWarning):
        assume(False)
        raise
