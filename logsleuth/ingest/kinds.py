"""What kind of file a file is, by its name and by its bytes: a log, a packed one, or evidently something else."""

import re
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from logsleuth.ingest.decoders import DecoderMissingError
from logsleuth.ingest.encoding import utf16_codec
from logsleuth.ingest.layers import Begun, DamageError
from logsleuth.ingest.tar import is_tar
from logsleuth.ingest.unpack import LAYERS, Unpacked, packing_of
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import ByteStream

_LOOKED_AT = 4096

RECORDER = "recorder"
"""The format of a dump of torch's flight recorder."""

_NOT_LOG_NAME = re.compile(
    r"""
    \.(py | pyc | pyi | pyx | ipynb | so | dll | dylib | exe | c | cc | cpp | cu | cuh | h | hpp | go | rs | java
    | js | ts | whl | egg | jar | deb | rpm | sleuth | html? | css | md | rst | tex | pdf | png | jpe?g | gif | svg
    | webp | bmp | ico | mp[34] | wav | pth? | ckpt | safetensors | bin | gguf | onnx | npy | npz | pkl | pickle
    | distcp | h5 | hdf5 | parquet | arrow | feather | tfrecord | idx | db | sqlite | prof | nsys-rep | ncu-rep | qdrep
    | docx | xlsx | pptx | od[tsp] | apk | war | conda | nemo | keras | mar
    | [0-9a-f]{32}\.sealed    # what a follower has put aside
    | trace\.json(\.gz)?)$   # torch.profiler
    | \.tfevents\.           # TensorBoard
    """,
    re.VERBOSE | re.IGNORECASE,
)

_ZIP = re.compile(rb"PK(?:\x03\x04|\x05\x06)")
_PACKED = (
    (re.compile(rb"\x1f\x9d"), "compress", "uncompress"),
    (re.compile(rb"\x04\x22\x4d\x18"), "lz4", "lz4 -d"),
    (re.compile(rb"\x89LZO\0\r\n\x1a\n"), "lzop", "lzop -d"),
    (re.compile(rb"7z\xbc\xaf\x27\x1c"), "7z", "7z x"),
    (re.compile(rb"Rar!\x1a\x07"), "rar", "unrar x"),
)
"""How each packed kind begins that is not read, its name, and what unpacks it."""

_RECORDER_PICKLE = re.compile(
    rb"\x80[\x02-\x05](?:\x95.{8})?(?:[}\]]|\x94|q.|r.{4}|\(){1,8}(?:X.{4}|\x8c.)"
    rb"(?:version|entries|pg_config|pg_status|nccl_version|comm_lib_version|nccl_comm_state|host_name|rank|record_id"
    rb"|frames|pg_id|process_group|profiling_name)(?:q|\x94|r|X|\x8c|\]|\()",
    re.DOTALL,
)
_RECORDER_JSON = re.compile(
    rb'\s*\{\s*"(?:version|entries|pg_config|pg_status|nccl_version|comm_lib_version|nccl_comm_state|host_name|rank)"\s*:'
)
_RECORDER_WORDS = (b'"collective_seq_id"', b'"pg_config"', b'"nccl_comm_state"', b'"profiling_name"')
_RECORDER_NAME = re.compile(r"(?:nccl|comm_lib|fr)_(?:trace|json)_(?:rank_|r)\d{1,6}")
"""How torch and its examples call dumps; what holds nothing, or some other pickle, is judged by its name."""
_MAY_BE_RECORDER = re.compile(r"\.(?:pkl|pickle|bin|pt)$", re.IGNORECASE)

_OURS = re.compile(rb'\{"logsleuth":"state"|\{"format": \d+, "type": "started", ')
"""How a follower's state file begins, and its stream of changes: they quote logs, and are none."""

_CONTROLS = bytes(sorted(set(range(32)) - set(b"\a\b\t\n\v\f\r\x1b")))
_MOST_CONTROLS = 0.05
"""Compressed or random bytes hold 9%; logs, colours and progress bars included, next to none."""


class Kind(NamedTuple):
    format: str
    """As in ``Source.format``; of an archive, how it is packed."""
    remedy: str | None
    """What to do before this file can be read, as a sentence; None where it can be read."""
    is_text: bool
    archive: str | None = None
    """``tar`` or ``zip``."""
    is_ours: bool = False
    """Whether we have written it."""


def is_named_like_no_log(name: str) -> bool:
    """True where the name alone says that a file is code, a document, a model, data, a picture or the like."""
    return bool(_NOT_LOG_NAME.search(name))


def may_be_recorder(name: str) -> bool:
    """True where a name that is none of a log may be one of a dump of torch's flight recorder."""
    return bool(_MAY_BE_RECORDER.search(name))


def _is_recorder(head: bytes, name: str) -> bool:
    if _RECORDER_PICKLE.match(head):
        return True
    if _RECORDER_NAME.fullmatch(name) and (not head or head.startswith(b"\x80")):
        return True
    return bool(_RECORDER_JSON.match(head)) and any(word in head for word in _RECORDER_WORDS)


def kind_of(stream: ByteStream, name: str, tail: Callable[[], bytes] | None = None) -> Kind:
    """Looks at the start of a stream, and at the end of a file where it starts with a hole: ``tail`` gives its last
    bytes. ``name`` is the file's own, without its folder. Raises OSError where it cannot be read.
    """
    head = _head(stream)
    packing = "text"
    try:
        for _ in range(LAYERS):
            if (inner := packing_of(head)) is None:
                break
            packing = inner if packing == "text" else packing
            stream = Unpacked(Begun(head, stream), inner)
            head = _head(stream)
    except DecoderMissingError as error:
        return Kind(packing, f"It cannot be read: {error}.", False)
    if _is_recorder(head, name):
        return Kind(RECORDER, None, True)
    if archive := "tar" if is_tar(head) else "zip" if _ZIP.match(head) else None:
        return Kind(packing, None, False, archive)
    if inner := packing_of(head):
        return Kind(packing, f"It is {inner} data, packed more than {LAYERS} times: unpack it first.", False)
    for opening, what, command in _PACKED:
        if opening.match(head):
            return Kind(packing, f"It is a {what} file: unpack it first (`{command}`) and give what was in it.", False)
    is_hole = not head.strip(b"\0")
    if packing == "text" and head and is_hole and tail:
        # Truncating a log under a program that keeps writing at its old place (logrotate's copytruncate) leaves a hole.
        head = tail()
    if _OURS.match(head):
        return Kind(packing, None, True, is_ours=True)
    # A hole at the start of a packed file hides what follows; who packs anything here packs logs.
    return Kind(packing, None, _is_text(head) or (is_hole and (packing != "text" or tail is None)))


def last_bytes(stream: BinaryIO) -> bytes:
    """The end of a file that can seek, for ``kind_of``."""
    stream.seek(-min(_LOOKED_AT, stream.seek(0, 2)), 2)
    return stream.read(_LOOKED_AT)


def judged(kind: Kind, name: str, is_named: bool = False) -> str | Problem | None:
    """The format of the source that a file is, or why it is none; None where that surprises nobody.

    ``is_named`` says that the user named the file itself, who then wants it read.
    """
    if kind.format == RECORDER:
        return RECORDER
    if not is_named and (kind.is_ours or is_named_like_no_log(name)):
        return None
    if kind.remedy:
        return Problem(kind.remedy, True)
    if kind.is_text or is_named:
        return kind.format
    return Problem("It does not look like text and was left out. It is read if it is named itself.")


def _head(stream: ByteStream) -> bytes:
    """The first bytes, as many as can be read; damage is told when all is read."""
    head = b""
    try:
        while len(head) < _LOOKED_AT and (block := stream.read1(_LOOKED_AT - len(head))):
            head += block
    except DamageError:
        pass
    return head


def _is_text(sample: bytes) -> bool:
    if not sample or utf16_codec(sample):
        return True
    # A crash leaves holes in the middle, too: however long one is, it counts as one character.
    text = re.sub(rb"\0+", b"\0", sample.strip(b"\0"))
    return bool(text) and len(text) - len(text.translate(None, _CONTROLS)) <= _MOST_CONTROLS * len(text)
