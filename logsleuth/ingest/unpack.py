"""Packed bytes as a stream of what they hold: which packing it is by the first bytes, damage told, bombs stopped."""

import re

from logsleuth.ingest.decoders import Codec, Decoder, codec
from logsleuth.ingest.layers import BLOCK, DamageError, Layer, Recorded, head_of
from logsleuth.model.origin import ByteStream

LAYERS = 2
"""How often a file may be packed over: ``x.log.gz.zst``."""
MAGIC_SIZE = 10
"""Bytes that tell the packing."""

_MAGIC = {
    # Identification and the only compression method in use, RFC 1952 section 2.3.1.
    "gzip": re.compile(rb"\x1f\x8b\x08"),
    # A frame, or a skippable one, with which pzstd begins: RFC 8878 section 3.1.
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
    "bzip2": re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
}
_OPENING = {"gzip": b"\x1f\x8b\x08", "zstd": b"\x28\xb5\x2f", "bzip2": b"BZh", "xz": b"\xfd7z"}
"""The first bytes of each: with no more than these a stream was begun."""
_FEED = 1 << 16
"""Packed bytes given to a decoder at once: what is left of them is copied wherever one stream follows another."""


def packing_of(head: bytes) -> str | None:
    """How the file that begins so is packed; None where it is not."""
    return next((packing for packing, magic in _MAGIC.items() if magic.match(head)), None)


def unpacked(stream: ByteStream) -> ByteStream:
    """What a stream holds, through all its layers of packing; the same bytes where it is not packed."""
    for _ in range(LAYERS):
        recorded = Recorded(stream)
        try:
            packing = packing_of(head_of(recorded, MAGIC_SIZE))
        except OSError as error:
            return recorded.again(error)  # What came before it is read first.
        stream = recorded.again()
        if packing is None:
            break
        stream = Unpacked(stream, packing)
    return stream


class Unpacked(Layer):
    """What packed bytes hold: one stream or several, one behind the other, with zeros behind each.

    Raises DamageError where they cannot be read on, BombError where they hold more than may be, DecoderMissingError.
    """

    def __init__(self, stream: ByteStream, packing: str, *, is_single: bool = False) -> None:
        """With ``is_single``, what follows the first stream is no concern of ours."""
        super().__init__(stream)
        self._packing, self._is_single = packing, is_single
        self._codec: Codec = codec(packing)
        self._decoder: Decoder | None = self._codec.begin()
        self._held = b""
        """Packed bytes that the decoder has not got yet."""

    def read1(self, size: int, /) -> bytes:
        while (decoder := self._decoder) is not None:
            if decoder.eof:
                self._go_on(decoder.unused_data)
                continue
            if data := self._decoded(decoder, min(size, BLOCK)):
                self.allowance.spend(len(data))
                return data
        return b""

    def _decoded(self, decoder: Decoder, size: int) -> bytes:
        packed = b""
        if decoder.needs_input:
            packed = self._held or self._stream.read1(_FEED)
            self._held = b""
            if not packed:
                raise DamageError(self._cut_short())
        try:
            return decoder.decompress(packed, size)
        except self._codec.errors as error:
            if "memory" in str(error).lower():
                why = f"the {self._packing} data needs more memory to be unpacked than is given to it; unpack it first"
                raise DamageError(why) from None
            why = f"the {self._packing} data is damaged ({error}), so that the text may be wrong in places"
            raise DamageError(why) from None

    def _go_on(self, rest: bytes) -> None:
        """Begins the stream that follows, where one does."""
        self._decoder = None
        if self._is_single:
            return
        # A block device, tar and xz itself fill up with zeros.
        while not (rest := rest.lstrip(b"\0")):
            if not (rest := self._stream.read1(_FEED)):
                return
        rest += head_of(self._stream, max(MAGIC_SIZE - len(rest), 0))
        if packing_of(rest) == self._packing:
            self._decoder, self._held = self._codec.begin(), rest
        elif len(rest) < MAGIC_SIZE and _OPENING[self._packing].startswith(rest[:3]):
            raise DamageError(self._cut_short())
        else:
            raise DamageError(f"something that is not {self._packing} follows the {self._packing} data")

    def _cut_short(self) -> str:
        return f"the {self._packing} data ends in the middle, as it does where a writer was killed or a copy cut short"
