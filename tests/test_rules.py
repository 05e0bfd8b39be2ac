"""Every sample and every test of the shipped rules."""

import dataclasses
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language import syntax
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.parse import parse
from logsleuth.language.program import Program
from logsleuth.language.syntax import Place
from logsleuth.testing.results import Result
from logsleuth.testing.runner import run_tests


@cache
def program() -> Program:
    return compile_texts(read_rules([shipped_rules()]))


@cache
def results() -> dict[Place, list[Result]]:
    """What running all of them gives, by the place of the sample or test."""
    found: dict[Place, list[Result]] = {}
    for result in run_tests([str(shipped_rules())]).results:
        found.setdefault(result.at, []).append(result)
    return found


def failures(*places: Place) -> str:
    told = [result for place in places for result in results()[place]]
    assert len(told) >= len(places)
    return "\n".join(f"{r.at.file}:{r.at.line}: {r.name}\n{r.failure}" for r in told if r.failure)


@pytest.mark.parametrize("name", sorted(program().events))
def test_samples(name: str) -> None:
    event = program().events[name]
    found = failures(*(sample.at for sample in event.samples)) if event.samples else failures(event.at)
    assert not found, found


def named(test: syntax.Test) -> str:
    """As pytest shows it: ``process/killed: one of four ranks is killed ...``."""
    return f"{test.at.file.removeprefix('rules/').removesuffix('.sleuth')}: {test.name}"


@pytest.mark.parametrize("test", program().tests, ids=named)
def test_rule(test: syntax.Test) -> None:
    found = failures(test.at)
    assert not found, found


def test_every_rule_is_tested() -> None:
    """Each rule has a test in which it holds and one in which it must keep quiet."""
    expected = {(e.kind, e.name) for test in program().tests for e in test.expectations}
    assert [name for name in program().rules if ("rule", name) not in expected] == []


@pytest.mark.parametrize("name", sorted(program().rules))
def test_every_rule_says_what_to_do_and_what_to_look_at(name: str) -> None:
    """A verdict ends with steps, never with the bare fact."""
    rule = program().rules[name]
    assert all(steps(text) for text in (rule.remedy, rule.next))


def steps(text: str) -> list[str]:
    """The steps of a remedy; each says more than a word or two."""
    return [line for line in text.splitlines() if line.lstrip().startswith("- ") and len(line.split()) > 4]


ADDRESS = re.compile(r"https://[a-z0-9.-]+\.[a-z]+/[^\s\"<>]+")
SHARE_WITH_SOURCES = 0.95


def test_sources_are_addresses_of_pages() -> None:
    """They are shown as they stand: whole, over https, to a page and not to a site, each once a rule."""
    sources = {name: rule.see for name, rule in program().rules.items()}
    assert {name: see for name, see in sources.items() if len(set(see)) < len(see) or len(see) > 3} == {}
    assert {url for see in sources.values() for url in see if not ADDRESS.fullmatch(url)} == set()


def test_nearly_every_rule_has_a_source() -> None:
    """A rule goes without one only where no stable page explains what it finds."""
    rules = program().rules
    without = sorted(name for name, rule in rules.items() if not rule.see)
    assert len(without) <= (1 - SHARE_WITH_SOURCES) * len(rules), without


FOLKLORE = re.compile(r"NCCL_(?:TIMEOUT|SOCKET_TIMEOUT|CONNECT_TIMEOUT|SOCKET_BUFF?SIZE|PORT(?:_RANGE)?)\b")


def test_no_remedy_recommends_a_variable_that_nobody_reads() -> None:
    """Where one is named at all, the same step says that it does nothing."""
    said = {
        (name, line.strip())
        for name, rule in program().rules.items()
        for text in (rule.remedy, rule.next)
        for line in text.splitlines()
        if FOLKLORE.search(line) and "nobody reads" not in line
    }
    assert said == set()


INFERENCE = {"memory.no_cache_room", "network.test_without_memory"}
"""An engine for inference and a benchmark train nothing: what they can give up is another list."""
COSTS = ("micro-batch", "accumulation", "mixed precision", "ZeRO-3", "activation recomputation")


@pytest.mark.parametrize(
    "name", sorted(name for name, rule in program().rules.items() if rule.cause == "gpu-oom" and name not in INFERENCE)
)
def test_what_to_do_without_gpu_memory_is_told_in_the_order_of_what_it_costs(name: str) -> None:
    told = program().rules[name].remedy.lower()
    places = [told.find(step.lower()) for step in COSTS]
    assert -1 not in places
    assert places == sorted(places)


def test_a_longer_timeout_is_never_the_first_advice() -> None:
    """Where a limit is spoken of at all, the search for who stayed away comes before it."""
    first = {name: steps(rule.remedy)[0] for name, rule in program().rules.items() if rule.remedy}
    assert [name for name, step in first.items() if re.search(r"\b(?:[Rr]aise|[Ll]onger|[Ii]ncrease)\b", step)] == [
        "memory.no_cache_room",
        "memory.too_many_open_files",
    ]


# Monitors: what a site adjusts


def monitors() -> dict[str, syntax.Rule]:
    """Rules named ``monitor.*``, as they are written."""
    texts = read_rules([shipped_rules() / "monitor"])
    declared = [item for name, text in texts.items() for item in parse(name, text).declarations]
    return {item.name: item for item in declared if isinstance(item, syntax.Rule)}


def numbers(node: object) -> Iterator[float]:
    """All numbers that stand in a part of a rule."""
    if isinstance(node, syntax.Value | syntax.Quantified):
        value = node.value if isinstance(node, syntax.Value) else node.number
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield value
    if isinstance(node, tuple):
        parts = node
    elif dataclasses.is_dataclass(node) and not isinstance(node, syntax.Place | syntax.Value):
        parts = tuple(getattr(node, field.name) for field in dataclasses.fields(node))
    else:
        parts = ()
    for part in parts:
        yield from numbers(part)


def constants(rule: syntax.Rule) -> dict[str, syntax.Value]:
    lets = (item for item in rule.when if isinstance(item, syntax.Let))
    return {let.name: let.value for let in lets if isinstance(let.value, syntax.Value)}


@pytest.mark.parametrize("name", sorted(monitors()))
def test_every_threshold_of_a_monitor_has_a_name_by_which_a_site_can_adjust_it(name: str) -> None:
    rule = monitors()[name]
    named = constants(rule)
    asked = [item for item in rule.when if not (isinstance(item, syntax.Let) and item.name in named)]
    assert set(numbers((*asked, rule.needs, rule.unless, rule.confidence))) <= {0, 1}
    assert named
    words = {word for part in (*asked, *rule.needs, *rule.unless) for word in re.findall(r"\w+", repr(part))}
    assert named.keys() <= words, "a constant that nothing uses"


@pytest.mark.parametrize("name", sorted(monitors()))
def test_a_monitor_never_fails_a_run_and_explains_nothing(name: str) -> None:
    """What it explained would lend it its severity: a note would become the answer."""
    assert name.startswith("monitor.")
    assert monitors()[name].severity in ("info", "warning")
    assert monitors()[name].explains == ()


@pytest.mark.parametrize(
    ("site", "is_told"), [("", False), ("adjust monitor.gradient_norm_high { let factor = 0 }", True)]
)
def test_a_site_may_set_the_range_of_a_handbook_whatever_the_runs_own_level_is(
    tmp_path: Path, site: str, is_told: bool
) -> None:
    lines = [
        f"[titan] 2025-03-04 03:12:{n:02d},120 - root - INFO - step: {n * 10}  loss:  {7 - n / 16:.5f}  grad_norm: 24.{n:02d}00"
        f"  memory: 40.11GiB(50.65%)  tps: 5,811"
        for n in range(1, 41)
    ]
    (tmp_path / "train.log").write_text("\n".join(lines))
    texts = {**read_rules([shipped_rules()]), "site.sleuth": site}
    found = analyze_with(compile_texts(texts, tests=False), [str(tmp_path / "train.log")])
    assert [(one.rule, one.severity) for one in found.verdicts] == [("monitor.gradient_norm_high", "info")] * is_told


@pytest.mark.parametrize(
    ("site", "is_told"), [("", False), ("adjust speed.gpu_underutilized { let floor = 80% }", True)]
)
def test_a_site_may_draw_the_handbooks_line_for_utilisation(tmp_path: Path, site: str, is_told: bool) -> None:
    rows = [f"2025/03/04 03:{n // 6:02d}:{n % 6}0.120, 0, {68 + n % 5} %, 61440 MiB" for n in range(120)]
    (tmp_path / "smi.csv").write_text(
        "\n".join(["timestamp, index, utilization.gpu [%], memory.used [MiB]", *rows]) + "\n"
    )
    texts = {**read_rules([shipped_rules()]), "site.sleuth": site}
    found = analyze_with(compile_texts(texts, tests=False), [str(tmp_path / "smi.csv")])
    assert [one.rule for one in found.verdicts] == ["speed.gpu_underutilized"] * is_told
