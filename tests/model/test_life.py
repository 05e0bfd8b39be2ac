"""What is known of a source besides its events, when it was read in parts."""

from logsleuth.model.life import ENDINGS, Life, SourceLife
from logsleuth.model.origin import BARE, NOWHERE, Stamp, Tag

NOON, ONE = Stamp(43_200.0, True, True), Stamp(46_800.0, True, True)
RANK_3, RANK_5 = Tag(rank=3), Tag(rank=5)
EARLY = SourceLife(
    NOON, 10, NOON, {BARE: Life(0, 90, None), RANK_3: Life(10, 50, NOON)}, "0f" * 16, frozenset(range(0, 100, 2))
)
LATE = SourceLife(
    ONE, 110, ONE, {RANK_5: Life(100, 180, ONE), RANK_3: Life(110, 190, None)}, "f0" * 16, frozenset(range(1, 100, 2))
)


def test_it_begins_with_the_first_part_and_ends_with_the_last() -> None:
    merged = EARLY.merged(LATE)
    assert (merged.first_stamp, merged.first_stamp_at, merged.last_stamp) == (NOON, 10, ONE)
    assert merged.lives == {BARE: Life(0, 90, None), RANK_3: Life(10, 190, NOON), RANK_5: Life(100, 180, ONE)}
    assert merged.endings == frozenset(range(ENDINGS))


def test_the_order_of_parts_changes_nothing() -> None:
    assert LATE.merged(EARLY) == EARLY.merged(LATE)


def test_a_part_without_a_line_changes_nothing() -> None:
    assert SourceLife().merged(EARLY) == EARLY == EARLY.merged(SourceLife())


def test_a_part_without_a_stamp_tells_none() -> None:
    bare = SourceLife(lives={BARE: Life(200, 300, None)})
    merged = EARLY.merged(bare)
    assert (merged.first_stamp, merged.last_stamp) == (NOON, NOON)
    early = SourceLife(lives={BARE: Life(0, 5, None)})
    assert early.merged(LATE).first_stamp_at == 110


def test_the_content_of_both_is_that_of_neither() -> None:
    merged = EARLY.merged(LATE)
    assert merged.content == "ff" * 16
    assert EARLY.merged(SourceLife(lives={BARE: Life(100, 100, None)}, content="01" * 16)).content == "10" * 16


def test_midnights_of_both_are_known() -> None:
    first, second = (5, Stamp(NOWHERE, False, False)), (105, Stamp(NOWHERE + 1, False, False))
    early = SourceLife(lives={BARE: Life(0, 90, None)}, undated=(first,))
    late = SourceLife(lives={BARE: Life(100, 190, None)}, undated=(second,))
    assert late.merged(early).undated == (first, second)
