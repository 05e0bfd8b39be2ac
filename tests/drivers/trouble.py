"""Preloaded by workers of a cluster: gives them trouble with logs of some names, in the places where trouble comes from."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from logsleuth.drivers import errand
from logsleuth.drivers.reading import Read, read_source
from logsleuth.model.origin import Source

MARK = "being-read"
"""The file beside ``slow.log`` that holds the number of the process that was the first to read it."""


def dask_setup(_worker: object) -> None:
    vars(errand).update(read_source=_troubled, unseen=_unseen)


def _unseen(source: Source) -> str | None:
    return source.path if Path(source.path).name == "unseen.log" else None


def _troubled(number: int, source: Source, *others: Any) -> Read:
    match Path(source.path).name:
        case "deadly.log":
            os.kill(os.getpid(), signal.SIGKILL)
        case "failing.log":
            raise RuntimeError("the worker has a defect")
        case "slow.log":
            _wait(Path(source.path).with_name(MARK))
    return read_source(number, source, *others)


def _wait(mark: Path) -> None:
    """Only who reads it first waits: to be killed."""
    try:
        with mark.open("x") as file:
            file.write(f"{os.getpid()}\n")
    except FileExistsError:
        return
    time.sleep(600)
