"""Does the kernel tell of all that changes in a folder, or do others write there of whom it hears nothing?"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")

_REMOTE = """9p acfs afs autofs beegfs ceph cifs coda cvfs davfs fhgfs gfs gfs2 glusterfs gpfs ibrix juicefs kafs
    lustre mmfs ncpfs nfs nfs4 nfsd ocfs2 orangefs panfs prl_fs pvfs2 smb2 smb3 smbfs snfs vboxsf virtiofs vmhgfs vxfs
    wekafs"""
"""What GNU coreutils 9.11 (stat.c) calls remote, and others like it, as mounts name them: other hosts write there."""
_LAYERED = "overlay aufs"
"""A container's own. Its layers are written from outside as well; coreutils polls them for reports of lost events."""
_PROGRAMS = "fuse fuseblk"
"""Made by a program that need not tell; ``fuse.NAME`` likewise."""
SILENT = frozenset(f"{_REMOTE} {_LAYERED} {_PROGRAMS}".split())
"""Types of file systems on which notification does not tell of everything."""

_OCTAL = re.compile(rb"\\([0-7]{3})")


class Mounts:
    """The file systems that are mounted, as far as the kernel lists them; empty where it does not."""

    def __init__(self, lines: Iterable[bytes] | None = None) -> None:
        """``lines`` are those of ``/proc/PID/mountinfo`` (proc(5))."""
        self._types: dict[str, str] = {}
        if lines is None:
            try:
                lines = _MOUNTS.read_bytes().splitlines()
            except OSError:
                lines = ()
        for line in lines:
            in_front, _, behind = line.partition(b" - ")
            fields = in_front.split()
            if len(fields) > 4 and behind:
                point = _OCTAL.sub(lambda match: bytes([int(match[1], 8)]), fields[4])
                self._types[os.fsdecode(point)] = os.fsdecode(behind.split()[0])  # The last one hides those before.

    def tells_all(self, folder: str) -> bool:
        """Whether notification tells of whatever changes in a folder."""
        place = Path(folder).resolve()
        kind = next((self._types[str(above)] for above in (place, *place.parents) if str(above) in self._types), None)
        if kind is None:
            return False
        return kind not in SILENT and not kind.startswith("fuse.")
