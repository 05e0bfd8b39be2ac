"""Mines the templates of log files with drain3: ``PYTHON drain.py FILE...``, with the Python that has it."""

import logging
import sys
from pathlib import Path

logging.disable(logging.CRITICAL)


def main() -> None:
    from drain3 import TemplateMiner  # type: ignore[import-not-found]

    miner = TemplateMiner()
    for path in sys.argv[1:]:
        with Path(path).open(encoding="utf-8", errors="replace") as log:
            for line in log:
                miner.add_log_message(line.rstrip("\n"))
    print(len(miner.drain.clusters))


if __name__ == "__main__":
    main()
