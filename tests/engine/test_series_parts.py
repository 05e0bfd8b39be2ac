"""How much of a step goes into waiting for data."""

from logsleuth.engine.series_functions import evaluate
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_samples import Argument
from logsleuth.model.series import Point
from tests.engine.series import series, view


def share(part: SeriesView, whole: SeriesView, **arguments: float | Argument) -> object:
    given = {name: value if isinstance(value, Argument) else Argument(value) for name, value in arguments.items()}
    return evaluate("share", [part, whole], given)


def test_it_is_that_of_the_sums() -> None:
    assert share(view([0.2, 0.3] * 10), view([1.0] * 20)) == 100 * (0.2 * 10 + 0.3 * 8) / 18


def test_a_long_wait_on_one_line_of_ten_is_left_out() -> None:
    assert share(view(([0.0] * 9 + [5.0]) * 3), view(([1.0] * 9 + [6.0]) * 3)) == 0
    half = share(view([0.0, 5.0] * 10), view([1.0, 6.0] * 10))
    assert isinstance(half, float)
    assert half > 50


def test_of_few_lines_the_middle_one_answers() -> None:
    assert share(view([0.1, 0.1, 9.0]), view([1.0, 1.0, 10.0])) == 10
    assert share(view([0.1, 0.1]), view([1.0, 1.0])) is None
    assert share(view([0.1, 0.1]), view([1.0, 1.0]), at_least=2) == 10


def test_what_is_larger_than_its_whole_stands_beside_it() -> None:
    assert share(view([3.0] * 20), view([1.0] * 20)) == 75


def test_where_no_line_tells_both_steps_put_them_together() -> None:
    whole = view([1.0] * 20)
    told = series(Point(n, 0.5, 0, 100 * n + 50, n, None) for n in range(20))
    assert share(SeriesView(told, True, whole.seconds), whole) == 50
    assert share(SeriesView(told, False, whole.seconds), whole) is None


def test_there_is_no_part_of_nothing() -> None:
    assert share(view([0.0] * 20), view([0.0] * 20)) is None


def test_the_last_steps_only() -> None:
    assert share(view([0.0] * 50 + [0.5] * 20), view([1.0] * 70), over=Argument(20, "steps")) == 50
