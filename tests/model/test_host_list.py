"""Lists of hosts as SLURM and pdsh write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.model.host_list import expanded


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("node-7", ("node-7",)),
        ("node-[3-5]", ("node-3", "node-4", "node-5")),
        ("n[07,09-11]", ("n07", "n09", "n10", "n11")),
        ("rack[1-2]-n[3,5]", ("rack1-n3", "rack1-n5", "rack2-n3", "rack2-n5")),
        ("node-3,node-[7-8]", ("node-3", "node-7", "node-8")),
        ("node-[3-5].cluster.local", ("node-3.cluster.local", "node-4.cluster.local", "node-5.cluster.local")),
        ("node-[5-3]", ("node-[5-3]",)),
        ("node-[a-c]", ("node-[a-c]",)),
        ("node-[", ("node-[",)),
        ("node-[0-99999]", ("node-[0-99999]",)),
        ("n[0-99][0-99]", ("n[0-99][0-99]",)),
        ("[::1]", ("[::1]",)),
        (",", (",",)),
        ("", ("",)),
    ],
)
def test_expands(text: str, hosts: tuple[str, ...]) -> None:
    assert expanded(text) == hosts


@given(numbers=st.lists(st.integers(0, 999), min_size=1, max_size=20, unique=True), width=st.integers(1, 4))
def test_every_host_of_a_list_comes_out_once(numbers: list[int], width: int) -> None:
    names = [f"node-{number:0{width}}" for number in numbers]
    assert expanded("node-[" + ",".join(f"{number:0{width}}" for number in numbers) + "]") == tuple(names)


@given(text=st.text("n-[],0123456789", max_size=30))
def test_never_raises_and_never_says_nothing(text: str) -> None:
    assert expanded(text)
