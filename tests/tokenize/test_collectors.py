"""``logsleuth.tokenize.collectors``: the names of what stands around messages."""

import pytest

from logsleuth.tokenize.collectors import collectors


@pytest.mark.parametrize(
    ("line", "labelled", "names"),
    [
        ("2026-03-14T09:00:00.123456789Z stderr F step 1", False, ("CRI",)),
        ('{"log":"step 1\\n","stream":"stderr","time":"2026-03-14T09:00:00.1Z"}', False, ("docker JSON",)),
        ("[pod/train-worker-0/pytorch] step 1", False, ("kubectl logs --prefix",)),
        (
            "[pod/train-worker-0/pytorch] 2026-03-14T09:00:00.1Z step 1",
            False,
            ("kubectl logs --prefix", "kubectl logs --timestamps"),
        ),
        ("(RayTrainWorker pid=4711, ip=10.20.0.7) step 1", False, ("Ray",)),
        ("[1,3]<stdout>:step 1", False, ("mpirun --tag-output",)),
        ("[default3]:step 1", False, ("torchrun --tee",)),
        ("[default3]:[rank3]: step 1", False, ("torchrun --tee", "rank labels")),
        ("[rank3]: step 1", False, ("rank labels",)),
        (" 3: step 1", True, ("srun --label",)),
        (" 3: step 1", False, ()),
        ("node-7: step 1", True, ("host labels (pdsh, clush)",)),
        ("Mar 14 09:00:00 node-7 trainer[4711]: step 1", False, ("syslog",)),
        ("[   12.345678] nvidia: loading", False, ("kernel log",)),
        ("I0314 09:00:00.123456 4711 train.py:3] step 1", False, ("glog headers",)),
        ("node-7:4711:4712 [0] NCCL INFO Bootstrap", False, ("NCCL headers",)),
        ("loss: 3.2", False, ()),
        ("2026-03-14 09:00:00,123 INFO step 1", False, ()),
    ],
)
def test_names(line: str, labelled: bool, names: tuple[str, ...]) -> None:
    assert collectors(f"{line}\n\n".encode() * 12, labelled) == names


def test_a_few_lines_among_many_are_no_framing() -> None:
    assert collectors(b"step\n" * 95 + b"[rank3]: step\n" * 5, False) == ()


def test_nothing() -> None:
    assert collectors(b"\n\n", True) == ()
