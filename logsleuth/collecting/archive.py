"""Writes a ``.tar.gz`` whose bytes depend on nothing but what is put into it."""

import gzip
import io
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Archive:
    """An archive to which members are added one after the other; none is held in memory."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar

    def add(self, name: str, size: int, blocks: Iterable[bytes], changed_at: int) -> None:
        """A member of ``size`` bytes, which come in blocks; ``changed_at`` is its time in seconds since 1970.

        All bytes of an archive pass here, so what is to be written in other words is put into other words here.
        """
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = size, max(changed_at, 0), 0o644
        self._tar.addfile(info, _Stream(blocks))


@contextmanager
def written(path: Path) -> Iterator[Archive]:
    """The archive at ``path``, which is there only once it is whole. Raises FileExistsError where there is one."""
    if path.exists():
        raise FileExistsError(17, "there is a file of this name already", str(path))
    begun = path.with_name(f"{path.name}.part")
    try:
        with (
            begun.open("xb") as file,
            # A name or a time in the header would make equal archives differ.
            gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
        ):
            yield Archive(tar)
        begun.rename(path)
    finally:
        begun.unlink(missing_ok=True)


class _Stream(io.RawIOBase):
    """Blocks as the file that tarfile asks for."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._left = b""

    def read(self, size: int = -1) -> bytes:
        """Exactly ``size`` bytes, fewer only at the end."""
        parts, wanted = [], size
        while wanted:
            if not self._left:
                block = next(self._blocks, None)
                if block is None:
                    break
                self._left = block
                continue
            part, self._left = self._left[:wanted], self._left[wanted:]
            parts.append(part)
            wanted -= len(part)
        return b"".join(parts)
