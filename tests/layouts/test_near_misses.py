"""What looks like records and is none stays the lines it is; what is hostile breaks nothing."""

import json

import pytest

from logsleuth.layouts.registry import LINES
from tests.layouts.test_wrapped import unfolded

RECORD = '{"time": "2026-03-05T10:00:00Z", "level": "info", "message": "m"}\n'
CONFIG = json.dumps({"model": {"name": "llm", "layers": 32}, "text": "a", "level": "O2", "lr": 3e-4}, indent=2)

PLAIN = {
    "one object in a training log": "step 1 loss 2.0\n" * 20 + RECORD + "step 2 loss 1.9\n" * 20,
    "an object at the head of a plain log": RECORD + "step 1 loss 2.0\n" * 20,
    "a configuration at the head of a plain log": CONFIG + "\n" + "step 1 loss 2.0 and so on\n" * 20,
    "an array of metrics": json.dumps([{"step": 3, "loss": 2.1, "timestamp": 1772704800}] * 20, indent=1),
    "texts of a data set": '{"text": "CUDA error", "url": "a", "timestamp": "2026-03-05T10:00:00Z"}\n' * 20,
    "what a model wrote": '{"step": 3, "prompt": "why", "text": "CUDA error"}\n' * 20,
    "words in a table": "step,text,time\n" + '3,"CUDA error",2026-03-05 10:00:00\n' * 20,
    "python's dicts": "{'time': '2026-03-05T10:00:00Z', 'message': 'm'}\n" * 20,
    "stamps": "2026-03-05T10:00:00.123Z worker started\n" * 20,
    "stamps with a zone and a path": "2026-03-05T10:00:00.123+00:00 /opt/train started\n" * 20,
    "settings": "time=3 lr=2\n" * 20,
    "nothing": "",
    "an open brace": "{",
    "brackets": "[" * 100_000,
    "braces": '{"a":' * 100_000,
    "blank lines": "\n" * 1000,
}


@pytest.mark.parametrize("name", PLAIN)
def test_no_record_is_seen_where_there_is_none(name: str) -> None:
    data = PLAIN[name].encode()
    for size in (1 << 20, 1000):
        layout, lines = unfolded(data, size)
        assert layout == LINES
        assert b"\n".join(line.text for line in lines) == data.removesuffix(b"\n")


def test_a_message_may_quote_another_log() -> None:
    quoted = '{"time": "2026-03-05T09:00:00Z", "level": "info", "message": "inner"} is what it said'
    data = json.dumps({"time": "2026-03-05T10:00:00Z", "level": "info", "message": quoted}) + "\n"
    _, lines = unfolded(data.encode(), 1 << 20)
    assert [line.text.partition(b"\x1f")[2].decode() for line in lines] == [quoted]


@pytest.mark.parametrize("name", ["docker", "json"])
def test_what_is_no_record_stands_between_records(name: str) -> None:
    record = '{"log":"m\\n","stream":"stderr","time":"2026-03-05T10:00:00Z"}\n'
    for odd in ("torn off {", '{"log":"torn', '{"step": 3, "loss": 2.0}', '{"log": 3, "time": "x"}', "{} {}", "[1]"):
        data = (record * 4 + odd + "\n" + record * 4 + odd).encode()
        _, lines = unfolded(data, 1 << 20, name)
        plain = [line for line in lines if line.text[:1] != b"\x1e"]
        assert [(line.text.decode(), line.number) for line in plain] == [(odd, 5), (odd, 10)]
        assert len(lines) == 10


HOSTILE = {
    "surrogates": (r'"message": "a\ud800b \udc00\ud83d\ude00"', ["a?b ?😀"]),
    "no escape": ('"message": "a\\qb"', None),
    "the last of two keys": ('"message": "a", "message": "b"', ["b"]),
    "numbers that are none": ('"x": NaN, "message": "b"', ["b"]),
    "a number without an end": ('"x": %s, "message": "b"' % ("9" * 10_000), None),
    "control characters": ('"message": "a\\u0000\\u001eb"', ["a\0\x1ab"]),
    "levels": ('"x": ' + "[" * 500 + "1" + "]" * 500 + ', "message": "b"', ["b"]),
    "no text": ('"message": {"a": 1}, "msg": "b"', ["b"]),
    "a time beyond all": ('"message": "b", "ts": 99999999999999999999, "rank": -3, "pid": 1e400', ["b"]),
    "a name that is none": ('"message": "b", "host": "a b\\u001f"', ["b"]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_record(name: str) -> None:
    members, texts = HOSTILE[name]
    line = "{" + members + ', "level": "info"}'
    data = f"{line}\n".encode()
    _, lines = unfolded(data, 1 << 20, "json")
    if texts is None:
        assert [item.text.decode() for item in lines] == [line]
    else:
        assert [item.text.partition(b"\x1f")[2].decode() for item in lines] == texts
    for item in lines:
        assert item.cited is not None
        assert data[item.offset :].startswith(item.cited)


def test_bytes_that_are_no_utf8_are_kept() -> None:
    data = b'{"message": "a\xff\\tb", "level": "info"}\n'
    _, lines = unfolded(data, 1 << 20, "json")
    assert [(line.text, line.cited) for line in lines] == [(b"\x1e\x1d\x1dI\x1fa\xff\tb", b"a\xff\\tb")]


@pytest.mark.parametrize(
    "name", ["json", "docker", "json-document", "csv", "journal-export", "text-export", "logfmt", "cri"]
)
def test_any_bytes_in_any_layout(name: str) -> None:
    big = b'{"log":"' + b"x" * (3 << 20) + b'\\n","stream":"stdout","time":"2026-03-05T10:00:00Z"}\n'
    for data in (
        big,
        big[:-100],
        b"\x00\xff\xfe\n" * 100,
        b'"' * 1000,
        b"[{" * 50_000,
        b"MESSAGE\n" * 50,
        b'a,"b\n' * 99,
    ):
        for size in (1 << 20, 4099):
            _, lines = unfolded(data, size, name)
            length = sum(len(line.text) for line in lines)
            assert length <= len(data)
            assert all(0 <= line.offset <= len(data) for line in lines)


def test_a_part_that_is_not_ended_is_a_line() -> None:
    part = '{"log":"%s","stream":"stdout","time":"2026-03-05T10:00:00Z"}\n'
    data = (part % "a" + part % "b\\n" + part % "c").encode()
    _, lines = unfolded(data, 1 << 20, "docker")
    assert [line.text.partition(b"\x1f")[2] for line in lines] == [b"ab", b"c"]
