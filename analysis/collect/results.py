"""How a run ended in the runner's own words: completion, exit codes, the NPU's registers, verdicts on outputs."""

from __future__ import annotations

from collections.abc import Callable

from ..draft import RunDraft
from ..last_words import refused_and_more
from ..patterns.table import ZEROS
from ..report import STAGES, Stage
from .kernel_files import of_kernel
from .monitor import on_inference_time
from .own_fault import take_back

_ABORTS: tuple[tuple[str, Stage], ...] = (
    ("execute() == Error::Ok", "execute"),
    ("planned buffer", "plan"),
    ("Could not load method", "plan"),
    ("Could not allocate input", "inputs"),
    ("Could not prepare input", "inputs"),
)


def stage_of_abort(text: str, file: str | None) -> Stage | None:
    """The stage of the program at which an F line was printed, by its condition, words or source file; None if unknown."""
    return next((stage for words, stage in _ABORTS if words in text), "execute" if of_kernel(file) else None)


def passed(draft: RunDraft) -> None:
    """The application did what it is there for; an earlier failure still counts."""
    take_back(draft)
    if not draft.failed:
        draft.refused = None
        draft.complete()


def says_passed(draft: RunDraft, line: int) -> None:
    """A handler for a line that means only that the run passed."""
    passed(draft)


def fails(kind: str, said: str, stage: Stage | None = None) -> Callable[[RunDraft, int], None]:
    """A handler for a line that says only what failed, in the words of `said`; the run came at least to `stage`."""

    def take(draft: RunDraft, line: int) -> None:
        if stage is not None:
            draft.reach(stage)
        draft.fail(kind, line, said)

    return take


def on_rom_reset(draft: RunDraft, line: int, what: str) -> None:
    """The cause of a reset, which firmware prints when it starts again; the board or a person may have caused it."""
    from .resets import reset_by  # only here: few logs tell of a reset

    by = reset_by(what)
    if by:
        draft.refused = draft.refused or draft.stage
    draft.note("reset_told", line, what, "", {"by": by})
    draft.before_reset = draft.last_event


def on_board_reset(draft: RunDraft, line: int, before: str, what: str) -> None:
    on_rom_reset(draft, line, what)


def on_watchdog_reset(draft: RunDraft, line: int) -> None:
    on_rom_reset(draft, line, "watchdog")


def on_fvp_command(
    draft: RunDraft, line: int, elf: str, target: str, fvp: str, macs: int | None, limit: str | None
) -> None:
    """The script says how long the simulator may run."""
    if (limit or "").isdigit():
        draft.note("time_given", line, values={"seconds": limit})


def on_supply_reset(draft: RunDraft, line: int) -> None:
    on_rom_reset(draft, line, "brown-out")


def on_model_run(draft: RunDraft, line: int, ok: int) -> None:
    if ok == 0:
        draft.fail("model_run", line, "Model run: 0")


def on_exit_code(draft: RunDraft, line: int, code: int) -> None:
    if code:
        draft.fail("exit_code", line, f"Application exit code: {code}", "", {"code": code})
    elif not draft.completed and refused_and_more(draft):
        draft.failed = True
    elif not draft.failed:
        draft.complete()
    draft.closed = True


def on_bundle_result(draft: RunDraft, line: int, testset: int, result: str) -> None:
    if result != "PASS" and ("PASS".startswith(result) or len(result) < 6 and _more_of("PS", "FIL", result)):
        return  # cut in the middle of the word, or damaged
    if "FAIL".startswith(result) or _more_of("FIL", "PS", result):
        result = "FAIL"
    if draft.bundle.get("result") != "FAIL":  # one failing testset decides, whatever comes after it
        draft.bundle.update(testset=testset, result=result)
        draft.lines["bundleio.result"] = line
    if result != "PASS":
        draft.fail("bundle_fail", line, f"TEST: BundleIO index[{testset}] Test_result: {result}")


def _more_of(these: str, those: str, text: str) -> bool:
    return sum(map(text.count, these)) > sum(map(text.count, those))


def on_said_failed(draft: RunDraft, line: int, name: str) -> None:
    """A failed comparison after another mark and a name; elsewhere the words only mention one."""
    first, *more = name.rstrip(": ").split() or [""]
    if (first == "BundleIO" and len(more) == 1) or (not more and first.lower() not in _SPEAKING):
        draft.fail("said_failed", line, f"[TEST]{name}Test_result: FAIL")


_SPEAKING = frozenset(
    ("expect", "expected", "no", "not", "if", "unexpected", "without", "searching", "found", "until", "for", "when", "on", "any",
     "looking", "watching", "waiting", "regex", "regexp", "pattern", "match", "grep")
)  # fmt: skip
_BEFORE_THE_VERDICT = ("index[0", "BundleIO", "TEST:")
"""The runner's words in front of `Test_result:`, the last first; damage may leave less of each."""
_QUOTING = frozenset("*+\\%N'\"`")
"""Characters of patterns and quotes, where an index should stand."""


def on_damaged_fail(draft: RunDraft, line: int, before: str, name: str, more: str | None) -> None:
    """The runner's own verdict on a damaged line; in quotes or with other text around it, others mention it."""
    if (more or "").strip() or not _QUOTING.isdisjoint(name):
        return
    words = before.split()
    for whole in _BEFORE_THE_VERDICT:
        if words and _is_left_of(words[-1], whole):
            words.pop()
            name = name or whole
    last = words[-1] if words else ""
    behind_a_word = len(last) > 1 and (last[-1].isalpha() or last[-1] in "-=")
    spoken = "".join(c if c.isalnum() else " " for c in " ".join(words).lower()).split()
    if name and not behind_a_word and _SPEAKING.isdisjoint(spoken):
        draft.fail("said_failed", line, "BundleIO Test_result: FAIL")


def on_torn_fail(draft: RunDraft, line: int, before: str, more: str | None) -> None:
    """The same where the words before the verdict are lost except for a part of the index."""
    if "0" in before.rstrip()[-2:].translate(ZEROS):
        on_damaged_fail(draft, line, before, "", more)


def on_glued_fail(draft: RunDraft, line: int, before: str, gap: str, more: str | None) -> None:
    """The same where the blank before the verdict was damaged."""
    if len(gap) == 1 and gap not in _QUOTING:
        on_torn_fail(draft, line, before, more)


def _is_left_of(word: str, whole: str) -> bool:
    """Whether damage made this of a word: at most two characters changed and one lost."""
    kept = sum(character in whole for character in word.translate(ZEROS))
    return kept >= max(2, len(word) - 2) and len(word) <= len(whole) + 2 and _QUOTING.isdisjoint(word)


def on_script_bundle(draft: RunDraft, line: int, result: str, name: str) -> None:
    """What run_fvp.sh found in the log; the runner's own line for it may be missing from this capture."""
    if result == "FAILED":
        draft.fail("script_bundle_failed", line, f"Bundled I/O check FAILED for {name}")


def on_script_done(draft: RunDraft, line: int, code: int) -> None:
    if code:
        draft.note("script_status", line, f"Simulation complete, {code}", "", {"code": code})


def on_bundle_verified(draft: RunDraft, line: int) -> None:
    """The last line of `example_runner`."""
    if not draft.failed:
        draft.complete()


def on_bundle_mismatch(draft: RunDraft, line: int, rtol: float, atol: float) -> None:
    draft.bundle.update(rtol=rtol, atol=atol)


def _statistic(name: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int, value: float | None) -> None:
        draft.bundle[name] = value
        draft.mark(f"bundleio.{name}", line)

    return take


on_mean_absolute_error = _statistic("mean_absolute_error")
on_max_absolute_error = _statistic("max_absolute_error")
on_mean_relative_error = _statistic("mean_relative_error")
on_max_relative_error = _statistic("max_relative_error")


def on_program_complete(draft: RunDraft, line: int) -> None:
    take_back(draft)
    draft.completed = True
    draft.ends += 1


def on_example_complete(draft: RunDraft, line: int, count: int) -> None:
    take_back(draft)
    draft.completed = True  # its outputs follow


on_vad_summary = on_example_complete


def on_demo_complete(draft: RunDraft, line: int) -> None:
    passed(draft)
    draft.completed = True


def on_demo_named(draft: RunDraft, line: int, label: str) -> None:
    """The class is the last word of the line."""
    on_demo_complete(draft, line)
    draft.predictions[:] = [(None, label, None)]
    draft.mark("predictions.0", line)


KIT_ERROR = "ERROR - "
"""How the evaluation kit begins an error message; others do so too."""


def on_kit_terminating(draft: RunDraft, line: int) -> None:
    """The evaluation kit's last words in any case; it passed if an inference began and no error ended it."""
    said = next((t for t in reversed(draft.trouble) if t.kind == "message" and t.level == "E"), None)
    begun = STAGES.index(draft.stage) >= STAGES.index("execute")
    ended = said is not None and (not begun or not any(said.line < at < line for at in draft.seen.values()))
    if said is not None and ended and not draft.failed:
        draft.fail("mlek_failed" if begun else "port_failed", said.line, said.text)
    elif begun:
        passed(draft)
    draft.completed |= draft.failed


on_kit_heap_full = fails("heap_failed", "WARN - Out of heap")


def on_kit_step_failed(draft: RunDraft, line: int, what: str) -> None:
    draft.fail("mlek_failed", line, f"ERROR - {what} failed.")


on_kit_gave_up = fails("mlek_failed", "Main loop terminated with failure")
# What the kit says without its mark under Zephyr, whose log has a level for it.
on_kit_failed = fails("mlek_failed", "Inference failed", "execute")
on_kit_refused = fails("mlek_failed", "Failed to initialise model")


def on_a320_complete(draft: RunDraft, line: int) -> None:
    if draft.seen.keys() & {"a320_model", "step_running", "a320_outputs", "cmsis_started"}:
        draft.complete()


def on_sketch_answer(draft: RunDraft, line: int) -> None:
    if "sketch_started" in draft.seen:
        passed(draft)


def on_executed(draft: RunDraft, line: int) -> None:
    take_back(draft)
    if draft.seen.keys() & {"mask_shape", "nuvoton_size"} and not draft.failed:
        draft.complete()  # MobileSAM prints it last, and Nuvoton's application, which reads its model from a card


class SentJobs:
    """Inference jobs of a TensorFlow application."""

    unanswered = 0


def on_tflm_sent(draft: RunDraft, line: int) -> None:
    draft.state(SentJobs).unanswered += not draft.of_row
    draft.completed = False


def on_tflm_answer(draft: RunDraft, line: int, status: int) -> None:
    sent = draft.state(SentJobs)
    sent.unanswered -= 1
    if status:
        draft.fail("exit_code", line, f"An inference job ended with status {status}", "", {"code": status})
    elif sent.unanswered <= 0 and not draft.failed and RUNNERS_OWN.isdisjoint(draft.seen):
        draft.completed = True  # every job that was sent has been answered; the lines of those before may be cut off


RUNNERS_OWN = frozenset(("pte_at", "pte_size", "methods", "method", "method_loaded"))
"""What an ExecuTorch runner says as it loads: firmware answers it in the middle of its run, which has an end of its own."""


def on_tflm_status(draft: RunDraft, line: int, status: str) -> None:
    if status.lower() in ("success", "ok"):
        draft.complete()
    elif status not in _UNDER_WAY:
        draft.fail("invoke_failed", line, f"Inference status: {status}")


_UNDER_WAY = ("running", "created")
"""What the inference runner under Linux says of an inference before it waits for its end."""


on_tflm_done = on_bundle_verified


def on_coreml_time(draft: RunDraft, line: int, ms: float | None) -> None:
    """Core ML's runner prints nothing more if its outputs are available."""
    on_inference_time(draft, line, ms)
    if "executed" in draft.seen:
        passed(draft)


def on_step_done(draft: RunDraft, line: int) -> None:
    if not draft.failed and draft.seen.keys() & {"step_running", "execute_start"}:
        draft.complete()  # what it prints after this is the class that it found


def on_step_timed(draft: RunDraft, line: int, ms: float | None) -> None:
    if "step_running" in draft.seen:
        on_inference_time(draft, line, ms)
    on_step_done(draft, line)


def on_esp_complete(draft: RunDraft, line: int) -> None:
    if "model_run" in draft.seen or "inferences_finished" in draft.seen:
        draft.complete()


def on_pico_complete(draft: RunDraft, line: int) -> None:
    draft.completed = True


def on_neutron_complete(draft: RunDraft, line: int) -> None:
    if "allocator_start" in draft.seen or "neutron_started" in draft.seen:
        draft.complete()


def on_mlek_ended(draft: RunDraft, line: int, how: str) -> None:
    if how.startswith("success"):
        draft.complete()
    else:
        draft.fail("mlek_failed", line, f"Main loop terminated {how}")


_FAULTS = 1 << 2 | 1 << 4 | 1 << 7 | 1 << 8 | 1 << 9
"""The bits of the NPU's status that tell of an error: bus, command stream, weights, ECC, branch."""


def on_npu_registers(draft: RunDraft, line: int, status: int) -> None:
    """A port prints the NPU's registers after each inference; only their error bits mean that something is wrong."""
    _registers(draft, "npu_status", line, status, None)


def on_npu_ended(draft: RunDraft, line: int, status: int, qread: int) -> None:
    _registers(draft, "npu_status", line, status, qread)


def on_npu_interrupted(draft: RunDraft, line: int, status: int, qread: int) -> None:
    """The same before the driver has looked, for a log that ends there."""
    _registers(draft, "npu_interrupted", line, status, qread)


def on_npu_bus_bit(draft: RunDraft, line: int, bit: int) -> None:
    """One status bit, from a port that prints it alone."""
    if bit:
        draft.reach("execute")
        draft.refused = draft.refused or "execute"
        draft.note("npu_bus_bit", line, f"bus_status_error 0x{bit:x}")


def on_npu_command_end(draft: RunDraft, line: int, end: int) -> None:
    """Whether the NPU reached the end of its commands, so that nobody waits for it."""
    if end:
        draft.seen["npu_at_end"] = line


def on_npu_read_to(draft: RunDraft, line: int, qread: int) -> None:
    """How far the NPU read its command stream; an error happened there."""
    newest = draft.trouble[-1] if draft.trouble else None
    if newest is not None and newest.kind == "npu_status" and newest.values.get("qread") is None:
        newest.values["qread"] = qread


def on_npu_region(draft: RunDraft, line: int, index: int, address: int, size: int) -> None:
    """A region of fast memory that is not set up, which a program compiled for Dedicated_Sram needs."""
    draft.reach("execute")
    if index == 2 and address == 0:
        draft.note("npu_region", line, f"base[{index}] is at 0x0 and has {size} bytes")


def _registers(draft: RunDraft, kind: str, line: int, status: int, qread: int | None) -> None:
    draft.reach("execute")
    if status & _FAULTS:
        draft.refused = draft.refused or "execute"
        draft.note(kind, line, f"NPU status=0x{status:08x}", "", {"status": status, "qread": qread})
