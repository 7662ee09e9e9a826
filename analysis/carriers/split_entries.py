"""Logs of services that store a long line in several entries, and mails whose long lines were broken to be sent.

GitLab marks an entry that goes on with `+`, a container runtime one that is not the last of its line with `P`, Docker's
files by the line end that is missing, a mail by `=` at the end of a row.
"""

from __future__ import annotations

import re
from functools import partial

from ..cleaning import compiled
from ..named_tuple import TYPE_CHECKING
from .joined_rows import JoinedRows

if TYPE_CHECKING:
    from collections.abc import Callable

_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)"
_OF_JOB = rf"\A{_TIME} (\d\d[OE])([ +])"
_OF_CONTAINER = rf"\A{_TIME} (std(?:out|err)) ([PF]) "
_OF_DOCKER = r"\A\{\"log\":\""
_TAIL_OF_DOCKER = (
    r"\",\"stream\":\"std(out|err)\"(?:,\"[^\"]{1,40}\":(?:\"[^\"]{0,200}\"|\{[^{}]{0,400}\})){0,3}\}\s*\Z"
)
_CODED = r"(?:=[0-9A-F]{2})+"
_CODING = r"(?i)content-transfer-encoding: *(\S{1,40})|(From )\S{1,200} .{0,80}\d{4}\s*\Z"
"""How the part of a mail is coded that begins, and the line that a mailbox has before each mail, of which nothing is known yet."""
_BOUNDARY = "--====="
"""How the line between two parts begins that itself ends in `=`."""
_QUOTED_PRINTABLE = rb"(?im)^content-transfer-encoding: *quoted-printable"


def _rest_of_job(above: str, line: str) -> tuple[str, str] | None:
    before, entry = compiled(_OF_JOB).match(above), compiled(_OF_JOB).match(line)
    if before is None or entry is None or entry[2] != "+" or entry[1] != before[1]:
        return None
    return above, line[entry.end() :]


def _rest_of_container(above: str, line: str) -> tuple[str, str] | None:
    before, entry = compiled(_OF_CONTAINER).match(above), compiled(_OF_CONTAINER).match(line)
    if before is None or entry is None or before[2] != "P" or entry[1] != before[1]:
        return None
    return above, line[entry.end() :]


def _rest_of_docker(above: str, line: str) -> tuple[str, str] | None:
    entry, tail = compiled(_OF_DOCKER).match(line), compiled(_TAIL_OF_DOCKER).search(above)
    if entry is None or tail is None or above.endswith("\\n", 0, tail.start()):
        return None
    other = compiled(_TAIL_OF_DOCKER).search(line)
    if other is not None and other[1] != tail[1]:
        return None
    return above[: tail.start()], line[entry.end() :]


class _Mail:
    """Mails and their parts, of which each is coded in its own way: in one that is not, `=` is a sign as others."""

    def __init__(self) -> None:
        self._coded = False

    def rest_of_row(self, above: str, line: str) -> tuple[str, str] | None:
        broken = self._coded and above[-1:] == "=" and not above.startswith(_BOUNDARY)
        return (above[:-1], line) if broken else None

    def shown(self, line: str) -> str:
        begun = compiled(_CODING).match(line)
        if begun is not None:
            self._coded = (begun[1] or "").lower() == "quoted-printable"
        return compiled(_CODED).sub(_decoded, line) if self._coded else line


def _decoded(coded: re.Match[str]) -> str:
    return bytes.fromhex(coded[0].replace("=", "")).decode("utf-8", "replace")


def _joined_mail() -> SplitEntries:
    mail = _Mail()
    return SplitEntries(mail.rest_of_row, mail.shown)


def decoder_for(head: bytes, known: Callable[[str], bool]) -> Callable[[], SplitEntries] | None:
    """What makes a decoder that joins the lines of a log that begins so; None where none goes on."""
    text = head.decode("utf-8", "replace")
    if re.search(_QUOTED_PRINTABLE, head) is not None:
        return _joined_mail
    lines = text.split("\n")
    if 2 * text.count('\\n","stream":') < text.count('","stream":'):  # no end of a line is kept
        return None
    for joined in (_rest_of_job, _rest_of_container, _rest_of_docker):
        if any(joined(above, line) is not None for above, line in zip(lines, lines[1:], strict=False)):
            return partial(SplitEntries, joined)
    return None


class SplitEntries(JoinedRows):
    r"""Joins the entries that belong to one line.

    Example:
        >>> log = b"2031-02-03T04:05:06Z 00O on\n2031-02-03T04:05:07Z 00O+ly\n"
        >>> SplitEntries(_rest_of_job).decode(log, True)
        '2031-02-03T04:05:06Z 00O only\n\n'
    """

    def __init__(
        self, joined: Callable[[str, str], tuple[str, str] | None], shown: Callable[[str], str] | None = None
    ) -> None:
        """`joined` gives the entry above and what goes on in this one, where it does; `shown` is a whole line as it was."""
        super().__init__("\n")
        self._joined, self._as_it_was = joined, shown
        self._newest = ""
        """The newest entry as it came."""

    def _above(self, row: str) -> str:
        above, self._newest = self._newest.rstrip("\r"), row
        joined = self._joined(above, row) if self._open else None
        if joined is None:
            return self._begin(row)
        kept, rest = joined
        part = self._parts[-1].rstrip("\r")
        self._parts[-1] = part[: len(part) - (len(above) - len(kept))]
        self._go_on(rest)
        return ""

    def _shown(self, line: str) -> str:
        return line if self._as_it_was is None else self._as_it_was(line)
