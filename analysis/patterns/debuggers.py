"""What debuggers and checkers of memory say when the program they watch is caught: GDB, LLDB, AddressSanitizer, Valgrind, time.

A run in a debugger ends with these lines instead of a shell's "Segmentation fault", and they know more: the signal, and the
function it happened in.  Only signals that end a program count: a breakpoint or Ctrl-C is the user's own.
"""

from __future__ import annotations

from .table import Pattern as P

_SIGNALS = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE")
_LLDB = (
    "EXC_BAD_ACCESS",
    "EXC_BAD_INSTRUCTION",
    "EXC_ARITHMETIC",
    "EXC_CRASH",
    *(f"signal {name}" for name in _SIGNALS),
)
_HANDLERS = ("HardFault_Handler", "MemManage_Handler", "BusFault_Handler", "UsageFault_Handler", "SecureFault_Handler")

DEBUGGERS: tuple[P, ...] = (
    P(
        "debugger_started",
        "Starting program: {program:text}executor_runner{? {:rest}?}",
        ("Starting program: /w/cmake-out/executor_runner --model_path=add.pte",),
    ),
    *(
        P(
            "simulator_crashed",
            f"Program {how} signal {name}, {{caught:text}}.",
            (f"Program {how} signal {name}, Segmentation fault.",),
        )
        for how in ("received", "terminated with")
        for name in _SIGNALS
    ),
    *(
        P(
            "simulator_crashed",
            f'Thread {{:name}} "{{:text}}" received signal {name}, {{caught:rest}}',
            (f'Thread 3 "executor_runner" received signal {name}, Segmentation fault.',),
        )
        for name in _SIGNALS
    ),
    *(
        P(
            "simulator_crashed",
            f"* thread #{{:int}}, {{:text}}stop reason = {{caught:text}}{what}{{:rest}}",
            (f"* thread #1, queue = 'com.apple.main-thread', stop reason = {what} (code=1, address=0x8)",),
        )
        for what in _LLDB
    ),
    P(
        "simulator_crashed",
        "=={:int}==ERROR: AddressSanitizer: {caught:rest}",
        (
            "==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000fb4 at pc 0x55d0c1 bp 0x7ffe sp 0x7ffd",
        ),
    ),
    *(
        P(
            "simulator_crashed",
            f"=={{:int}}== Process terminating with default action of {{caught:text}} ({name})",
            (f"==902== Process terminating with default action of signal 11 ({name})",),
        )
        for name in _SIGNALS
    ),
    *(
        P(
            "simulator_crashed",
            f"Command terminated by {{caught:word}} {number}",
            (f"Command terminated by signal {number}",),
        )
        for number in (4, 6, 7, 8, 11)
    ),
    *(
        P("fault_banner", f"{before}{name} ({{:text}}) at {{:rest}}", (f"{shown}{name} () at startup.c:88",))
        for name in _HANDLERS
        for before, shown in (("", ""), ("{:pointer} in ", "0x10002a4e in "), ("#{:int} {?{:pointer} in ?}", "#0  "))
    ),
    *(
        P(
            "fault_banner",
            f"`{name}{{?({{:text}})?}} at {{:rest}}",
            (f"frame #0: 0x10002a4e fw.elf`{name} at startup.c:88",),
            anywhere=True,
        )
        for name in _HANDLERS
    ),
    P(
        "crash_frame",
        "#{depth:int} {?{:pointer} in ?}{function:callee}({:text}) {place:rest}",
        (
            "#0  0x0000555555a5f1d0 in executorch::runtime::Method::init (this=0x7fffffffd6a0) at runtime/executor/method.cpp:861",
            "#2  executorch::runtime::Method::execute (this=0x31000000) at method.cpp:1200",
            "#3  0x00005555 in executorch::runtime::(anonymous namespace)::resolve (op=0x0) at method.cpp:77",
            "#1 0x55d0c1a2 in executorch::runtime::Program::load_method(char const*) const /w/runtime/executor/program.cpp:283:5",
        ),
        "GDB, AddressSanitizer",
    ),
    *(
        P(
            "crash_frame",
            f"=={{:int}}== {word} {{:pointer}}: {{function:callee}}({{:text}} ({{place:name}})",
            (
                f"==902== {word} 0x15B7C2: executorch::runtime::Program::load_method(char const*) const (program.cpp:283)",
            ),
            "Valgrind",
        )
        for word in ("at", "by")
    ),
    P(
        "crash_frame",
        "frame #{depth:int}: {:pointer} {:name}`{function:callee}({:text}) at {place:rest}",
        (
            "frame #1: 0x0000000100a4 executor_runner`executorch::runtime::Method::init(this=0x016f, s=0x0) at method.cpp:861:15 [opt]",
        ),
        "LLDB",
    ),
)
