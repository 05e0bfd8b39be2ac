"""Runs the tests that stand beside rules."""

import shlex
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from logsleuth.drivers.pieces import joined
from logsleuth.drivers.tracing import trace_sources
from logsleuth.ingest.labels import label
from logsleuth.language.library import compile_texts, own_rules, read_rules, shipped_rules
from logsleuth.language.program import Program
from logsleuth.language.syntax import Expectation, Log, Test
from logsleuth.model.analysis import Verdict
from logsleuth.model.origin import PathLabel, Source, Tag
from logsleuth.recorder.discovery import discovered
from logsleuth.testing import failures
from logsleuth.testing.present import present_of
from logsleuth.testing.results import Report, Result
from logsleuth.testing.samples import check_samples
from logsleuth.testing.verdicts import Verdicts

_ABOVE = 3
"""Folders above that of a rule file in which the logs of its tests may lie."""


def run_tests(paths: Sequence[str] = (), only: str = "") -> Report:
    """Runs the samples and tests of rule files; without any, those of ./rules or else of the shipped library.

    ``only`` selects those whose name, or whose rule's name, holds it. What stands in files that are only used is not
    run. The shipped tests say what the shipped rules do, so they are run with these as they are shipped; a site's own
    with what the site has made of them. Raises RulesError for rules with errors.
    """
    program, texts, shipped, files = _compiled(paths)
    samples = list(check_samples(program, only, files))
    tests = [test for test in program.tests if test.at.file in files and _is_chosen(test, only)]
    chosen = [test for test in tests if not (test.at.file in shipped and _is_without_logs(test))]
    is_mixed = program.is_adjusted and any(test.at.file in shipped for test in chosen)
    as_shipped = compile_texts(texts, adjusted=False) if is_mixed else program
    own = Verdicts(program)
    ours = own if as_shipped is program else Verdicts(as_shipped)
    results = (_run(test, ours if test.at.file in shipped else own) for test in chosen)
    return Report((*samples, *results), len(tests) - len(chosen))


def failed_samples(paths: Sequence[str] = ()) -> tuple[Result, ...]:
    """What is wrong with the samples of rule files, chosen as in ``run_tests``. Raises RulesError."""
    chosen = _compiled(paths)
    return Report(tuple(check_samples(chosen.program, files=chosen.files))).failures


class _Compiled(NamedTuple):
    """The rules of a run."""

    program: Program
    texts: dict[str, str]
    """Of all files."""
    shipped: dict[str, str]
    files: frozenset[str]
    """Those whose samples and tests are run."""


def _compiled(paths: Sequence[str]) -> _Compiled:
    own, shipped = own_rules(paths), read_rules([shipped_rules()])
    texts = {**shipped, **read_rules(own)}
    return _Compiled(compile_texts(texts), texts, shipped, frozenset(read_rules(own, follow=False)))


def _is_without_logs(test: Test) -> bool:
    """Whether a shipped test names logs that are not there because an installation holds rules only."""
    if (shipped_rules().parent / "fixtures").is_dir():
        return False
    return any(log.path and not log.text and not _found(log.path, test) for log in test.logs)


def _is_chosen(test: Test, only: str) -> bool:
    return only in test.name or any(only in expected.name for expected in test.expectations)


def run_test(test: Test, program: Program) -> Result:
    """Whether the program says of the test's logs what the test expects."""
    return _run(test, Verdicts(program))


def _run(test: Test, says: Verdicts) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        try:
            sources, labels = _sources(test, Path(folder))
        except FileNotFoundError as error:
            return Result(test.name, test.at, f"there is no '{error.filename}' beside the rule file or above it")
        verdicts = says.of(sources, labels, test.now)
        failed = [expected for expected in test.expectations if not is_met(expected, verdicts)]
        told = _told(failed, test, says.program, verdicts, sources, labels, Path(folder)) if failed else ""
    return Result(test.name, test.at, told)


def _told(
    failed: Sequence[Expectation],
    test: Test,
    program: Program,
    verdicts: list[Verdict],
    sources: list[Source],
    labels: dict[int, PathLabel],
    folder: Path,
) -> str:
    """What the failures are, and why: the rules that they ask for are traced over the test's logs."""
    causes = {name: rule.cause for name, rule in program.rules.items()}
    rules = [failures.wanted(expected, causes) for expected in failed]
    chosen = [program.rules[name] for name in dict.fromkeys(chain.from_iterable(rules))]
    present = partial(present_of, now=test.now)
    traced = trace_sources(program, sources, labels, chosen, present)[1] if chosen else ()
    traces = {one.rule: one for one in traced}
    names = {
        str(folder / (log.path or _name(log, number))): f"log {number + 1}"
        for number, log in enumerate(test.logs)
        if log.text
    }
    blocks = []
    for expected, asked in zip(failed, rules, strict=True):
        text = failures.Failure(expected, verdicts, names).text([traces[name] for name in asked])
        blocks.append("\n".join([text, *_command(asked, test)]))
    return "\n\n".join(blocks)


def _command(rules: Sequence[str], test: Test) -> Iterator[str]:
    """How to see all of the trace, where the test's logs are files."""
    if len(rules) == 1 and all(log.path and not log.text for log in test.logs):
        logs = " ".join(shlex.quote(_shown(_beside(log.path, test))) for log in test.logs)
        is_known = any(Path(test.at.file).resolve().is_relative_to(folder.resolve()) for folder in _known())
        own = "" if is_known else f" --rules {shlex.quote(test.at.file)}"
        yield f"`logsleuth rules trace {rules[0]} {logs}{own}` shows all"


def _shown(path: Path) -> str:
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _known() -> tuple[Path, Path]:
    """Folders whose rules are loaded without being named."""
    return shipped_rules(), Path("rules")


def _sources(test: Test, folder: Path) -> tuple[list[Source], dict[int, PathLabel]]:
    """The logs of a test as files; what ``log`` says of a writer stands in for what a file name would tell."""
    sources: list[Source] = []
    labels: dict[int, PathLabel] = {}
    for number, log in enumerate(test.logs):
        if not log.text and log.path:
            sources += joined(discovered([str(_beside(log.path, test))]).sources)
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
    """A path that a test names: relative to the rule file's folder, or to one above that may be the rules' own."""
    if found := _found(path, test):
        return found
    raise FileNotFoundError(2, "no such file", path)


def _found(path: str, test: Test) -> Path | None:
    start = Path(test.at.file).resolve().parent
    bases = (base for base in (start, *start.parents[:_ABOVE]) if base != base.parent)
    return next((base / path for base in bases if (base / path).exists()), None)


def is_met(expected: Expectation, verdicts: Sequence[Verdict]) -> bool:
    """Whether the verdicts are as a test expects."""
    roots = [v for v in verdicts if v.role == "root" and v.status == "firm"]
    if expected.kind == "nothing":
        return not any(v.severity.fails for v in roots)
    if expected.kind == "cause":
        return bool(roots) and roots[0].cause == expected.name
    own = [v for v in verdicts if v.rule == expected.name]
    if expected.kind == "no rule":
        return not own
    if expected.kind == "open rule":
        return any(v.status == "open" for v in own)
    firm = [v for v in own if v in roots]
    return bool(firm) and _names(expected, firm[0])


def _names(expected: Expectation, verdict: Verdict) -> bool:
    """Whether the verdict names those whom the test expects, where it expects somebody."""
    if not expected.culprits:
        return True
    culprits = verdict.culprits
    got: list[str] = {
        "ranks": [str(rank) for rank in culprits.ranks],
        "local_ranks": [str(rank) for rank in culprits.local_ranks],
        "hosts": list(culprits.hosts),
        "nobody": [*map(str, culprits.ranks), *map(str, culprits.local_ranks), *culprits.hosts],
    }[expected.culprits]
    return sorted(got) == sorted(expected.members)
