"""Runs the tests that stand beside rules."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from logsleuth.drivers.batch import judged
from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import read
from logsleuth.engine.jobs import ONLY, Part
from logsleuth.engine.plan import plan
from logsleuth.ingest.discover import discover
from logsleuth.ingest.labels import label
from logsleuth.language.library import compile_texts, own_rules, read_rules, shipped_rules
from logsleuth.language.program import Program
from logsleuth.language.syntax import Expectation, Log, Test
from logsleuth.model.analysis import Verdict
from logsleuth.model.origin import PathLabel, Source, Tag
from logsleuth.testing.results import Report, Result
from logsleuth.testing.samples import check_samples


def run_tests(paths: Sequence[str] = (), only: str = "") -> Report:
    """Runs the samples and tests of rule files; without any, those of ./rules or else of the shipped library.

    ``only`` selects those whose name, or whose rule's name, holds it. The shipped tests say what the shipped rules do,
    so they are run with these as they are shipped; a site's own with what the site has made of them. Raises RulesError
    for rules with errors.
    """
    own = own_rules(paths)
    shipped = read_rules([shipped_rules()])
    texts = {**shipped, **read_rules(own)}
    program = compile_texts(texts)
    files = set(read_rules(own))
    samples = [result for result in check_samples(program, only) if result.at.file in files]
    tests = [test for test in program.tests if test.at.file in files and _is_chosen(test, only)]
    is_mixed = program.is_adjusted and any(test.at.file in shipped for test in tests)
    as_shipped = compile_texts(texts, adjusted=False) if is_mixed else program
    return Report((*samples, *(run_test(test, as_shipped if test.at.file in shipped else program) for test in tests)))


def _is_chosen(test: Test, only: str) -> bool:
    return only in test.name or any(only in expected.name for expected in test.expectations)


def run_test(test: Test, program: Program) -> Result:
    """Whether the program says of the test's logs what the test expects."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            sources, labels = _sources(test, Path(folder))
        except FileNotFoundError as error:
            return Result(test.name, test.at, f"there is no '{error.filename}' beside the rule file or above it")
        verdicts = _verdicts(program, sources, labels)
    failures = [text for expected in test.expectations if (text := _failure(expected, verdicts))]
    if failures:
        failures += (
            ["the verdicts were:", *(_describe(verdict) for verdict in verdicts)] if verdicts else ["no verdict"]
        )
    return Result(test.name, test.at, "\n".join(failures))


def _verdicts(program: Program, sources: list[Source], labels: dict[int, PathLabel]) -> list[Verdict]:
    chosen = plan(program)
    reading = read(sources, program, chosen)
    part = Part(ONLY, reading.state, {**reading.labels, **labels})
    return judged(program, chosen, part, reading.logs).verdicts


def _sources(test: Test, folder: Path) -> tuple[list[Source], dict[int, PathLabel]]:
    """The logs of a test as files; what ``log`` says of a writer stands in for what a file name would tell."""
    sources: list[Source] = []
    labels: dict[int, PathLabel] = {}
    for number, log in enumerate(test.logs):
        if not log.text and log.path:
            sources += joined(discover([str(_beside(log.path, test))]).sources)
            continue
        file = folder / (log.path or _name(log, number))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(log.text.lstrip("\n"), encoding="utf-8")
        labels[len(sources)] = label(str(file.relative_to(folder)))
        if log.host or log.rank is not None:
            labels[len(sources)] = labels[len(sources)]._replace(tag=Tag(rank=log.rank, host=log.host or None))
        sources.append(Source(str(file)))
    return sources, labels


def _name(log: Log, number: int) -> str:
    return f"{number}/{log.host or 'log'}.log"


def _beside(path: str, test: Test) -> Path:
    """A path that a test names: relative to the rule file's folder or one of those above."""
    start = Path(test.at.file).resolve().parent
    for base in (start, *start.parents):
        if (base / path).exists():
            return base / path
    raise FileNotFoundError(2, "no such file", path)


def _failure(expected: Expectation, verdicts: list[Verdict]) -> str:
    roots = [v for v in verdicts if v.role == "root" and v.status == "firm"]
    if expected.kind == "nothing":
        loud = [v for v in roots if v.severity.fails]
        return "expected nothing wrong" if loud else ""
    if expected.kind == "cause":
        first = roots[0].cause if roots else "nothing"
        return "" if first == expected.name else f"expected the cause {expected.name} first, got {first}"
    own = [v for v in verdicts if v.rule == expected.name]
    if expected.kind == "no rule":
        return f"expected no {expected.name}" if own else ""
    if expected.kind == "open rule":
        return "" if any(v.status == "open" for v in own) else f"expected an open {expected.name}"
    firm = [v for v in own if v in roots]
    if not firm:
        return f"expected {expected.name}"
    return "\n".join(_culprit_failures(expected, firm[0]))


def _culprit_failures(expected: Expectation, verdict: Verdict) -> Iterator[str]:
    if not expected.culprits:
        return
    culprits = verdict.culprits
    got: list[str] = {
        "ranks": [str(rank) for rank in culprits.ranks],
        "local_ranks": [str(rank) for rank in culprits.local_ranks],
        "hosts": list(culprits.hosts),
        "nobody": [*map(str, culprits.ranks), *map(str, culprits.local_ranks), *culprits.hosts],
    }[expected.culprits]
    if sorted(got) != sorted(expected.members):
        wanted = ", ".join(expected.members) or "nobody"
        yield f"expected {expected.name} to name {expected.culprits} {wanted}, got {got}"


def _describe(verdict: Verdict) -> str:
    who = [*verdict.culprits.ranks, *verdict.culprits.local_ranks, *verdict.culprits.hosts]
    return f"- {verdict.rule} ({verdict.role}, {verdict.status}, {verdict.severity.value}) {who}: {verdict.summary}"
