"""Logs behind URLs, by way of fsspec: listed, and opened as if they lay in a folder."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from logsleuth.ingest.finds import Finds
from logsleuth.ingest.kinds import is_named_like_no_log, may_be_recorder

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK = 8 << 20
"""Bytes of one request."""
_HEAD = 4096
_AT_ONCE = 256
"""Files whose heads are asked for together."""
_WITH_RANGES = {"s3", "s3a", "gs", "gcs", "abfs", "az", "adl"}
"""Protocols of stores that answer for a part of a file, and many requests at a time."""
_EXTRA = "pip install 'logsleuth[remote]'"


class RemoteError(OSError):
    """Something behind a URL cannot be had; ``str()`` says why, as the rest of a sentence."""


class _Listed(NamedTuple):
    files: list[str]
    """Names as the file system knows them."""
    is_named: bool
    """Whether the URL names a file itself."""


class RemoteOpener:
    """Opens a remote file; see ``logsleuth.model.origin.Opener``."""

    turn: tuple[int, ...] = ()
    once = False

    def __init__(self, system: Any, name: str, head: bytes = b"") -> None:
        self._system, self._name, self._head = system, name, head

    def is_at(self, url: str) -> bool:
        """Whether the URL alone leads to the file, without what another one said of its store."""
        try:
            system, name = _system(url)
        except RemoteError:
            return False
        return system is self._system and name == self._name

    @contextmanager
    def __call__(self) -> Iterator[io.BufferedReader]:
        file: io.BufferedReader = io.BufferedReader(_RemoteFile(self._system, self._name, self._head))
        with file:
            yield file


def opener_of(url: str) -> RemoteOpener:
    """What opens the file that a URL names; raises RemoteError where there is no such store."""
    return RemoteOpener(*_system(url))


def find_all(urls: Sequence[str], finds: Finds) -> None:
    """Finds the logs that the URLs name, each once; what cannot be had is told. ``urls`` are sorted."""
    found: dict[str, tuple[Any, str, bool]] = {}
    barren: dict[str, set[str]] = {}
    for url in urls:
        try:
            system, name = _system(url)
            listed = _listed(system, name, url)
        except RemoteError as error:
            finds.tell(url, f"It cannot be read: {error}.", True)
            continue
        if not listed.files and _is_pattern(url, name):
            finds.tell(url, "No file or folder matches this pattern.", True)
            continue
        whole = {system.unstrip_protocol(file): file for file in listed.files}
        if not listed.is_named:
            barren[url] = set(whole)
        for path, file in whole.items():
            found[path] = (system, file, listed.is_named or (path in found and found[path][2]))
    logs = {path for path, opener, is_named in _openers(found) if finds.file(path, is_named, opener)}
    for url, paths in barren.items():
        if not paths & logs:
            finds.tell(url, "Nothing behind this URL could be read as a log.", True)


def _openers(found: dict[str, tuple[Any, str, bool]]) -> Iterator[tuple[str, RemoteOpener, bool]]:
    """An opener for each, with its first bytes at hand where many of them can be asked for at a time."""
    several: dict[int, list[str]] = {}
    for path, (system, _, _) in found.items():
        several.setdefault(id(system) if _has_ranges(system) else 0, []).append(path)
    for group, paths in several.items():
        for start in range(0, len(paths), _AT_ONCE):
            some = paths[start : start + _AT_ONCE]
            names = [found[path][1] for path in some]
            heads = _heads(found[some[0]][0], names) if group else [b""] * len(names)
            for path, name, head in zip(some, names, heads, strict=True):
                system, _, is_named = found[path]
                yield path, RemoteOpener(system, name, head), is_named


def _heads(system: Any, names: list[str]) -> list[bytes]:
    """The first bytes of each file; none of one that cannot be read, which is found out when it is."""
    try:
        heads = system.cat_ranges(names, [0] * len(names), [_HEAD] * len(names), on_error="return")
    except Exception:  # Whatever a store raises; reading the files themselves will say what is wrong.
        return [b""] * len(names)
    return [head if isinstance(head, bytes) else b"" for head in heads]


def _system(url: str) -> tuple[Any, str]:
    """The file system of a URL, and what it calls what the URL names."""
    try:
        fsspec = import_module("fsspec.core")
    except ImportError:
        raise RemoteError(f"URLs are read with the package fsspec, which is not installed: `{_EXTRA}`") from None
    protocol = url.partition("://")[0]
    try:
        system, name = fsspec.url_to_fs(url)
    except ImportError as error:
        remedy = f"`{_EXTRA}`" if protocol in ("s3", "s3a", "http", "https") else str(error).rstrip(".")
        raise RemoteError(f"{protocol}:// is read with a package that is not installed: {remedy}") from None
    except ValueError as error:
        raise RemoteError(f"{str(error)[:1].lower()}{str(error)[1:]}; s3://, gs://, https:// are such") from None
    except Exception as error:  # Whatever a file system raises for a URL or a setting that it does not like.
        raise RemoteError(_reason(error)) from None
    return system, str(name)


def _listed(system: Any, name: str, url: str) -> _Listed:
    try:
        if _is_pattern(url, name):
            matches = system.glob(name, detail=True)
            shown = [match for match in matches if not _is_hidden(match, name)]
            return _Listed(sorted(set(_files(system, shown, matches))), False)
        if (_is_page(url) and name.endswith("/")) or system.info(name)["type"] == "directory":
            return _Listed(sorted(_beneath(system, name)), False)
    except Exception as error:  # Stores raise what their clients do.
        raise RemoteError(_reason(error)) from None
    return _Listed([name], True)


def _is_page(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def _is_pattern(url: str, name: str) -> bool:
    return re.search(r"[*[]" if _is_page(url) else r"[*?[]", name) is not None


def _files(system: Any, names: Iterable[str], told: dict[str, Any]) -> Iterator[str]:
    for name in names:
        if told[name]["type"] == "directory":
            yield from _beneath(system, name)
        elif _may_be_log(name):
            yield name


def _beneath(system: Any, folder: str) -> Iterator[str]:
    """The files in a folder, at any depth, that are not hidden and may be logs."""
    for name, told in system.find(folder, detail=True).items():
        beneath = name[len(folder.rstrip("/")) :]
        if told["type"] == "file" and "/." not in f"/{beneath.lstrip('/')}" and _may_be_log(name):
            yield name


def _may_be_log(name: str) -> bool:
    file = name.rpartition("/")[2]
    return bool(file) and (not is_named_like_no_log(file) or may_be_recorder(file))


def _is_hidden(name: str, pattern: str) -> bool:
    """Whether a match has a hidden part, where the pattern asks for none."""
    return "/." in name and "/." not in pattern


class _RemoteFile(io.RawIOBase):
    """A remote file that is opened only when more is wanted than its first bytes; all errors are OSErrors."""

    def __init__(self, system: Any, name: str, head: bytes) -> None:
        super().__init__()
        self._system, self._name, self._head = system, name, head
        self._file: Any = None
        self._at = 0
        self._place = 0
        """Where the open file is, which need not be where we are."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(_has_ranges(self._system) or self._opened().seekable())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        base = 0 if whence == 0 else self._at if whence == 1 else self._size()
        self._at = max(base + offset, 0)
        return self._at

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        if self._at < len(self._head):
            data = self._head[self._at : self._at + len(view)]
        elif self._head and len(self._head) < _HEAD:
            data = b""  # The head was the whole file.
        else:
            data = self._read(len(view))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        super().close()

    def _size(self) -> int:
        file = self._opened()
        self._place = int(file.seek(0, 2))
        return self._place

    def _read(self, size: int) -> bytes:
        file = self._opened()
        try:
            if self._place != self._at:
                self._place = int(file.seek(self._at))
            data = bytes(file.read(size))
        except Exception as error:  # Stores raise what their clients do.
            raise RemoteError(_reason(error)) from None
        self._place += len(data)
        return data

    def _opened(self) -> Any:
        if self._file is None:
            try:
                self._file = self._system.open(self._name, "rb", block_size=_BLOCK, cache_type="readahead")
            except Exception as error:  # Stores raise what their clients do.
                raise RemoteError(_reason(error)) from None
        return self._file


def _has_ranges(system: Any) -> bool:
    protocols = system.protocol if isinstance(system.protocol, list | tuple) else (system.protocol,)
    return not _WITH_RANGES.isdisjoint(protocols)


def _reason(error: Exception) -> str:
    """What an error says, as the rest of a sentence."""
    if isinstance(error, FileNotFoundError) and isinstance(error.__cause__, OSError):
        error = error.__cause__  # fsspec calls a page not found whose server cannot be reached.
    kind = type(error).__name__
    if kind in ("NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError", "CredentialRetrievalError"):
        return (
            "there are no credentials; set those of your store (for S3 AWS_PROFILE, or AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY), or FSSPEC_S3='{\"anon\": true}' for what is public"
        )
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder; check the URL"
    if isinstance(error, PermissionError):
        return f"access was refused ({_first_line(error)}); check the credentials and what they are allowed"
    if kind in (
        "EndpointConnectionError",
        "ClientConnectorError",
        "ClientConnectorDNSError",
        "ConnectTimeoutError",
        "ConnectionError",
    ):
        return (
            f"there is no connection ({_first_line(error)}); check the network, and AWS_ENDPOINT_URL for your own store"
        )
    return f"{_first_line(error)} ({kind})"


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".")[:300]
