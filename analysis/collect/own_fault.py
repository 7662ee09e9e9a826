"""Fault handlers that people write for their own application: they report a fault and print registers in any form.

The handlers of operating systems and of the runner have rows in the table of patterns. These have nothing in common
except a line that says nothing else, which counts where a run is open and not over.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..draft import TROUBLE_LIMIT
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from ..draft import RunDraft

_BANNER = (
    r"(?i)(?:[*!=+-]{2,40} ?|\[)?(?:\[?(?:fatal|error|panic|crash|exception)(?: error)?\]?[:!]{0,3} {0,2})?(?:(?:in|entered|entering|caught|hit) (?:the )?)?"
    r"(?:hard|bus|usage|secure|mpu|mem(?:ory)?[ _-]?manage(?:ment)?)[ _-]?fault(?:[ _]?(?:handler|isr|irq|exception|interrupt|error|analysis|report|dump))?(?:\(\))?"
    r"(?: (?:detected|occurred|happened|caught|raised|entered|triggered))?(?: on (?:thread|task|core|cpu|handler)\b[^.]{0,40})?"
    r"(?: ?@ ?0x[0-9a-f]{1,8})?[ *!=.:>\]+-]{0,40}(?:\Z|(?<=[*!=:>\] +-])(?=(?:ctxtsk|xpsr|pc|lr|r0|cfsr|hfsr)\s{0,4}[:=] {0,4}(?:0x)?[0-9a-f]{1,8}\b))"
)
_OVERFLOW = (
    r"(?i)(?:[*!=-]{2,40} ?)?(?:\[?(?:fatal|error|panic|[\w-]{1,24})\]?[:!]{1,3} {0,2})?stack overflow (?:"
    r"(?:has been )?(?:detected|caught|occurred)(?: (?:in|for|of) (?:the )?(?:task|thread)[ :=]{1,3}\S{1,40})?|"
    r"(?:in|of|for|on) (?:the )?(?:task|thread)[ :=]{1,3}(?:(?:0x)?[0-9a-f]{1,10} )?['\"]?[\w.:-]{1,32}['\"]?)[ *!.=-]{0,40}\Z"
)
"""What a kernel's hook prints (mostly FreeRTOS's) when a stack is too small."""
_REGISTER = (
    r"(?i)(?<![\w./])(?:scb(?:->|_(?:cfsr_)?))?(cfsr|hfsr|mm?fsr|bfsr|ufsr|bfar|mmf?ar|pc|lr)"
    r"(?:\s{0,8}[:=]\s{0,8}(?:0x)?([0-9a-f]{1,8})|\s{1,8}(?:0x)?([0-9a-f]{8}))(?!\w)"
)
_NAMES = {"MFSR": "MMFSR", "MMAR": "MMFAR"}
"""Registers that RT-Thread names differently."""
_LINES_OF_REPORT = 40
_LONGEST = 160


def note_own_fault(draft: RunDraft, number: int, text: str) -> bool:
    """Whether this line belongs to such a handler's report; the run has then failed."""
    begun, text = draft.seen.get("own_fault") or draft.seen.get("fault_banner", 0), text[:_LONGEST]
    banner = not draft.completed and not draft.closed and _is_banner(text)
    if banner:
        draft.seen["own_fault"] = begun = number
        draft.fail("fault_banner", number, text, values={"own": draft.failed})  # whether it had failed before
    found = compiled(_REGISTER).findall(text) if begun and number - begun <= _LINES_OF_REPORT else []
    for name, value, alone in found:
        name, value = _NAMES.get(name.upper(), name.upper()), value or alone
        draft.note("fault_detail", number, f"{name} = 0x{value}", "", {"value": f"0x{value}"})
    return banner or bool(found)


def _is_banner(text: str) -> bool:
    return compiled(_BANNER).match(text) is not None or compiled(_OVERFLOW).match(text) is not None


def take_back(draft: RunDraft) -> None:
    """Withdraw the fault, because the run went on: the line was a name in a list, a test or a guide, and no register or
    error follows it.
    """
    if "own_fault" not in draft.seen:
        return
    own = [trouble for trouble in draft.trouble if "own" in trouble.values]
    below = own and draft.trouble[draft.trouble.index(own[0]) :] != own
    if not own or below or len(draft.trouble) == TROUBLE_LIMIT:
        return
    del draft.seen["own_fault"]
    draft.trouble = draft.trouble[: -len(own)]
    draft.failed = bool(own[0].values["own"])


def may_be_of_report(text: str) -> bool:
    """Whether a line may report a fault, or print a register that counts after such a report."""
    text = text[:_LONGEST]
    return _is_banner(text) or compiled(_REGISTER).search(text) is not None
