"""The real program with a made-up analysis: ``program.py CASE ARGUMENTS...``, CASE from ``tests.report.analyses``.

``interrupt`` as CASE is a Ctrl-C in the middle of the analysis.
"""

import sys
from collections.abc import Sequence
from types import ModuleType

from logsleuth.cli.main import main
from logsleuth.model.analysis import Analysis
from tests.report.analyses import CASES


def analyze(paths: Sequence[str], **_options: object) -> Analysis:
    print("analysed", *paths, file=sys.stderr, flush=True)
    if sys.argv[1] == "interrupt":
        raise KeyboardInterrupt
    return CASES[sys.argv[1]]()


if __name__ == "__main__":
    batch = ModuleType("logsleuth.drivers.batch")
    batch.__dict__["analyze"] = analyze
    sys.modules["logsleuth.drivers.batch"] = batch
    main(sys.argv[2:])
