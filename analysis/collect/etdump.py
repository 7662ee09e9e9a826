"""ETDump blocks: the base64 text that the runner prints for the host to decode, kept as it stands.

Release 0.6 prints a shell's here-string with the text on a line of its own, 0.7 and later one `echo` per file. A
terminal or a tool may have broken the text into several lines; they are joined again. Decoding is left to whoever asks
for it.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..draft import RunDraft
from ..etdump.block import ETDUMP_LIMIT_BYTES, EtdumpBlock
from ..line import Line

_BLOCKS = 64
_NEAR = 4
"""The most lines between the name of a file and its block."""
_BODY = r"[A-Za-z0-9+/=]*"
_LEAST_WHOLE = 16
"""Characters of the shortest block; fewer in quotes are an ordinary word."""
_MARRED_LEAST = 16
"""Characters that a row with damage must have to be taken for a part of a block."""


_BEFORE_BLOCK = frozenset(("etdump_size", "etdump_script", "etdump_writing", "etdump_fence"))


def is_cut_block(draft: RunDraft | None, data: str) -> bool:
    """Whether quoted words are a block whose end is cut off: a block is expected next, and they are as long as base64 is.

    Otherwise a shell's `echo "Done"` would look like one.
    """
    awaited = draft is not None and draft.last_event in _BEFORE_BLOCK
    return awaited and len(data) >= _LEAST_WHOLE and len(data) % 4 == 0


def _begin(draft: RunDraft, line: int, file: str | None) -> EtdumpBlock | None:
    draft.etdump.open = None
    if len(draft.etdump.blocks) >= _BLOCKS:
        return None
    block = EtdumpBlock(line, file)
    draft.etdump.blocks.append(block)
    return block


def _add(draft: RunDraft, block: EtdumpBlock, text: str, line: int) -> bool:
    return block.add(text, ETDUMP_LIMIT_BYTES - sum(b.size for b in draft.etdump.blocks), line)


def on_etdump_writing(draft: RunDraft, line: int, file: str) -> None:
    draft.etdump.announced = line, file


def on_etdump_data(draft: RunDraft, line: int, data: str, file: str) -> None:
    told = draft.etdump.announced
    if told is not None and line - told[0] <= _NEAR and told[1].startswith(file):
        file = told[1]  # its name may be cut
    block = _begin(draft, line, file)
    if block is not None:
        block.complete = _add(draft, block, data.replace(" ", ""), line)


def on_etdump_cut(draft: RunDraft, line: int, data: str) -> None:
    """The log ends after the whole block and before its file's name."""
    block = _begin(draft, line, draft.etdump.announced[1] if draft.etdump.announced else None)
    if block is not None:
        block.complete = _add(draft, block, data, line)


def on_etdump_open(draft: RunDraft, line: int, data: str) -> None:
    block = _begin(draft, line, draft.etdump.announced[1] if draft.etdump.announced else None)
    if block is not None and _add(draft, block, data, line):
        draft.etdump.open = block


def on_etdump_heredoc(draft: RunDraft, line: int) -> None:
    draft.etdump.open = _begin(draft, line, "etdump.bin")


def on_etdump_close(draft: RunDraft, line: int, file: str) -> None:
    block, draft.etdump.open = draft.etdump.open, None
    if block is not None:
        block.file = file
        block.complete = bool(block.held)
        block.resume()


def continue_etdump(draft: RunDraft, line: Line) -> bool:
    """Take a line in the middle of a block; False where it does not belong to one."""
    block, text = draft.etdump.open, line.data or line.message
    match = compiled(_BODY).match(text)
    if block is None or match is None or line.level or line.file is not None:
        return False
    body, rest = match.group(), text[match.end() :]
    if rest == "\\":  # 0.6 ends the line of data as a shell script goes on
        rest = ""
    if rest and not rest.startswith('"'):
        body, quote, rest = text.removesuffix("\\").partition('"')
        rest = quote + rest
        if not _marred(body, bool(quote)):
            return False
    if body and not _add(draft, block, body, line.number):
        draft.etdump.open = None
    elif rest:
        block.resume()
        block.file = block.file or (rest.rpartition(">")[2].strip() if ">" in rest else None)
        block.complete = True
        draft.etdump.open = None
    return True


def _marred(body: str, last: bool) -> bool:
    """True for a row of base64 in which a few characters are damaged; `last`: the shell's words follow it."""
    odd = len(compiled(_BODY).sub("", body))
    return (last or len(body) >= _MARRED_LEAST) and 8 * odd <= max(len(body), 8) and not any(map(str.isspace, body))
