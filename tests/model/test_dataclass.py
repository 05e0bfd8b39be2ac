"""Frozen dataclasses of ours are those of the standard library in all that anybody sees."""

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from logsleuth.model.dataclass import dataclass

EMPTY: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ours:
    """One."""

    name: str
    count: float = 1.0
    parts: tuple[str, ...] = EMPTY
    made: list[str] = dataclasses.field(default_factory=list)
    at: int = dataclasses.field(default=0, compare=False, repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    """One."""

    name: str
    count: float = 1.0
    parts: tuple[str, ...] = EMPTY
    made: list[str] = dataclasses.field(default_factory=list)
    at: int = dataclasses.field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Single:
    value: float


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@pytest.mark.parametrize("kind", [Ours, Theirs])
class TestBoth:
    def test_they_are_made_by_position_and_by_name(self, kind: Any) -> None:
        assert kind("a", 2.0) == kind(name="a", count=2.0)
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
            kind()

    def test_every_one_has_a_list_of_its_own(self, kind: Any) -> None:
        assert kind("a").made == []
        assert kind("a").made is not kind("a").made

    def test_equality_minds_what_is_compared(self, kind: Any) -> None:
        assert kind("a", at=1) == kind("a", at=2) != kind("b")
        assert kind("a") != "a"

    def test_nobody_changes_them(self, kind: Any) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'name'"):
            kind("a").name = "b"
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
            del kind("a").name
        assert not hasattr(kind("a"), "__dict__")

    def test_how_they_show(self, kind: Any) -> None:
        assert repr(kind("a")) == f"{kind.__name__}(name='a', count=1.0, parts=(), made=[])"

    def test_what_the_standard_library_does_with_them(self, kind: Any) -> None:
        assert [field.name for field in dataclasses.fields(kind)] == ["name", "count", "parts", "made", "at"]
        one = kind("a", 2.0, ("x",), ["y"], 3)
        assert dataclasses.replace(one, name="b") == kind("b", 2.0, ("x",), ["y"])
        assert dataclasses.asdict(one) == {"name": "a", "count": 2.0, "parts": ("x",), "made": ["y"], "at": 3}
        for same in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            assert (same, same.at) == (one, 3)

    def test_patterns_take_them_apart(self, kind: Any) -> None:
        match kind("a", 2.0):
            case kind(name, count):
                assert (name, count) == ("a", 2.0)


def test_equals_have_one_hash() -> None:
    assert hash(Single(1)) == hash(Single(1.0))
    assert len({Single(1), Single(1.0), Single(2.0)}) == 2
    assert len({Nothing(), Nothing()}) == 1
