"""Tags of c10d: which group a line speaks of, and that they name no writer."""

import pytest

from logsleuth.model.origin import Group
from logsleuth.tokenize.framing import frame

HEADER = b"[rank97]:[E1130 12:00:00.123456789 ProcessGroupNCCL.cpp:629] "


@pytest.mark.parametrize(
    ("tags", "group"),
    [
        (b"", None),
        (b"[c10d] ", None),
        (b"[c10d - trace] ", None),
        (b"[Rank 6] ", Group(None, None, None, 6)),
        (b"[PG 5 Rank 0] ", Group("5", None, None, 0)),
        (b"[PG 0 (default_pg) Rank 1] ", Group("0", None, "default_pg", 1)),
        (b"[PG ID 2 PG GUID 3(mesh_tp) Rank 3] ", Group("2", "3", "mesh_tp", 3)),
        (b"[PG ID 2 PG GUID 3 Rank 3] ", Group("2", "3", None, 3)),
        (b"[PG GUID 3(mesh_tp) Rank 3] ", Group(None, "3", "mesh_tp", 3)),
        (b"[PG GUID mesh_0] ", Group(None, "mesh_0", None, None)),
        (b"[PG 0 Rank 144] [PG 0 Rank 144] ", Group("0", None, None, 144)),
        (b"[PG ID 2 PG GUID 3 Rank 3] [Rank 3] ", Group("2", "3", None, 3)),
        (b"[c10d] [Rank 6] ", Group(None, None, None, 6)),
    ],
)
def test_reads_tags(tags: bytes, group: Group | None) -> None:
    for header in (HEADER, b"", b"I0527 15:16:57.219332 58624 ProcessGroupNCCL.cpp:2074] "):
        line = header + tags + b"Watchdog caught"
        peeled = frame(line)
        assert line[peeled.start :] == b"Watchdog caught"
        assert peeled.group == group
        assert peeled.tag.rank == (97 if header == HEADER else None)


def test_one_blank_belongs_to_a_tag() -> None:
    line = HEADER + b"[PG ID 0 PG GUID 0(default_pg) Rank 1]  failure detected by watchdog"
    assert line[frame(line).start :] == b" failure detected by watchdog"


@pytest.mark.parametrize("text", [b"[Rank 0]: Rank 1 failed", b"[PG x] hello", b"[Ranks 0] x", b"[Rank one] x"])
def test_what_is_no_tag_stays(text: bytes) -> None:
    line = HEADER + text
    assert line[frame(line).start :] == text
    assert frame(line).group is None


def test_megatron_s_rank_is_global() -> None:
    line = b"[Rank 24] (after 300 iterations) memory (MB) | allocated: 512.5"
    peeled = frame(line)
    assert (peeled.tag.rank, peeled.group) == (24, None)
    assert line[peeled.start :].startswith(b"(after 300")
