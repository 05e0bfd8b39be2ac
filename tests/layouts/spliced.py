"""Writers that share a pipe and do not write whole lines: pieces of two lines come to stand in one."""

import random


def spliced(data: bytes, chance: random.Random, share: float) -> bytes:
    """The lines of a log, of which ``share`` are torn, mostly near their ends, by the line that follows them."""
    lines = data.split(b"\n")
    made: list[bytes] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line or at + 1 >= len(lines) or not lines[at + 1] or chance.random() >= share:
            made.append(line)
            at += 1
            continue
        other = lines[at + 1]
        kind = chance.choice(("newline lost", "torn near its end", "torn near its end", "torn anywhere", "both torn"))
        place = max(0, len(line) - chance.randint(1, 24)) if "near" in kind else chance.randrange(len(line))
        behind = chance.randrange(len(other))
        if kind == "newline lost":
            made += [line + other, b""]
        elif kind == "both torn":
            made += [line[:place] + other[:behind] + line[place:], other[behind:]]
        else:
            made += [line[:place] + other, line[place:]]
        at += 2
    return b"\n".join(made)
