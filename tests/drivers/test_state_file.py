"""The file from which a follower goes on."""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from logsleuth.drivers.saved import Saved, SavedLog, Seal, written
from logsleuth.drivers.state_file import StateFile, StateFileError
from logsleuth.tailing.generation import Generation

KEEPER = Path(__file__).with_name("keeper.py")
GENERATION = Generation(2049, 77, 1200, "ab" * 16, 600, "logs/a.log", 12)


def saved(ledger: object = None, *seals: Seal) -> Saved:
    return Saved("fit", ("logs", "-"), 1.5, "run", ledger, (SavedLog("logs/\udcff.log", (GENERATION,), seals),))


@contextlib.contextmanager
def keeper(path: Path, rounds: int) -> Iterator[subprocess.Popen[str]]:
    """Another process that uses the file; it is killed in the end."""
    command = [sys.executable, str(KEEPER), str(path), str(rounds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_what_is_saved_is_there_for_the_next(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    file = StateFile.open(str(path))
    assert file.saved is None
    assert file.save(saved({"number": 3})) is None
    file.close()
    again = StateFile.open(str(path))
    assert again.saved == saved({"number": 3})
    again.close()


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    file = StateFile.open(str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    file.save(saved())
    name = file.keep(b"part")
    assert {place.stat().st_mode & 0o777 for place in (path, tmp_path / name)} == {0o600}
    file.close()


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    file = StateFile.open(str(tmp_path / "link"))
    file.save(saved(1))
    file.close()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == written(saved(1))


def refusal(path: Path) -> str:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StateFileError) as raised:
        StateFile.open(str(path))
    assert before is None or path.read_bytes() == before
    assert not path.with_name(f".{path.name}.new").exists()
    return str(raised.value)


@pytest.mark.parametrize("data", [b"step 1\nstep 2\n", b"{}", b"\0" * 100, b"x", b'{"logsleuth":"analysis"}'])
def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(data)
    assert refusal(path) == f"{path} is not a state file of logsleuth. Name another file."


def test_a_device_is_left_alone() -> None:
    assert refusal(Path("/dev/null")) == "/dev/null is not a state file of logsleuth. Name another file."


def test_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    whole = written(saved([1, 2, 3]))
    for data in (whole[:-10], whole.replace(b"[1,2,3]", b"[1,2,4]")):
        path.write_bytes(data)
        assert "damaged" in refusal(path)
        assert refusal(path).endswith("Name another file, or remove it to begin anew.")


def test_another_format_is_told(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    path.write_bytes(written(saved()).replace(b'"format":1,"version":"0.1.0"', b'"format":9,"version":"7.0"'))
    assert refusal(path).startswith(
        f"{path} cannot be gone on from: it was written by logsleuth 7.0, in another format."
    )


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert refusal(tmp_path / "no" / "job.state") == (
        f"The state file {tmp_path}/no/job.state cannot be made, because there is no folder {tmp_path}/no. Make the "
        "folder, or name another file."
    )


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    assert "Is a directory. Name a file in a folder that can be written to." in refusal(tmp_path)


def test_a_file_in_place_of_its_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "Not a directory. Name a file in a folder that can be written to." in refusal(
        tmp_path / "file" / "job.state"
    )


@pytest.mark.parametrize("is_there", [False, True])
def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path, is_there: bool) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "job.state"
    if is_there:
        path.touch()
        path.chmod(0o666)
    folder.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # Nothing keeps root out.
    try:
        with pytest.raises(StateFileError, match=r"Permission denied. Name a file in a folder that can be written to."):
            StateFile.open(str(path))
    finally:
        os.seteuid(user)
    assert [place.name for place in folder.iterdir()] == ["job.state"] * is_there


def test_a_file_has_one_follower(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    with keeper(path, 0) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "open\n"
        with keeper(path, 1) as other:
            assert other.stdout
            assert other.stdout.read() == (
                f"refused Another logsleuth follows with the state file {path}. End that one, or name another file.\n"
            )
    # The first was killed, and its lock went with it.
    StateFile.open(str(path)).close()


def test_a_file_that_was_replaced_is_still_held(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    file = StateFile.open(str(path))
    file.save(saved(1))
    with keeper(path, 1) as other:
        assert other.stdout
        assert "Another logsleuth follows" in other.stdout.read()
    file.close()


def test_a_fork_does_not_hold_it(tmp_path: Path) -> None:
    file = StateFile.open(str(tmp_path / "job.state"))
    file.save(saved(1))
    end, other_end = os.pipe()
    if (fork := os.fork()) == 0:
        os.close(other_end)
        os.read(end, 1)  # Until the test ends.
        os._exit(0)
    try:
        file.close()
        StateFile.open(str(tmp_path / "job.state")).close()
    finally:
        os.close(other_end)
        os.waitpid(fork, 0)
        os.close(end)


def test_whoever_is_killed_at_any_point_leaves_what_was_saved_last(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    rng = random.Random(8)
    for _ in range(12):
        with keeper(path, 10_000) as process:
            assert process.stdout
            assert process.stdout.readline() == "open\n"
            time.sleep(rng.random() / 20)
            process.kill()
            said = process.stdout.read().split("\n")
        done = [line.split() for line in said[:-1]]
        told = max((int(number) for what, number in done if what == "saving"), default=0)
        kept = max((int(number) for what, number in done if what == "saved"), default=0)
        file = StateFile.open(str(path))
        if file.saved is not None and kept:
            number = int(str(file.saved.ledger))
            assert kept <= number <= told
            seals = file.saved.logs[0].seals
            assert [file.kept(seal.name).split(b" ")[0] for seal in seals] == [b"%d" % number] * 2
            assert sorted(place.name for place in tmp_path.iterdir()) == sorted(
                ["job.state", *(seal.name for seal in seals)]
            )
        file.close()
    assert path.stat().st_size


def test_a_part_that_no_seal_names_any_more_is_removed(tmp_path: Path) -> None:
    file = StateFile.open(str(tmp_path / "job.state"))
    first = file.keep(b"of one file")
    file.save(saved(1, Seal(1, first)))
    second = file.keep(b"of two files")
    assert (file.kept(first), file.kept(second)) == (b"of one file", b"of two files")
    file.save(saved(1, Seal(2, second)))
    assert not (tmp_path / first).exists()
    assert file.kept(second) == b"of two files"
    file.close()


def test_nothing_is_read_or_removed_by_a_name_from_outside(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    path = tmp_path / "folder" / "job.state"
    path.parent.mkdir()
    path.write_bytes(written(saved(1, Seal(1, "../other"))))
    file = StateFile.open(str(path))
    with pytest.raises(OSError, match="No such file"):
        file.kept("../other")
    file.save(saved(2))
    file.close()
    assert (tmp_path / "other").read_text() == "mine"


def test_trouble_is_told_once_and_what_was_saved_stays(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = StateFile.open(str(folder / "job.state"))
    assert file.save(saved(1)) is None
    folder.rename(tmp_path / "away")
    told = file.save(saved(2))
    assert told is not None
    assert "could not be written: No such file or directory. Following goes on" in told
    assert file.save(saved(3)) is None
    assert file.saved == saved(1)
    (tmp_path / "away").rename(folder)
    assert file.save(saved(4)) is None
    file.close()
    shutil.move(folder / "job.state", tmp_path / "job.state")
    again = StateFile.open(str(tmp_path / "job.state"))
    assert again.saved == saved(4)
    again.close()


def test_a_full_disk_is_trouble_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = StateFile.open(str(tmp_path / "job.state"))
    file.save(saved(1))
    write = os.write

    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    told = file.save(saved(2))
    monkeypatch.setattr(os, "write", write)
    assert told is not None
    assert "No space left on device" in told
    assert [place.name for place in tmp_path.iterdir()] == ["job.state"]
    file.close()
    again = StateFile.open(str(tmp_path / "job.state"))
    assert again.saved == saved(1)
    again.close()


def test_what_only_saves_work_is_saved_now_and_then(tmp_path: Path) -> None:
    now = 0.0
    file = StateFile.open(str(tmp_path / "job.state"), lambda: now)
    assert file.is_due()
    file.save(saved(1))
    assert not file.is_due()
    now = 4.9
    assert not file.is_due()
    now = 5.0
    assert file.is_due()
    file.close()


def test_a_slow_disk_is_asked_seldom(tmp_path: Path) -> None:
    moments = iter([0.0, 2.0, 190.0, 202.0])
    file = StateFile.open(str(tmp_path / "job.state"), lambda: next(moments))
    file.save(saved(1))
    assert [file.is_due(), file.is_due()] == [False, True]
    file.close()


def test_saving_the_same_again_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "job.state"
    file = StateFile.open(str(path))
    file.save(saved(1))
    there = path.stat().st_ino, path.stat().st_mtime_ns
    file.save(saved(1))
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == there
    file.close()
