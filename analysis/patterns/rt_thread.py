"""Lines of the RT-Thread port for PSoC Edge E84, which prints its own report of each step and no completion line.

The public application is the tinycnn example; its name stands before the verdict, so that line is found by its words.
"""

from __future__ import annotations

import re

from .table import Pattern as P

RT_THREAD: tuple[P, ...] = (
    P(
        "rtt_platform",
        "[executorch] Ethos-U platform init {:name} irq={:int} base={address:pointer}",
        (
            "[executorch] Ethos-U platform init start irq=38 base=0x44600000",
            "[executorch] Ethos-U platform init ok  irq=38 base=0x44600000",
        ),
    ),
    P("rtt_released", "[executorch] Ethos-U platform deinit {:name}", ("[executorch] Ethos-U platform deinit ok",)),
    P(
        "rtt_model",
        "[executorch] runtime_init model={:name} pte={address:pointer} bytes={size:int}",
        ("[executorch] runtime_init model=tinycnn pte=0x60588d70 bytes=31696",),
    ),
    P("rtt_method", "[executorch] method={name:name}", ("[executorch] method=forward",)),
    *(
        P(
            "rtt_tensor",
            f"[executorch] {what}{{:int}}={{:pointer}} bytes={{:int}}",
            (f"[executorch] {what}0=0x64480000 bytes=110592",),
        )
        for what in ("input", "output")
    ),
    P(
        "rtt_ready",
        "[executorch] init complete planned_buffers={:int} method_pool={method:int} temp_pool={temp:int}",
        ("[executorch] init complete planned_buffers=1 method_pool=524288 temp_pool=524288",),
    ),
    P(
        "rtt_input",
        "[executorch] input{tensor:int} filled with {:text} scalar_type={dtype:int} bytes={size:int}",
        ("[executorch] input0 filled with ones scalar_type=6 bytes=110592",),
    ),
    P(
        "rtt_execute",
        "[executorch] execute start n_in={:int} n_out={outputs:int}",
        ("[executorch] execute start n_in=1 n_out=1",),
    ),
    P("rtt_call", "[executorch] pre-call tick={ms:int}", ("[executorch] pre-call tick=9095",)),
    P(
        "rtt_called",
        "[executorch] post-call tick={ms:int} status={status:int}",
        ("[executorch] post-call tick=9132 status=0",),
    ),
    P("rtt_status", "[executorch] execute done status={status:int}", ("[executorch] execute done status=0",)),
    P(
        "rtt_output",
        "[executorch] output{tensor:int} scalar_type={dtype:int} numel={count:int} bytes={:int}",
        ("[executorch] output0 scalar_type=6 numel=4 bytes=16",),
    ),
    P(
        "rtt_top",
        "[executorch] output{:int} {:name} top1={index:int}{:end}",
        ("[executorch] output0 float top1=1",),
    ),
    P(
        "rtt_element",
        "[executorch] output{tensor:int}[{index:int}] float_bits={bits:pointer}",
        ("[executorch] output0[0] float_bits=0xbca6e43b",),
    ),
    P(
        "rtt_passed",
        "] inference PASS{? execute_ms={ms:int} top1={:int}?}",
        ("[TinyCNN] inference PASS", "[TinyCNN] inference PASS execute_ms=41 top1=2"),
        anywhere=True,
    ),
    P(
        "rtt_turn",
        "{:tag} loop {:int}/{:int} status={status:int} execute_ms={ms:int} top1={:int}{:end}",
        ("[TinyCNN] loop 2/10 status=0 execute_ms=41 top1=2", "[TinyCNN] loop 3/10 status=-5 execute_ms=5002 top1=-1"),
        anywhere=True,
    ),
    P(
        "rtt_changed",
        "{:tag} loop top1 changed: expected={:int} got={:int}",
        ("[TinyCNN] loop top1 changed: expected=2 got=3",),
        anywhere=True,
    ),
    P(
        "rtt_summary",
        "{:tag} loop summary count={count:int} pass={passes:int} fail={fails:int} min_ms={:int} max_ms={:int} "
        "avg_ms={ms:int} top1={:int}{:end}",
        ("[TinyCNN] loop summary count=10 pass=10 fail=0 min_ms=40 max_ms=42 avg_ms=41 top1=2",),
        anywhere=True,
    ),
    P(
        "rtt_irq_failed",
        "[executorch] Ethos-U IRQ init failed: {status:pointer}",
        ("[executorch] Ethos-U IRQ init failed: 0x00560001",),
    ),
    P("driver_failed", "[executorch] ethosu_init failed: {:int}", ("[executorch] ethosu_init failed: -1",)),
    P(
        "driver_failed",
        "[executorch] Ethos-U platform init failed: {:int}",
        ("[executorch] Ethos-U platform init failed: -5",),
    ),
    P(
        "planned_allocation_failed",
        "[executorch] failed to allocate planned buffer {:int} bytes={size:int}",
        ("[executorch] failed to allocate planned buffer 0 bytes=752640",),
    ),
    *(
        P(
            event,
            f"[executorch] {what} failed: {{:name}} ({{status:status}})",
            (f"[executorch] {what} failed: Error::{sample}",),
        )
        for event, what, sample in (
            ("loader_program_failed", "Program::load", "InvalidProgram (0x00000023)"),
            ("method_load_failed", "load_method", "NotFound (0x00000020)"),
            ("execution_failed", "Method::execute", "InvalidProgram (0x00000023)"),
        )
    ),
    *(
        P("rtt_stopped", f"[executorch] {text}", (f"[executorch] {re.sub('{.*?}', '5', text)}",))
        for text in (
            "planned buffer count {:int} exceeds RT_AI_EXECUTORCH_MAX_PLANNED_BUFFERS={:int}",
            "missing PTE data; pass mapped QSPI data or enable embedded model data",
            "Program has no methods",
            "unsupported input count: {:int}",
            "unsupported output count: {:int}",
            "unsupported input scalar type id={:int}",
            "input {:int} is not a tensor",
            "output {:int} is not a tensor",
            "input {:int} has no writable buffer",
            "output {:int} has no readable buffer",
            "Ethos-U delegate registration failed: {:text}",
        )
    ),
    *(
        P("rtt_refused", f"] {what} failed: {{:int}}", (f"[TinyCNN] {what} failed: -2",), anywhere=True)
        for what in ("init", "run")
    ),
    P("rtt_refused", "] inference FAIL", ("[TinyCNN] inference FAIL",), anywhere=True),
)
