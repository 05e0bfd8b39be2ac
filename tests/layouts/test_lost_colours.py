"""Colours whose escape character is gone, and words in brackets that are none."""

import pytest

from logsleuth.layouts.folds import Physical, Unfolded
from logsleuth.layouts.lettering import recognised


def step_of(text: str) -> bool:
    return recognised([Unfolded(line, Physical(line, 0, 0)) for line in text.encode().split(b"\n")]) is not None


@pytest.mark.parametrize(
    "text",
    [
        "[1,0]<stderr>:HorovodBroadcast_dense_0 [missing ranks: 1]\n" * 5,
        "2026-11-30 10:00:00 [main] INFO trainer - step 3\n" * 5,
        "[mem] 3 [m] 4 [model] 5\n" * 5,
        "rate over [30m] and [1m] and [0m]\n" * 5,
    ],
)
def test_words_in_brackets_are_words(text: str) -> None:
    assert not step_of(text)


@pytest.mark.parametrize(
    "text", ["[31mERROR[0m step 3\n" * 3, "train.log[m[K:[31m[KCUDA error[m[K\n" * 2, "[1;31mERROR[m\n" * 3]
)
def test_colours_are_colours(text: str) -> None:
    assert step_of(text)
