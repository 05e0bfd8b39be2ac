"""Who is outvoted, and since when do members part?"""

import math
import random
from collections.abc import Sequence

from logsleuth.engine.series_functions import compare
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_of_peers import Compared
from logsleuth.engine.series_samples import Argument
from logsleuth.engine.series_signature import Result
from logsleuth.engine.subject import Member, MemberKind
from tests.engine.series import view

RANKS = [Member(MemberKind.RANK, (number,)) for number in range(4)]
COMMON = [1.2 + 0.01 * n for n in range(20)]


def views(*values: Sequence[float]) -> dict[Member, SeriesView]:
    return {rank: view(each, every=10) for rank, each in zip(RANKS, values, strict=False)}


def outvoted(given: dict[Member, SeriesView], rank: int, at_least: float = 5) -> Result:
    return compare("outvoted", Compared(given), {"at_least": Argument(at_least)}, RANKS[rank])


def parted(given: dict[Member, SeriesView]) -> Result:
    return compare("parted", Compared(given), {}, None)


def apart(since: int) -> list[float]:
    return [value * 1.3 if n >= since else value for n, value in enumerate(COMMON)]


def local(seed: int) -> list[float]:
    chance = random.Random(seed)
    return [value * math.exp(chance.gauss(0, 0.05)) for value in COMMON]


def test_one_against_the_others() -> None:
    given = views(COMMON, COMMON, apart(10), COMMON)
    assert [outvoted(given, rank) for rank in range(4)] == [False, False, True, False]


def test_one_that_came_back_is_not_outvoted() -> None:
    back = [*COMMON[:5], *(value * 2 for value in COMMON[5:10]), *COMMON[10:]]
    assert outvoted(views(COMMON, COMMON, back, COMMON), 2) is False


def test_nobody_is_outvoted_without_a_majority() -> None:
    assert outvoted(views(COMMON, apart(0)), 1) is None
    assert outvoted(views(COMMON, COMMON, apart(0), apart(0)), 3) is None
    assert outvoted(views(*(local(seed) for seed in range(4))), 3) is None


def test_a_placeholder_is_no_majority() -> None:
    assert outvoted(views([0.0] * 20, [0.0] * 20, [0.0] * 20, COMMON), 3) is None
    assert outvoted(views([1.0] * 20, [1.0] * 20, [1.0] * 20, COMMON), 3) is None


def test_a_member_that_prints_nothing_is_not_asked() -> None:
    assert outvoted(views(COMMON, COMMON, apart(0)), 3) is None
    assert compare("outvoted", Compared(views(COMMON, COMMON, apart(0))), {}, None) is None


def test_too_few_common_steps() -> None:
    given = views(COMMON, COMMON, apart(10)[:4], COMMON)
    assert outvoted(given, 2) is None
    assert outvoted(views(COMMON[:5], COMMON[:5], apart(0)[:5]), 2) is True


def test_two_part_where_they_began_to_differ() -> None:
    assert parted(views(COMMON, apart(12))) == 120


def test_they_do_not_part_who_never_agreed_or_agree_again() -> None:
    assert parted(views(local(1), local(2))) is None
    assert parted(views(COMMON, COMMON)) is None
    back = [*COMMON[:8], *(value * 2 for value in COMMON[8:12]), *COMMON[12:]]
    assert parted(views(COMMON, back)) is None
    assert parted(views(COMMON, apart(17))) is None


def test_steps_with_several_values_are_not_compared() -> None:
    twice = view([*COMMON, *COMMON], by_step=True)
    assert parted({RANKS[0]: twice, RANKS[1]: SeriesView(twice.series, False, twice.seconds)}) is None
