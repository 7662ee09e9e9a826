"""Compressed data to bytes in bounded memory: gzip, xz, bzip2 and Zstandard, told by their first bytes and not by a name.

The data is untrusted.  A decoder gives at most one block at a time whatever its input says, dictionaries have a limit, and
a stream that holds more than any console log does is refused: a file of a few kilobytes may stand for terabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from ...analysis.named_tuple import TYPE_CHECKING
from ..job import InputError

if TYPE_CHECKING:
    from typing import Any, Literal, NoReturn, Protocol, TypeAlias
else:
    Protocol = object

BLOCK_BYTES = 1 << 18
"""Most bytes that are handed on at a time."""
DECOMPRESSED_LIMIT_BYTES = 16 << 30
"""More than this from one compressed input is refused: no console log is that long."""
BOMB_BYTES = 1 << 30
BOMB_RATIO = 500
"""Above `BOMB_BYTES`, data that unpacks to more than this many times its size is refused: no log repeats itself so (gzip
cannot reach 1100)."""
FILLER_BYTES = 64 << 20
FILLER_RATIO = 200
FILLER_LINE_BYTES = 4096
"""Once `FILLER_BYTES` came out at more than `FILLER_RATIO` times their size, in lines longer than this on the whole, they
are no console's: a log of equal runs packs as well, but has lines."""
DICTIONARY_BYTES = 1 << 28
"""Most memory that a decoder may take for its dictionary (`xz -9` takes 65 MiB)."""

Kind: TypeAlias = 'Literal["gzip", "xz", "bzip2", "zstd"]'
ENDINGS = (".gz", ".xz", ".bz2", ".zst")
_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
MAGIC_BYTES = 6
_STEP_BYTES = 64
_UNREAD = (
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a rar archive"),
    (b"\x04\x22\x4d\x18", "lz4 data"),
    (b"\x1f\x9d", "data from the old compress program"),
    (b"LZIP", "lzip data"),
    (b"!<arch>\n", "an ar archive (a library or a package)"),
)


class Readable(Protocol):
    """Where bytes come from; a read may give fewer than asked for, and gives none at the end."""

    def read(self, most: int, /) -> bytes:
        """The next bytes."""
        ...


def compression_of(head: bytes) -> Kind | None:
    """How data that begins so is compressed; None where it is not."""
    for magic, kind in _MAGIC:
        if head.startswith(magic) and (kind != "bzip2" or head[3:4] in b"123456789"):
            return kind
    return None


def refuse_unread(name: str, head: bytes) -> None:
    """Say by name what is packed in a way that is not read here.

    Raises:
        InputError: the data begins like such a file.
    """
    for magic, what in _UNREAD:
        if head.startswith(magic):
            raise InputError(f"{name}: is {what}, which is not supported", "unpack it first")


class TooMuch(InputError):
    """Compressed data holds more than it may: nothing more is read of it."""


class Budget:
    """What one compressed input may unpack to, all members of an archive together."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.taken = 0
        """Compressed bytes so far."""
        self._given = 0
        self._line_ends = 0

    def give(self, block: bytes) -> None:
        """Count what came out.

        Raises:
            TooMuch: that is more than a log can be.
        """
        before = self._given
        self._given += len(block)
        if before < FILLER_BYTES:
            self._line_ends += block.count(b"\n") + block.count(b"\r")
            if self._given >= FILLER_BYTES and self._is_filler():
                self._refuse(FILLER_RATIO)
        if self._given > DECOMPRESSED_LIMIT_BYTES:
            limit = f"{DECOMPRESSED_LIMIT_BYTES / (1 << 30):.3g} GiB"
            raise TooMuch(f"{self.name}: unpacks to more than the limit of {limit}", "this is not a console log")
        if self._given > BOMB_BYTES and self._given > BOMB_RATIO * max(1, self.taken):
            self._refuse(BOMB_RATIO)

    def _is_filler(self) -> bool:
        return self._given > FILLER_RATIO * self.taken and self._given > FILLER_LINE_BYTES * self._line_ends

    def _refuse(self, ratio: int) -> NoReturn:
        raise TooMuch(
            f"{self.name}: unpacks to over {ratio} times its size, like a zip bomb",
            "this does not look like a console log; unpack it yourself if it is",
        )


def damaged(name: str, reason: object) -> InputError:
    """The sentence for compressed data that does not decode."""
    return InputError(f"{name}: the compressed data is damaged ({reason})", "copy the file again")


def decompressed(name: str, source: Readable, kind: Kind, budget: Budget) -> Iterator[bytes]:
    """The decoded bytes, block by block; streams that follow each other count as one.

    Raises:
        InputError: the data is damaged, cut, or more than the budget allows.
    """
    import zlib  # each on first use: most inputs are plain

    counted = _Counted(source, budget)
    failures: tuple[type[Exception], ...] = (EOFError, zlib.error, ValueError)
    if kind == "zstd":
        import zstandard

        failures += (zstandard.ZstdError,)
        blocks = _zstandard(counted)
    elif kind == "xz":
        import lzma

        failures += (lzma.LZMAError,)
        blocks = _streams(counted, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, DICTIONARY_BYTES))
    elif kind == "bzip2":
        import bz2

        blocks = _streams(counted, bz2.BZ2Decompressor)
    else:
        blocks = _streams(counted, _Gzip)
    try:
        for block in blocks:
            budget.give(block)
            yield block
    except failures as error:
        raise damaged(name, error) from None
    except OSError as error:
        if error.errno is not None:  # the disk's complaint; bzip2 raises one without a number
            raise
        raise damaged(name, error) from None


class _Counted:
    """A source that counts what is taken from it."""

    def __init__(self, source: Readable, budget: Budget) -> None:
        self._source = source
        self._budget = budget
        self.watch: Callable[[bytes], object] | None = None

    def read(self, most: int) -> bytes:
        data = self._source.read(most if most > 0 else BLOCK_BYTES)
        self._budget.taken += len(data)
        if self.watch is not None:
            self.watch(data)
        return data


class _Gzip:
    """zlib's decoder with the manners of the others."""

    def __init__(self) -> None:
        import zlib

        self._decoder = zlib.decompressobj(31)
        self.failure: zlib.error | None = None
        self._failed: type[zlib.error] = zlib.error

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._decoder.unconsumed_tail

    def decompress(self, data: bytes, most: int) -> bytes:
        """What comes next; at damage (a wrong checksum, say) what came before it, and `failure` is set."""
        data = self._decoder.unconsumed_tail + data
        before = self._decoder.copy()
        try:
            return self._decoder.decompress(data, most)
        except self._failed as error:
            self.failure = error
            return self._before_damage(before, data)

    def _before_damage(self, decoder: Any, data: bytes) -> bytes:
        """zlib drops what it unpacked in the call that fails, so that call is made again in small steps."""
        found = bytearray()
        for step in (_STEP_BYTES, 1):
            while data:
                before = decoder.copy() if step > 1 else decoder
                try:
                    found += decoder.decompress(data[:step])
                except self._failed:
                    decoder = before
                    break
                data = data[step:]
        return bytes(found)


def _streams(source: _Counted, new: Callable[[], Any]) -> Iterator[bytes]:
    decoder, data = new(), b""
    while True:
        if not data and decoder.needs_input:
            data = source.read(BLOCK_BYTES)
            if not data:
                raise EOFError("it ends in the middle")
        block = decoder.decompress(data, BLOCK_BYTES)
        data = b""
        if block:
            yield block
        if getattr(decoder, "failure", None) is not None:
            raise decoder.failure
        if decoder.eof:
            data = decoder.unused_data.lstrip(b"\0")  # padding between streams
            while not data:
                more = source.read(BLOCK_BYTES)
                if not more:
                    return
                data = more.lstrip(b"\0")
            decoder = new()


def _zstandard(source: _Counted) -> Iterator[bytes]:
    import zstandard

    frames = _frames()
    next(frames)
    source.watch = lambda data: frames.send(data) if data else None
    decoder = zstandard.ZstdDecompressor(max_window_size=DICTIONARY_BYTES >> 1)
    reader: Any = source  # all that the library asks of a file
    with decoder.stream_reader(reader, read_size=BLOCK_BYTES // 4, read_across_frames=True, closefd=False) as stream:
        while block := stream.read1(BLOCK_BYTES):
            yield block
    if not frames.send(b""):  # the library takes an end in the middle for an end
        raise EOFError("it ends in the middle")


def _frames() -> Generator[bool, bytes, None]:
    """Follow the frames of a Zstandard stream by their headers: send bytes; the answer is whether a frame could end here."""
    data = bytearray()

    def need(count: int) -> Generator[bool, bytes, bytes]:
        while len(data) < count:
            data.extend((yield False))
        head = bytes(data[:count])
        del data[:count]
        return head

    def skip(count: int) -> Generator[bool, bytes, None]:
        while len(data) < count:
            count -= len(data)
            data.clear()
            data.extend((yield False))
        del data[:count]

    while True:
        while not data:
            data.extend((yield True))
        magic = int.from_bytes((yield from need(4)), "little")
        if magic & 0xFFFFFFF0 == 0x184D2A50:
            yield from skip(int.from_bytes((yield from need(4)), "little"))
            continue
        flags = (yield from need(1))[0]
        single = flags >> 5 & 1
        yield from skip((1 - single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6])
        last = False
        while not last:
            block = int.from_bytes((yield from need(3)), "little")
            last = bool(block & 1)
            yield from skip(1 if block >> 1 & 3 == 1 else block >> 3)
        if flags >> 2 & 1:
            yield from skip(4)
