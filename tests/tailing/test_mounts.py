"""On which file systems notification is enough."""

import pytest

from logsleuth.tailing.mounts import Mounts

_LINES = [
    b"22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
    b"23 22 0:21 / /data rw shared:2 - nfs4 server:/data rw,vers=4.2",
    b"24 23 8:2 / /data/local\\040disk rw - xfs /dev/nvme0n1 rw",
    b"25 22 0:30 / /scratch rw - lustre 10.0.0.1@o2ib:/scratch rw",
    b"26 22 0:31 / /home/me/bucket rw - fuse.s3fs s3fs rw",
    b"27 22 0:32 / /over rw - ext4 /dev/sdb rw",
    b"28 27 0:33 / /over rw - overlay overlay rw",
    b"a line that is none",
]


@pytest.mark.parametrize(
    ("folder", "tells"),
    [
        ("/var/log", True),
        ("/data", False),
        ("/data/job", False),
        ("/database", True),
        ("/data/local disk/logs", True),
        ("/scratch/logs", False),
        ("/home/me/bucket/a", False),
        ("/home/me", True),
        ("/over", False),
    ],
)
def test_the_innermost_mount_decides(folder: str, tells: bool) -> None:
    assert Mounts(_LINES).tells_all(folder) is tells


def test_where_nothing_is_known_nothing_is_relied_on() -> None:
    assert not Mounts([]).tells_all("/var/log")
