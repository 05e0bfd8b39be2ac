"""Where a torchrun command keeps its workers' logs, and which of them a run has added.

torchrun makes a folder of its own in its log directory for every run, with a folder ``attempt_<n>`` for each attempt.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

_OPTIONS = ("--log-dir", "--log_dir")
_VARIABLE = "PET_LOG_DIR"
"""torchrun takes the default of every option from PET_<OPTION>."""


def log_directories(command: Sequence[str], environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The log directories that a command and its environment name, the training script's too."""
    named = [environment[_VARIABLE]] if environment.get(_VARIABLE) else []
    for place, word in enumerate(command):
        option, equals, value = word.partition("=")
        if option in _OPTIONS:
            named += [value] if equals else command[place + 1 : place + 2]
    return tuple(dict.fromkeys(Path(name) for name in named if name))


def run_folders(directories: Sequence[Path]) -> frozenset[Path]:
    """The folders of torchrun's runs in these directories; a directory that cannot be read has none."""
    found: set[Path] = set()
    for directory in directories:
        try:
            found.update(attempt.parent for attempt in directory.glob("*/attempt_*"))
        except OSError:
            continue
    return frozenset(found)
