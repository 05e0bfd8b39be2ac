"""What is kept of a file is a part of it, cut between lines where there are any, and no byte too long."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.collecting.excerpt import Body, planned

LINES = st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=200).map(b"\n".join)


@given(LINES, st.integers(8, 4000))
def test_both_ends_and_how_much_lies_between(text: bytes, most: int) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "log"
        file.write_bytes(text)
        with file.open("rb") as stream:
            plan = planned(stream, most)
            kept = b"".join(Body(stream, plan))
    assert len(kept) == plan.size
    head, tail = text[: plan.head], text[plan.tail :]
    if len(text) <= most:
        assert kept == text
        return
    assert kept == head + b"\n### logsleuth left out %d bytes here\n" % plan.left_out + tail
    assert len(head) + len(tail) <= most
    assert len(head) + plan.left_out + len(tail) == len(text)
    quarter = text[: most // 4]
    assert head == (quarter[: quarter.rfind(b"\n") + 1] or quarter)


def test_a_file_that_becomes_shorter_meanwhile_is_made_up(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(b"one\ntwo\nthree\n")
    with file.open("rb") as stream:
        plan = planned(stream, 1000)
        file.write_bytes(b"one\n")
        body = Body(stream, plan)
        assert b"".join(body) == b"one\n" + b"\n" * 10
    assert body.lost == 10
