"""What is kept of a tool's words: all of them, or both ends."""

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.probes.running import Kept


@given(st.lists(st.binary(max_size=30)), st.integers(2, 200))
def test_both_ends_are_kept_however_they_come(parts: list[bytes], most: int) -> None:
    kept = Kept(most)
    for part in parts:
        kept.feed(part)
    whole = b"".join(parts)
    half = most // 2
    assert kept.fed == len(whole)
    if len(whole) <= 2 * half:
        assert kept.whole() == whole
    else:
        left_out = len(whole) - 2 * half
        mark = b"\n### logsleuth left out %d bytes here\n" % left_out
        assert kept.whole() == whole[:half] + mark + whole[-half:]
