"""Verdicts on many logs, one after another, are what each would get alone."""

from pathlib import Path

from logsleuth.ingest.labels import label
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.model.origin import Source
from logsleuth.testing.verdicts import Verdicts

LOGS = {
    "a": "[rank0]: RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n",
    "b": "[rank1]: step 1 | loss 2.0\n",
    "c": "[rank2]: Traceback (most recent call last):\n[rank2]:   File \"/srv/t.py\", line 4\n[rank2]: KeyError: 'x'\n",
}


def test_what_was_read_before_changes_nothing(tmp_path: Path) -> None:
    program = compile_texts(read_rules([shipped_rules()]), tests=False)
    for name, text in LOGS.items():
        (tmp_path / name).write_text(text)

    def told(says: Verdicts, name: str) -> list[object]:
        file = str(tmp_path / name)
        return list(says.of([Source(file)], {0: label(name)}))

    shared = Verdicts(program)
    alone = {name: told(Verdicts(program), name) for name in LOGS}
    assert any(alone.values())
    assert [told(shared, name) for name in (*LOGS, *reversed(LOGS))] == [
        alone[name] for name in (*LOGS, *reversed(LOGS))
    ]
