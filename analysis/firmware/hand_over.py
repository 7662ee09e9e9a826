"""Everything that a firmware project takes over of one file, gathered once and written in several forms."""

from __future__ import annotations

import hashlib
import zlib

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..program.report import Build, Bundle, Program
from .calls import MethodCalls, read_calls
from .operators import Kernel, kernels_of
from .pools import Pool, pools_of
from .releases import NEWEST, RELEASES, Release

if TYPE_CHECKING:
    from .pools import Runner


class HandOver(NamedTuple):
    """A program, or a bundle with a program in it, as firmware needs it."""

    file: str
    """Name of the file without its folder; it is untrusted text."""
    bytes: int
    crc32: int
    """As zlib counts it (IEEE 802.3), of the whole file."""
    sha256: str
    program: Program
    bundle: Bundle | None
    calls: tuple[MethodCalls, ...]
    kernels: tuple[Kernel, ...]

    @property
    def program_start_byte(self) -> int:
        """Where the program begins in the file: 0 but in a bundle."""
        return 0 if self.bundle is None else self.bundle.program_start_byte

    @property
    def builds(self) -> tuple[Build, ...]:
        """What its Ethos-U delegates were compiled for, each different one once."""
        return tuple(dict.fromkeys(d.build for d in self.program.delegates if d.build is not None))

    def pools(self, release: Release = NEWEST, runner: Runner = "bare-metal") -> tuple[Pool, ...]:
        """The pools of that release's runner."""
        return pools_of(self.program, self.calls, release, runner)


def hand_over(file: str, data: bytes, program: Program, bundle: Bundle | None = None) -> HandOver:
    """What follows from a file that was read.

    Raises:
        ProgramError: the calls of its instructions are cut or damaged.
    """
    inner = (
        data if bundle is None else data[bundle.program_start_byte : bundle.program_start_byte + bundle.program_bytes]
    )
    calls = read_calls(inner)
    sha256 = hashlib.sha256(data).hexdigest()
    return HandOver(file, len(data), zlib.crc32(data), sha256, program, bundle, calls, kernels_of(calls))


def firmware_document(found: HandOver) -> dict[str, object]:
    """The JSON of it: checksums, operators, and the pools of each release and runner."""
    from ..report import to_dict

    pools = []
    for release in RELEASES:
        runners: tuple[Runner, ...] = ("bare-metal", "zephyr") if release.zephyr is not None else ("bare-metal",)
        pools += [
            {"executorch": release.name, "runner": runner, "pools": [to_dict(p) for p in found.pools(release, runner)]}
            for runner in runners
        ]
    return {
        "bytes": found.bytes,
        "crc32": f"{found.crc32:08x}",
        "sha256": found.sha256,
        "program_start_byte": found.program_start_byte,
        "program_bytes": found.program.bytes,
        "operators": [to_dict(kernel) for kernel in found.kernels],
        "pools": pools,
    }
