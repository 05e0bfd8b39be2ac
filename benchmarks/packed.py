"""Packed copies of a corpus."""

import shutil
import subprocess
from pathlib import Path

from benchmarks.corpus import Corpus

PACKERS = {"gz": "gzip", "zst": "zstd"}
"""Programs by the ending of the names of what they pack; ripgrep starts the same to unpack it."""


def packings() -> list[str]:
    """The endings whose programs are installed."""
    return [ending for ending, program in PACKERS.items() if shutil.which(program)]


def packed(corpus: Corpus, ending: str) -> Corpus:
    """Packs each file of a corpus, in a folder of its own; the size told is that of the unpacked bytes."""
    folder = corpus.folder.with_name(f"{corpus.folder.name}-{ending}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in corpus.folder.iterdir():
        with Path(folder, f"{file.name}.{ending}").open("wb") as out:
            subprocess.run([PACKERS[ending], "-c", str(file)], stdout=out, check=True)
    return corpus._replace(folder=folder)
