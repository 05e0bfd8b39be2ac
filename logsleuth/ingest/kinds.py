"""What kind of file a file is, by its name and by its bytes: a log, a packed one, or evidently something else."""

import re
import zlib
from typing import BinaryIO, NamedTuple

from logsleuth.ingest.encoding import utf16_codec
from logsleuth.ingest.open import GZIP_MAGIC

_LOOKED_AT = 4096

RECORDER = "recorder"
"""The format of a dump of torch's flight recorder."""

_NOT_LOG_NAME = re.compile(
    r"""
    \.(py | pyc | pyi | pyx | ipynb | so | dll | dylib | exe | c | cc | cpp | cu | cuh | h | hpp | go | rs | java
    | js | ts | whl | egg | jar | deb | rpm | sleuth | html? | css | md | rst | tex | pdf | png | jpe?g | gif | svg
    | webp | bmp | ico | mp[34] | wav | pth? | ckpt | safetensors | bin | gguf | onnx | npy | npz | pkl | pickle
    | distcp | h5 | hdf5 | parquet | arrow | feather | tfrecord | idx | db | sqlite | prof | nsys-rep | ncu-rep | qdrep
    | trace\.json(\.gz)?)$   # torch.profiler
    | \.tfevents\.           # TensorBoard
    """,
    re.VERBOSE | re.IGNORECASE,
)

_PACKED = (
    (re.compile(rb"\x28\xb5\x2f\xfd"), "zstd", "zstd -d"),
    (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), "bzip2", "bunzip2"),
    (re.compile(rb"\xfd7zXZ\x00"), "xz", "unxz"),
    (re.compile(rb"PK(\x03\x04|\x05\x06)"), "zip", "unzip"),
    (re.compile(rb"[^\x00](?s:.{256})ustar"), "tar", "tar -xf"),
)
"""How each packed kind begins, its name, and what unpacks it."""

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

_CONTROLS = bytes(sorted(set(range(32)) - set(b"\a\b\t\n\v\f\r\x1b")))
_MOST_CONTROLS = 0.05
"""Compressed or random bytes hold 9%; logs, colours and progress bars included, next to none."""


class Kind(NamedTuple):
    format: str
    """``text``, ``gzip`` or ``recorder``, as in ``Source.format``."""
    remedy: str | None
    """What to do before this file can be read, as a sentence; None where it can be read."""
    is_text: bool


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


def kind_of(stream: BinaryIO, name: str) -> Kind:
    """Looks at both ends of a file that is open, and can seek, at its start. Raises OSError where it cannot be read.

    ``name`` is the file's own, without its folder.
    """
    head = stream.read(_LOOKED_AT)
    packing = "text"
    if head.startswith(GZIP_MAGIC):
        packing, head = "gzip", _inflated(head)
    if _is_recorder(head, name):
        return Kind(RECORDER, None, True)
    for opening, name, command in _PACKED:
        if opening.match(head):
            what = name if packing == "text" else f"gzipped {name}"
            return Kind(packing, f"It is a {what} file: unpack it first (`{command}`) and give what was in it.", False)
    if packing == "text" and head and not head.strip(b"\0"):
        # Truncating a log under a program that keeps writing at its old place (logrotate's copytruncate) leaves a hole.
        stream.seek(-min(_LOOKED_AT, stream.seek(0, 2)), 2)
        head = stream.read(_LOOKED_AT)
    # A hole at the start of a packed file hides what follows; who packs anything here packs logs.
    is_text = _is_text(head) or (packing == "gzip" and not head.strip(b"\0"))
    return Kind(packing, None, is_text)


def _inflated(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(head, _LOOKED_AT)
    except zlib.error:
        return b""


def _is_text(sample: bytes) -> bool:
    if not sample or utf16_codec(sample):
        return True
    # A crash leaves holes in the middle, too: however long one is, it counts as one character.
    text = re.sub(rb"\0+", b"\0", sample.strip(b"\0"))
    return bool(text) and len(text) - len(text.translate(None, _CONTROLS)) <= _MOST_CONTROLS * len(text)
