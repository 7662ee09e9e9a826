"""What simulators and ExecuTorch's host scripts print around a run: banners, limits, launch failures."""

from __future__ import annotations

from .table import Pattern as P

SIMULATOR: tuple[P, ...] = (
    P(
        "fvp_terminal",
        "Listening for serial connection on port {port:int}",
        ("telnetterminal0: Listening for serial connection on port 5000",),
        anywhere=True,
    ),
    P("fvp_npu", "Ethos-U rev {revision:name} --- {date:rest}", ("Ethos-U rev 136b7d75 --- Apr 12 2023 13:44:01",)),
    P("fvp_version", "Fast Models [{version:text}]{:rest}", ("Fast Models [11.27.42 (Sep 18 2024)]",)),
    P(
        "time_limit",
        "Info: Simulation is stopping. Reason: {reason:text} has been exceeded{?.?}",
        ("Info: Simulation is stopping. Reason: CPU time has been exceeded.",),
    ),
    P(
        "fvp_stopped",
        "Info: /OSCI/SystemC: Simulation stopped by user.",
        ("Info: /OSCI/SystemC: Simulation stopped by user.",),
    ),
    P(
        "fvp_stopped",
        "[warning ][main@0][{:text}] Simulation stopped by user",
        ("[warning ][main@0][250440 ns] Simulation stopped by user",),
    ),
    P("fvp_critical", "[critical]{text:rest}", ("[critical] cannot load image",)),
    P("exit_this_sim", "EXITTHESIM", ("EXITTHESIM",)),
    P("exit_code", "Application exit code: {code:int}{?.?}", ("Application exit code: 0.",)),
    P(
        "fvp_command",
        "Running {elf:text} for {target:name} run with FVP:{fvp:word} num_macs:{macs:int}{? timeout:{:word}?}",
        (
            "Running a/arm_executor_runner for ethos-u55-128 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:128 timeout:600",
        ),
        "0.6..",
    ),
    P(
        "runner_build",
        "Build Arm Baremetal executor_runner for {target:name} with {pte:text} using {system_config:name} {memory_mode:name}{:rest}",
        (
            "Build Arm Baremetal executor_runner for ethos-u85-128 with m.pte using Ethos_U85_SYS_DRAM_Mid Sram_Only  to 'cmake-out'",
        ),
    ),
    P(
        "script_done",
        "Simulation complete, {code:int}",
        ("[backends/arm/scripts/run_fvp.sh] Simulation complete, 0", "[run_fvp] Simulation complete, 0"),
        anywhere=True,
    ),
    P(
        "launch_failed",
        "cannot execute binary file",
        ("./FVP_X: cannot execute binary file",),
        anywhere=True,
    ),
    P("launch_failed", "command not found", ("bash: docker: command not found",), anywhere=True),
    P("script_no_problems", "No problems found!", ("No problems found!",), "0.6.."),
    P("script_problems", "Found ERROR", ("Found ERROR",), "0.6.."),
)
