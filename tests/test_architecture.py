"""The shape of the code, kept by reading its imports: see ``violations`` for what is asked."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "logsleuth"

ARROWS: dict[str, set[str]] = {
    "model": set(),
    "report": set(),
    "language": set(),
    "ingest": set(),
    "layouts": {"ingest"},
    "tailing": {"ingest"},
    "alerts": set(),
    "redaction": {"ingest"},
    "tokenize": {"language", "layouts"},
    "engine": {"language"},
    "diagnosis": {"engine", "language"},
    "recorder": {"ingest"},
    "probes": set(),
    "collecting": {"ingest", "probes"},
    "drivers": {"engine", "tokenize", "diagnosis", "layouts", "recorder", "redaction", "collecting", "tailing"},
    "testing": {"drivers", "report"},
    "authoring": {"testing"},
    "cli": {"authoring", "report", "collecting", "alerts"},
}
"""Which packages a package may import, beside itself and ``model``; what those may import, it may import too."""

HEAVY = {
    "lark": {
        f"logsleuth.language.{module}"
        for module in (
            "parse",
            "build",
            "build_about",
            "build_define",
            "build_site",
            "build_table",
            "check_size",
            "conditions",
            "expectations",
            "expressions",
            "faults",
            "mend",
        )
    },
    "pydantic": {
        "logsleuth.report.schema",
        "logsleuth.report.inventory_schema",
        "logsleuth.report.live_schema",
        "logsleuth.report.preflight_schema",
    },
    "rich": {"logsleuth.report.terminal", "logsleuth.report.live"},
    "pygments": {"logsleuth.authoring.pygments_lexer"},
    "jsonschema": set[str](),
    "fsspec": set[str](),
    "distributed": set[str](),
    "dask": set[str](),
    "numpy": set[str](),
    "torch": set[str](),
}
"""Libraries that cost start-up time, and the modules whose import may load them. Everybody else imports the library, or
such a module, inside the function that needs it."""

VAGUE = {"manager", "helper", "helpers", "util", "utils", "misc", "common"}
LONGEST = 320
"""Lines of a module."""


@dataclass(frozen=True)
class Import:
    line: int
    module: str
    names: tuple[str, ...]
    """What ``from module import ...`` names; each may be a module itself."""
    at_start: bool
    """True where importing the module runs it: not in a function, not for the type checker only."""


class _Imports(ast.NodeVisitor):
    """Collects the imports of a module, relative ones resolved against its package."""

    def __init__(self, package: str) -> None:
        self.found: list[Import] = []
        self._package = package.split(".")
        self._at_start = True

    def visit_Import(self, node: ast.Import) -> None:
        self.found += [Import(node.lineno, alias.name, (), self._at_start) for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        above = self._package[: len(self._package) - node.level + 1] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        self.found.append(Import(node.lineno, module, tuple(alias.name for alias in node.names), self._at_start))

    def generic_visit(self, node: ast.AST) -> None:
        before = self._at_start
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or _is_type_checking(node):
            self._at_start = False
        super().generic_visit(node)
        self._at_start = before


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    source: str
    tree: ast.Module
    imports: tuple[Import, ...]

    @property
    def area(self) -> str | None:
        """The package below the top one that the module belongs to; None for ``__init__`` and ``__main__`` at the top."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 and parts[1] != "__main__" else None


def read(package: Path) -> dict[str, Module]:
    """Every module of a package, by its dotted name."""
    modules = {}
    for path in sorted(package.rglob("*.py")):
        parts = list(path.relative_to(package.parent).with_suffix("").parts)
        inner = parts[:-1]
        name = ".".join(inner if parts[-1] == "__init__" else parts)
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        imports = _Imports(".".join(inner))
        imports.visit(tree)
        modules[name] = Module(name, path, source, tree, tuple(imports.found))
    return modules


def _reachable(area: str) -> set[str]:
    seen: set[str] = set()
    todo = [area]
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += ARROWS[at]
    return seen | {"model"} if area != "model" else seen


def wrong_arrows(modules: dict[str, Module], top: str) -> Iterator[str]:
    """Imports of ours against the arrows."""
    for module in modules.values():
        if module.area is None:
            continue
        if module.area not in ARROWS:
            yield f"{module.name}: the package {module.area} is not in the table of arrows"
            continue
        allowed = _reachable(module.area)
        for found in module.imports:
            ours = [f"{top}.{name}" for name in found.names if name != "__version__"]
            targets = ours if found.module == top and found.names else [found.module]
            for target in targets:
                parts = target.split(".")
                if parts[0] == top and (len(parts) == 1 or parts[1] not in allowed):
                    yield f"{module.name}:{found.line}: {module.area} may not import {target}"


def _starts(modules: dict[str, Module], module: Module) -> Iterator[tuple[Import, str]]:
    """The names that importing a module imports in turn."""
    for found in module.imports:
        if found.at_start:
            yield found, found.module
            for name in found.names:
                if f"{found.module}.{name}" in modules:
                    yield found, f"{found.module}.{name}"


def slow_starts(modules: dict[str, Module]) -> Iterator[str]:
    """Modules whose import loads a heavy library, directly or through other modules of ours, and that do not own it."""
    for library, owners in HEAVY.items():
        loads = {
            name
            for name, module in modules.items()
            if any(target.split(".")[0] == library for _, target in _starts(modules, module))
        }
        grew = True
        while grew:
            more = {
                name
                for name, module in modules.items()
                if name not in loads and any(target in loads for _, target in _starts(modules, module))
            }
            loads |= more
            grew = bool(more)
        for name in sorted(loads - owners):
            for found, target in _starts(modules, modules[name]):
                if target.split(".")[0] == library or target in loads:
                    yield f"{name}:{found.line}: importing it loads {library} (by way of {target})"


def untidy(modules: dict[str, Module]) -> Iterator[str]:
    """Modules that are too long or vaguely named, and packages that do not say what they are."""
    for module in modules.values():
        lines = module.source.count("\n")
        if lines > LONGEST:
            yield f"{module.name}: {lines} lines, {LONGEST} are allowed"
        if VAGUE & set(module.name.split(".")[-1].split("_")):
            yield f"{module.name}: the name says nothing"
        if module.path.name == "__init__.py" and not ast.get_docstring(module.tree):
            yield f"{module.name}: the package has no docstring"
    folders = {module.path.parent for module in modules.values()}
    yield from (f"{folder.name}: no __init__.py" for folder in folders if not (folder / "__init__.py").exists())


def violations(package: Path) -> list[str]:
    """What in a package is against the rules; empty where it is as it should be."""
    modules = read(package)
    return [*wrong_arrows(modules, package.name), *slow_starts(modules), *untidy(modules)]


def test_the_code_has_the_shape_that_was_agreed() -> None:
    found = violations(PACKAGE)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("package", ["language", "authoring", "tailing"])
def test_the_page_says_which_module_answers_what(package: str) -> None:
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    _, _, rows = page.partition(f"| question | modules of `{package}` |")
    named = re.findall(r"`(\w+)`", rows.partition("\n\n")[0])
    there = {path.stem for path in (PACKAGE / package).glob("*.py")} - {"__init__"}
    assert sorted(named) == sorted(there)


def test_every_owner_of_a_heavy_library_exists() -> None:
    assert set().union(*HEAVY.values()) <= set(read(PACKAGE))


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"model/a.py": "from logsleuth.engine import plan\n"}, "logsleuth.model.a:1: model may not import"),
        (
            {"report/a.py": "def f():\n    import logsleuth.engine.plan\n"},
            "logsleuth.report.a:2: report may not import",
        ),
        ({"engine/a.py": "from ..tokenize.frame import x\n"}, "engine may not import logsleuth.tokenize.frame"),
        ({"engine/a.py": "import logsleuth\n"}, "engine may not import logsleuth"),
        ({"engine/a.py": "from logsleuth import analyze\n"}, "engine may not import logsleuth.analyze"),
        ({"engine/sub/a.py": "from ...cli import main\n"}, "engine may not import logsleuth.cli"),
        ({"magic/a.py": ""}, "the package magic is not in the table"),
        ({"cli/a.py": "import rich.console\n"}, "importing it loads rich"),
        (
            {"cli/a.py": "from logsleuth.cli import b\n", "cli/b.py": "if True:\n    import lark\n"},
            "cli.a:1: importing",
        ),
        ({"cli/a.py": "\n" * 321}, "321 lines"),
        ({"engine/rank_utils.py": ""}, "the name says nothing"),
        ({"engine/__init__.py": ""}, "logsleuth.engine: the package has no docstring"),
    ],
)
def test_a_wrong_shape_is_noticed(tmp_path: Path, files: dict[str, str], complaint: str) -> None:
    assert any(complaint in found for found in violations(_package(tmp_path, files)))


@pytest.mark.parametrize(
    "files",
    [
        {"drivers/a.py": "from logsleuth.language import program\nfrom logsleuth.model.origin import Tag\n"},
        {"cli/a.py": "def f():\n    import rich\n"},
        {"cli/a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import rich\n"},
        {
            "language/parse.py": "import lark\n",
            "language/load.py": "def f():\n    from logsleuth.language import parse\n",
        },
        {"engine/__init__.py": '"""Folds and judges."""\nfrom logsleuth.engine.plan import x\n'},
    ],
)
def test_a_right_shape_passes(tmp_path: Path, files: dict[str, str]) -> None:
    assert violations(_package(tmp_path, files)) == []


def _package(root: Path, files: dict[str, str]) -> Path:
    package = root / "logsleuth"
    for name, source in {"__init__.py": '"""The package."""\n', **files}.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        for folder in path.relative_to(package).parents:
            init = package / folder / "__init__.py"
            if not init.exists():
                init.write_text('"""A package."""\n')
    return package
