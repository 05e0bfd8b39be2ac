"""What checking samples finds out."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.testing.results import Result
from logsleuth.testing.samples import check_samples


def results(*events: str, only: str = "") -> list[Result]:
    return list(check_samples(compile_texts({"x.sleuth": "\n".join(events)}), only))


def failure(event: str, *others: str) -> str:
    """What is wrong with the samples of the first event; nothing where they pass."""
    return "; ".join(result.failure for result in results(event, *others, only="a.") if result.failure)


FALL = 'event a.fall { line "fell with code {code:int}" '


@pytest.mark.parametrize(
    "sample",
    [
        'sample "fell with code 3"', 'sample "fell with code 3" gives code = 3', 'sample "[rank2]: fell with code 3" gives code = 3, rank = 2',
        'sample "2024-05-01 10:00:00,000 ERROR RuntimeError: fell with code -3" gives code = -3, level = "E", exception = "RuntimeError"',
        'sample """hello\nfell with code 3\nhello"""', 'sample "fell with code 3" gives code = 3.0',
    ],
)  # fmt: skip
def test_a_sample_that_is_read_as_it_says_passes(sample: str) -> None:
    assert failure(FALL + sample + " }") == ""


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ('sample "slipped on ice"', 'LS301: the sample was read as b.slip\nThe nearest wording is line "fell with code {code:int}" (x.sleuth:1), up to the caret:\n  slipped on ice\n  ^ expected "fell with code "'),
        ('sample "fell with code 3" gives code = 4', "LS302: expected code = 4, got 3"), ('sample "fell with code 3" gives rank = 1', "LS302: expected rank = 1, got None"),
        ('sample "[rank2]: fell with code 3" gives code = 4, rank = 1', "LS302: expected code = 4, got 3\nexpected rank = 1, got 2"),
    ],
)  # fmt: skip
def test_a_sample_that_is_not_says_why(sample: str, expected: str) -> None:
    assert (
        failure(FALL + sample + " }", 'event b.slip { line "slipped on {what}" sample "slipped on ice" }') == expected
    )


@pytest.mark.parametrize(
    ("sample", "advice"),
    [
        (
            "2024-05-01 10:00:00,000 INFO trainer: fell with code 3",
            "To let it begin farther on, write {...} in front of it.",
        ),
        ("2024-05-01 10:00:00,000 INFO trainer: fell", ""),
    ],
)
def test_a_wording_that_begins_farther_on_in_the_line_is_found_out(sample: str, advice: str) -> None:
    last = failure(f'{FALL} sample "{sample}" }}').splitlines()[-1]
    assert last.endswith(advice) if advice else last.endswith('^ expected "fell with code "')


def test_a_wording_of_what_is_taken_for_framing_is_found_out() -> None:
    told = failure('event a.saved { line "[Rank {r:int}] saved it" sample "[Rank 3] saved it" }')
    assert told.splitlines()[-1] == (
        "The message begins at the caret: what stands before it is framing, which no wording sees."
    )


def test_an_event_without_samples_is_told() -> None:
    assert "There is none" in failure(FALL + "}")


def test_a_line_that_a_finer_event_claims_is_found_out() -> None:
    finer = 'event b.nine { line "fell with code 9 again" sample "fell with code 9 again" }'
    assert failure(FALL + 'sample "fell with code 9 again" }', finer).splitlines()[0] == (
        "LS303: the sample was read as b.nine: its wording (x.sleuth:2) fixes 22 characters of plain text, that of a.fall fixes 15"
    )


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("fallback", "a.fall is a fallback, which gives way to every other event"),
        ("frequent", "a.fall is frequent, and of two events the rarer one says more"),
    ],
)
def test_why_another_event_is_read_is_told(clause: str, why: str) -> None:
    told = failure(
        FALL + clause + ' sample "fell with code 9" }', 'event b.nine { line "fell with" sample "fell with" }'
    )
    assert told.splitlines()[0] == f"LS303: the sample was read as b.nine: {why}"


def test_of_two_equal_wordings_the_first_event_by_name_is_read() -> None:
    same = 'event c.fall { line "fell with code {n:int}" sample "fell with code 3" }'
    (told,) = [result.failure for result in results(same, FALL + "}", only="c.")]
    assert "of equals the first by name is taken" in told


@pytest.mark.parametrize(
    ("wordings", "sample", "caret", "expected"),
    [
        ('line "fell with code {code:int}"', "fell with code three", 15, "{code:int}"),
        ('line "fell with code {code:int} at {place}"', "fell with code 3 in hall", 17, '"at "'),
        ('line "fell with code {code:int}" line "rank {r:int} fell"', "rank 3 fails", 8, '"ell"'),
        ('line "{...}fell with code {code:int}"', "rank 3 fell with coat 3", 19, '"de "'),
        ('line "fell with code {code:int}"', "[rank3]: fell without", 18, '" code "'),
        ("regex `fell with (?:code|signal) (?P<code>\\d+)` with code:int", "fell with signal nine", 17, "`(?P<code>\\d+)`"),
    ],
)  # fmt: skip
def test_the_nearest_wording_tells_where_it_stops_fitting(
    wordings: str, sample: str, caret: int, expected: str
) -> None:
    told = failure(f'event a.fall {{ {wordings} sample "{sample}" }}').splitlines()
    assert told[0] == "LS301: no event matches the sample"
    assert told[2:] == [f"  {sample}", f"  {' ' * caret}^ expected {expected}"]


def test_a_wording_that_no_sample_is_read_by_is_told() -> None:
    event = FALL + 'line "slipped and fell" sample "fell with code 3" }'
    assert failure(event) == "LS304: no sample of the event is read by this wording; add a line as it stands in a log"
    assert failure(event.replace(" }", ' sample "slipped and fell" }')) == ""


def test_a_wording_of_an_event_whose_sample_fails_is_not_told_besides() -> None:
    assert "LS304" not in failure(FALL + 'line "slipped and fell" sample "fell with code three" }')


def test_of_several_occurrences_the_best_counts() -> None:
    assert failure(FALL + 'sample """fell with code 1\nfell with code 2""" gives code = 2 }') == ""


def test_blocks_lists_and_numbers() -> None:
    block = (
        'event a.row { block within 5 lines { line "Row of {r:int}" maybe line "took {t:duration} for {who:ranks}" } '
        'sample """Row of 3\ntook 0:01:30 for 1-3""" gives r = 3, t = 90, who = [1, 2, 3] sample "Row of 4" gives r = 4 }'
    )
    assert failure(block) == ""
    assert failure(block.replace("[1, 2, 3]", "[1, 2]")) == "LS302: expected who = (1, 2), got (1, 2, 3)"


def test_only_those_whose_event_is_asked_for() -> None:
    both = (
        FALL + 'sample "fell with code 1" sample "fell with code 2" }',
        'event b.slip { line "slipped on {what}" sample "slipped on ice" }',
    )
    assert [r.name for r in results(*both)] == ["sample of a.fall", "sample of a.fall", "sample of b.slip"]
    assert [r.name for r in results(*both, only="slip")] == ["sample of b.slip"]


def test_a_result_has_the_place_of_its_sample() -> None:
    (result,) = results(FALL + '\n  sample "fell with code 1"\n}')
    assert (result.at.file, result.at.line) == ("x.sleuth", 2)
