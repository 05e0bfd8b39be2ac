"""Builds what a wheel holds beside the code: the shipped rules, and the same rules parsed and checked.

An editable install gets neither: there the program reads ``rules/`` of the checkout and keeps its own cache.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface[Any]):
    """Adds ``logsleuth/library/`` and ``logsleuth/library.json`` to a wheel; the source tree stays as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles the rules; an error in one of them ends the build with the compiler's own message."""
        if version == "editable":
            return
        rules = Path(self.root, "rules")
        # Lives as long as the hook, which outlives the writing of the wheel.
        self._scratch = TemporaryDirectory(prefix="logsleuth-build-")
        compiled = Path(self._scratch.name, "library.json")
        compiled.write_bytes(_compile(Path(self.root), rules))
        build_data["force_include"][str(rules)] = "logsleuth/library"
        build_data["force_include"][str(compiled)] = "logsleuth/library.json"


def _compile(root: Path, rules: Path) -> bytes:
    """Runs the compiler of this checkout, not that of an installed logsleuth."""
    sys.path.insert(0, str(root))
    try:
        from logsleuth.language.library import compile_library

        return compile_library(rules)
    finally:
        sys.path.remove(str(root))
