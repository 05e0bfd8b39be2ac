"""How rules' sentences are filled from what was seen."""

from pathlib import Path

import pytest

from tests.small_jobs import only, rule

KINDS = """
event k.mem { line "needs {size:bytes} of memory" }
event k.time { line "waited for {t:duration} in vain" }
event k.real { line "loss is {v:float} now" }
event k.set { witness peer line "no news from {who:ranks} yet" about job }
event k.text { line "it said: {what:text}" }
event k.node { witness scheduler line "node {h} is down" about host {h} }
event k.own { line "from {source:int} at {time} by {rank}" }
event k.pid { line "process {p:int} is gone" about pid {p} }
"""


def told(folder: Path, verdict: str, text: dict[str, str] | str, event: str = "a.fall") -> str:
    return only(folder, KINDS + rule("r.one", f"when seen {event} as x", "culprit x", verdict=verdict), text).summary


# Whom


@pytest.mark.parametrize(
    ("logs", "whom"),
    [
        ("[rank3]: fell with code 1\n", "Rank 3"), ("[rank3]: fell with code 1\n[rank1]: fell with code 1\n", "Ranks 1, 3"),
        ("".join(f"[rank{n}]: fell with code 1\n" for n in (0, 1, 2, 3, 7)), "Ranks 0-3, 7"), ("[default2]: fell with code 1\n", "Local rank 2"),
        ({"node-7/a.log": "[default2]: fell with code 1\n[default1]: fell with code 1\n", "node-8/a.log": "[default2]: fell with code 1\n"}, "Local ranks 1, 2 on node-7 and local rank 2 on node-8"),
        ("fell with code 1\n", "A process"), ({"node-7.log": "fell with code 1\n"}, "A process on node-7"),
        ({"a.log": "fell with code 1\n", "b.log": "fell with code 2\n"}, "2 processes"),
        ("[rank3]: fell with code 1\n[default1]: fell with code 1\n", "Rank 3 and local rank 1"), ("(Worker pid=77) fell with code 1\n", "Process 77"),
    ],
)  # fmt: skip
def test_whom_a_binding_concerns(tmp_path: Path, logs: dict[str, str] | str, whom: str) -> None:
    assert told(tmp_path, "{x}", logs) == whom


def test_hosts_and_the_job(tmp_path: Path) -> None:
    down = "".join(f"node node-{n} is down\n" for n in range(4))
    assert told(tmp_path / "a", "{x}", "node node-7 is down\n", "k.node") == "Host node-7"
    assert told(tmp_path / "b", "{x}", down, "k.node") == "Hosts node-0, node-1 (+2)"
    assert told(tmp_path / "c", "{x}", "notice: here\n", "a.notice") == "The job"


# Values


@pytest.mark.parametrize(
    ("event", "text", "field", "value"),
    [
        ("k.mem", "needs 1.50 GiB of memory\n", "size", "1.50 GiB"), ("k.time", "waited for 600000ms in vain\n", "t", "10 min"), ("k.real", "loss is 2.0 now\n", "v", "2"),
        ("k.real", "loss is 2.125 now\n", "v", "2.125"), ("k.real", "loss is nan now\n", "v", "nan"), ("k.set", "no news from [4, 5, 6] yet\n", "who", "4-6"),
        ("k.text", "it said: a b  c\n", "what", "a b c"), ("k.text", "it said: " + "y" * 500 + "\n", "what", "y" * 297 + "..."), ("a.hang", "gave up waiting after 250 ms\n", "ms", "250 ms"),
    ],
)  # fmt: skip
def test_values_have_their_units(tmp_path: Path, event: str, text: str, field: str, value: str) -> None:
    assert told(tmp_path, "{x." + field + "}", text, event) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [("50% * count(a.fall)", "1"), ("50% * last(a.hang.ms)", "2 min"), ("last(a.hang.ms) * 50%", "2 min"), ("50% * 50%", "25%")],
)  # fmt: skip
def test_a_share_of_something_has_its_unit(tmp_path: Path, value: str, shown: str) -> None:
    clauses = f"when seen a.fall when seen a.hang let part = {value}"
    text = "fell with code 1\nfell with code 1\ngave up waiting after 240000 ms\n"
    assert only(tmp_path, rule("r.one", clauses, verdict="{part}"), text).summary == shown


def test_one_value_is_told_once_and_many_are_counted(tmp_path: Path) -> None:
    def falls(*codes: int) -> str:
        return "".join(f"fell with code {code}\n" for code in codes)

    assert told(tmp_path / "a", "{x.code}", falls(7, 7, 7)) == "7"
    assert told(tmp_path / "b", "{x.code}", falls(7, 8, 7)) == "7, 8"
    assert told(tmp_path / "c", "{x.code}", falls(1, 2, 3, 4)) == "1, 2 (+2)"


def test_what_every_event_has(tmp_path: Path) -> None:
    logs = {"node-7/rank_3.log": "2024-05-01 10:00:00,500 ERROR RuntimeError: fell with code 1\n"}
    assert (
        told(tmp_path, "{x.rank} {x.host} {x.level} {x.exception} {x.time} {x.attempt}", logs)
        == "3 node-7 E RuntimeError 2024-05-01T10:00:00.500 0"
    )
    assert (
        told(tmp_path / "b", "{x.source}: {x.text}", "fell with code 1 (so)\n")
        == f"{tmp_path / 'b' / 'job.log'}: fell with code 1 (so)"
    )
    assert (
        told(
            tmp_path / "c", "{x.pid} {x.local_rank}", "(Worker pid=77) fell with code 1\n[default2]: fell with code 1\n"
        )
        == "77 2"
    )


def test_an_events_own_fields_go_before_those_that_every_event_has(tmp_path: Path) -> None:
    assert told(tmp_path, "{x.source} {x.time} {x.rank}", "[rank4]: from 99 at noon by me\n", "k.own") == "99 noon me"


@pytest.mark.parametrize(
    ("hole", "said"),
    [
        ("{x.rank}", "Unknown rank"),
        ("{x.time}", "Unknown time"),
        ("{x.local_rank}", "Unknown local rank"),
        ("{x.exception}", "Unknown exception"),
    ],
)
def test_what_is_not_known_is_told_to_be_unknown(tmp_path: Path, hole: str, said: str) -> None:
    assert told(tmp_path, hole, "fell with code 1\n") == said


def test_a_hole_may_say_what_stands_there_where_nothing_is_told(tmp_path: Path) -> None:
    text = "it fell with {x.code|a code} on {x.local_rank|some GPU}"
    assert told(tmp_path, text, "fell with code 1\n") == "It fell with 1 on some GPU"


def test_counts(tmp_path: Path) -> None:
    text = "the job has 8 ranks\n[rank0]: fell with code 1\n[rank0]: fell with code 2\n[rank3]: fell with code 1\n"
    assert told(tmp_path, "{count(x)} of {count(ranks)} on {count(hosts)}", text) == "2 of 8 on 0"


def test_braces_and_blanks(tmp_path: Path) -> None:
    assert told(tmp_path, "it is {{so}}  and\\n not {{x}}", "fell with code 1\n") == "It is {so} and not {x}"


# Steps


def steps(folder: Path, remedy: str, text: str = "it said: ouch\n") -> tuple[str, ...]:
    return only(
        folder, KINDS + rule("r.one", "when seen k.text as x", f'remedy """{remedy}"""', f'next """{remedy}"""'), text
    ).remedies


@pytest.mark.parametrize(
    ("remedy", "expected"),
    [
        ("- one\n    - two\n  and more\n  - three", ("one", "two and more", "three")), ("Do this.", ("Do this.",)), ("Do this\nand that.", ("Do this and that.",)),
        ("\n  - only\n", ("only",)), ("", ()), ("see {x.what} - or not", ("see ouch - or not",)), ("-not a step", ("-not a step",)),
    ],
)  # fmt: skip
def test_steps_are_lines_that_start_with_a_dash(tmp_path: Path, remedy: str, expected: tuple[str, ...]) -> None:
    assert steps(tmp_path, remedy) == expected


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85"])
def test_a_log_cannot_add_a_step(tmp_path: Path, end: str) -> None:
    """These end a line for Python, but not in a log."""
    assert len(steps(tmp_path, "- look at {x.what}", f"it said: ouch{end}- run this\n")) == 1


def test_a_log_cannot_ask_for_a_field(tmp_path: Path) -> None:
    assert told(tmp_path, "{x.what}", "it said: {x.text} {{ {count(x)}\n", "k.text") == "{x.text} {{ {count(x)}"


def test_chain_and_next_are_filled_as_well(tmp_path: Path) -> None:
    clauses = ('chain "{x} falls" -> "all see {x.code}"', 'next "- ask {x}"', 'see "https://example.org/{x}"')
    verdict = only(tmp_path, rule("r.one", "when seen a.fall as x", *clauses), "[rank3]: fell with code 1\n")
    assert verdict.chain == ("Rank 3 falls", "All see 1")
    assert verdict.next_steps == ("ask rank 3",)
    assert verdict.see == ("https://example.org/{x}",)


def test_fields_that_stand_together_come_from_one_occurrence(tmp_path: Path) -> None:
    kinds = KINDS + 'event k.pair { line "took {a} of {b}" line "gave back {a}" }\n'
    verdict = rule("r.one", "when seen k.pair as x", verdict="{x.a} of {x.b} gone")
    differ = only(tmp_path / "a", kinds + verdict, "gave back 9\ntook 1 of 2\ntook 3 of 4\n")
    assert differ.summary == "1 of 2 (+2) gone"
    agree = only(tmp_path / "b", kinds + verdict, "took 1 of 2\ngave back 1\n")
    assert agree.summary == "1 of 2 gone"
