"""Uses a state file in a process of its own: ``keeper.py FILE ROUNDS``.

Prints ``refused SENTENCE`` where it cannot. Else it saves again and again, each time another number and parts of logs,
prints the number before it saves (``saving 7``) and afterwards (``saved 7``), and goes on for so many rounds; with 0
rounds it holds the file until its standard input ends.
"""

import sys

from logsleuth.drivers.saved import Saved, SavedLog, Seal
from logsleuth.drivers.state_file import StateFile, StateFileError


def main() -> None:
    path, rounds = sys.argv[1], int(sys.argv[2])
    try:
        file = StateFile.open(path)
    except StateFileError as error:
        print("refused", error)
        return
    first = int(str(file.saved.ledger)) + 1 if file.saved else 1
    print("open", flush=True)
    if not rounds:
        sys.stdin.read()
    for number in range(first, first + rounds):
        seals = tuple(Seal(part + 1, file.keep(b"%d %d " % (number, part) * 5000)) for part in range(2))
        print("saving", number, flush=True)
        file.save(Saved("fit", ("logs",), 1.0, "run", number, (SavedLog("logs/a.log", (), seals),)))
        print("saved", number, flush=True)
    file.close()


if __name__ == "__main__":
    main()
