"""How others than a shell say that a program crashed: kernels, C++'s runtime, IDEs, containers, CI services, Windows, Renode.

Only ends that a crash gives count, by the status: 128 and the signal's number, or one of Windows' exceptions.
"""

from __future__ import annotations

from .table import Pattern as P

_STATUSES = (132, 134, 135, 136, 137, 139)
_WINDOWS = (("-1073741819", "0xC0000005"), ("-1073740791", "0xC0000409"), ("-1073741795", "0xC000001D"))
_KERNEL = (
    ("Kernel panic - not syncing: {what:rest}", "Kernel panic - not syncing: Asynchronous SError Interrupt"),
    ("Unable to handle kernel {what:rest}", "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008"),
    ("Internal error: Oops: {what:rest}", "Internal error: Oops: 0000000096000004 [#1] PREEMPT SMP"),
    ("Internal error: synchronous external abort: {what:rest}", "Internal error: synchronous external abort: 0000000096000010 [#1] SMP"),
)  # fmt: skip

_TOLD_STATUS = (
    "exit={}",
    "EXIT={}",
    "rc={}",
    "RC={}",
    "exit code {}",
    "exit code: {}",
    "exit status {}",
    "exit status: {}",
    "Exit code: {}",
)
"""How people print a command's status behind it."""

CRASHES: tuple[P, ...] = (
    *(P("job_timeout", text.format("124{:end}"), (text.format(124),)) for text in _TOLD_STATUS),
    *(P("kernel_died", text, (sample,)) for text, sample in _KERNEL),
    P("job_cancelled", "WARNING: script canceled externally (UI, API)", ("WARNING: script canceled externally (UI, API)",), "gitlab"),
    P("exception_uncaught", "libc++abi: terminating {:rest}",
      ("libc++abi: terminating due to uncaught exception of type std::bad_alloc: std::bad_alloc",)),
    *(
        P("simulator_crashed", text.replace("139", str(status)), (sample.replace("139", str(status)),))
        for status in _STATUSES
        for text, sample in (
            ("Error: Process completed with exit {caught:name} 139.", "Error: Process completed with exit code 139."),
            ("##[error]Process completed with exit {caught:name} 139.", "##[error]Process completed with exit code 139."),
            ("Process finished with exit {caught:name} 139{:rest}", "Process finished with exit code 139 (interrupted by signal 11:SIGSEGV)"),
        )
    ),
    *(
        P("simulator_crashed", f"{{whose:first}} exited with {{caught:name}} {status}{{:end}}", (f"fvp-1 exited with code {status}",), anywhere=True)
        for status in _STATUSES
    ),
    *(
        P("simulator_crashed", f"Process finished with exit {{caught:name}} {status} ({name})", (f"Process finished with exit code {status} ({name})",))
        for status, name in _WINDOWS
    ),
    *(
        P("simulator_crashed", f"Unhandled exception at {{:text}} in {{:text}}: {name}: {{caught:rest}}",
          (f"Unhandled exception at 0x00007FF6 in executor_runner.exe: {name}: Access violation reading location 0x0000000000000008.",))
        for _, name in _WINDOWS
    ),
    *(
        P(
            event,
            f"{who}: error: *** {{:text}} CANCELLED AT {{:name}} {why}***",
            (f"{who}: error: *** JOB 907 ON n1 CANCELLED AT 2026-03-01T10:00:00 {why}***",),
            "slurm",
        )
        for who in ("slurmstepd", "srun")
        for event, why in (
            ("job_timeout", "DUE TO TIME LIMIT "),
            ("job_cancelled", ""),
            ("job_cancelled", "DUE TO PREEMPTION "),
        )
    ),
    P("simulator_crashed", "slurmstepd: error: Detected {:int} oom{?_?}{?-?}kill event{:text} in {:text}Killed{:rest}",
      ("slurmstepd: error: Detected 1 oom_kill event in StepId=907.batch. Some of the step tasks have been OOM Killed.",), "slurm"),
    P("fault_banner", "CPU abort [PC={:word}]: {:rest}", ("cpu: CPU abort [PC=0x1000054A]: Trying to execute code outside RAM or ROM at 0x00000000.",),
      "renode", anywhere=True),
)  # fmt: skip
