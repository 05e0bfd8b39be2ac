"""What the lines of one member tell of its pace."""

import random

from logsleuth.engine.course import Course, Mark, course


def marks(moments: list[float], stride: int = 1, length: int = 150, told: list[float] | None = None) -> list[Mark]:
    return [
        Mark(moment, 0, length * n, stride * (n + 1), True, told[n] if told else None)
        for n, moment in enumerate(moments)
    ]


def of(moments: list[float], stride: int = 1) -> Course:
    return course(marks(moments, stride), True)


def test_the_beat_is_that_of_most_lines_and_needs_some() -> None:
    assert of([0, 10, 20, 30, 95, 105, 115]).beat == 10
    assert of([0, 10, 20, 30]).beat is None


def test_the_longest_pause_is_remembered() -> None:
    assert of([0, 10, 20, 30, 95, 105, 115]).pause == 65


def test_lines_between_those_that_are_kept_explain_their_part_of_a_gap() -> None:
    every = marks([10.0 * n for n in range(400)])
    kept = [mark for mark in every if mark.step % 16 in (0, 1)]
    found = course(kept, True)
    assert found.beat == 10
    assert found.pause == 10
    late = [mark._replace(moment=mark.moment + (500 if mark.step > 200 else 0)) for mark in kept]
    assert course(late, True).pause == 510


def test_the_order_of_marks_changes_nothing() -> None:
    told = marks([0, 10, 20, 30, 95, 105, 115])
    shuffled = list(told)
    random.Random(3).shuffle(shuffled)
    assert course(shuffled, True) == course(told, True)


def test_lines_that_come_in_bursts_are_kept_back() -> None:
    moments = [400.0 * (n // 40 + 1) for n in range(240)]
    found = course(marks(moments, told=[10.0 * n for n in range(240)]), True)
    assert found.beat == 10
    assert found.held == 400
    assert not found.comes_singly


def test_two_lines_at_one_look_are_no_burst() -> None:
    found = of([float(n // 3) for n in range(60)])
    assert found.held == 0
    assert found.comes_singly


def test_what_nobody_saw_come_may_be_kept_back_for_as_long_as_a_buffer_takes() -> None:
    unseen = [mark._replace(is_watched=False) for mark in marks([10.0 * n for n in range(30)])]
    assert course(unseen, True).held == 8192 / 150 * 10
    assert course(unseen, True, writers=2).held == 2 * 8192 / 150 * 10


def test_the_next_line_is_due_a_stride_later() -> None:
    assert of([0, 10, 20, 30, 40], stride=10).due == 60


def test_steps_that_are_counted_anew_begin_another_pass() -> None:
    first = marks([10.0 * n for n in range(8)])
    again = [mark._replace(moment=mark.moment + 100, offset=mark.offset + 5000) for mark in first[:3]]
    assert [mark.step for mark in course([*first, *again], True).run] == [1, 2, 3]
