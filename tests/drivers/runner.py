"""Runs ``logsleuth.drivers.run.run`` in a process of its own: ``runner.py RESULT LOG_DIR COMMAND...``.

Where the environment holds FOLLOW, the command is followed.
Writes what came of it to the file RESULT as JSON; an empty LOG_DIR means none. Exits with the command's status.
"""

import json
import os
import sys
from functools import partial
from pathlib import Path

from logsleuth.drivers.beside import Beside
from logsleuth.drivers.run import StartError, run


def main() -> None:
    result, log_dir, *command = sys.argv[1:]
    try:
        beside = Beside(["--no-local-rules"], partial(print, file=sys.stderr)) if "FOLLOW" in os.environ else None
        outcome = run(command, Path(log_dir) if log_dir else None, beside)
    except StartError as error:
        Path(result).write_text(json.dumps({"error": str(error), "status": error.status}))
        sys.exit(error.status)
    facts = {
        "status": outcome.status,
        "signal": outcome.signal,
        "ended_badly": outcome.ended_badly,
        "copy": str(outcome.copy.path),
        "run_folders": [str(folder) for folder in outcome.run_folders],
        "troubles": outcome.troubles,
    }
    Path(result).write_text(json.dumps(facts))
    sys.exit(outcome.status)


if __name__ == "__main__":
    main()
