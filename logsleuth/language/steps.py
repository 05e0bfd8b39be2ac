"""The steps of what a rule advises: ``remedy`` and ``next``."""


def steps_of(text: str) -> tuple[str, ...]:
    """Each line that starts with ``- `` begins a step; the whole is one where none does. Holes stay as they are."""
    steps: list[list[str]] = []
    for line in text.strip().splitlines():
        stripped = line.strip()
        if stripped.startswith("- ") or not steps:
            steps.append([stripped.removeprefix("- ")])
        else:
            steps[-1].append(stripped)
    return tuple(" ".join(words) for words in steps)
