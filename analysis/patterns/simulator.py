"""What simulators and ExecuTorch's host scripts print around a run: banners, limits, launch failures."""

from __future__ import annotations

from .table import Pattern as P

_CALLS = (
    "320 -a a.axf",
    "300_Ethos-U65 -a zephyr.elf --simlimit 30",
    "300_Ethos-U55 \\",
    "300_Ethos-U55 ../a.axf -f cfg.txt",
)
"""How the programs of the platforms are called, behind the first words of their names."""

_CRASHES = (
    "Segmentation fault",
    "Aborted",
    "Illegal instruction",
    "Bus error",
    "Floating point exception",
    "Trace/breakpoint trap",
)
"""How shells call the signals by which programs die."""

_LOST = {
    "connection_lost": (
        "client_loop: send disconnect: Broken pipe",
        "client_loop: send disconnect: Connection reset by peer",
        "Connection to {:word} closed by remote host.",
        "packet_write_wait: Connection to {:word} port {:int}: Broken pipe",
        "Read from remote host {:word}: Connection reset by peer",
        "Timeout, server {:word} not responding.",
    ),
    "port_lost": (
        "FATAL: read zero bytes from port",
        "serial.serialutil.SerialException: device reports readiness to read but returned no data {:rest}",
        "serial.serialutil.SerialException: read failed: [Errno {:int}] {:rest}",
        "serial.serialutil.SerialException: ClearCommError failed {:rest}",
        "Waiting for tty device..",
    ),
}
"""How ssh, and what reads a serial port, say that no more comes."""

SIMULATOR: tuple[P, ...] = (
    P(
        "fvp_terminal",
        "Listening for serial connection on port {port:int}",
        ("telnetterminal0: Listening for serial connection on port 5000",),
        anywhere=True,
    ),
    P("fvp_npu", "Ethos-U rev {revision:name} --- {date:rest}", ("Ethos-U rev 136b7d75 --- Apr 12 2023 13:44:01",)),
    P(
        "fvp_config",
        "Info: {fvp:name}: Creating Ethos-{npu:name} with config {config:name}",
        ("Info: FVP_MPS3_Corstone_SSE_300: Creating Ethos-U55 with config H128",),
    ),
    P("fvp_version", "Fast Models [{version:text}]{:rest}", ("Fast Models [11.27.42 (Sep 18 2024)]",)),
    P(
        "time_limit",
        "Info: Simulation is stopping. Reason: {reason:text} has been exceeded{?.?}",
        ("Info: Simulation is stopping. Reason: CPU time has been exceeded.",),
    ),
    P(
        "fvp_stopped",
        "Info: /OSCI/SystemC: Simulation {:rest}",
        ("Info: /OSCI/SystemC: Simulation stopped by user.", "Info: /OSCI/SystemC: Simulation stopped by us"),
    ),
    P(
        "fvp_stopped",
        "[warning ][main@0][{:text}] Simulation stopped by user",
        ("[warning ][main@0][250440 ns] Simulation stopped by user",),
    ),
    P(
        "fvp_warning",
        "[warning ][main@0][{:text}] TA{:int} is not enabled!",
        ("[warning ][main@0][4647 ns] TA0 is not enabled!",),
    ),
    P("fvp_critical", "[critical]{text:rest}", ("[critical] cannot load image",)),
    P("exit_this_sim", "EXITTHESIM", ("EXITTHESIM",)),
    P("exit_code", "Application exit code: {code:int}{?.?}", ("Application exit code: 0.",)),
    P(
        "fvp_command",
        "Running {elf:text} for {target:name} run with FVP:{fvp:word} num_macs:{?{macs:int}?}{? timeout:{limit:word}?}",
        (
            "Running o.elf for cortex-m55 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs: timeout:600",
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
        "runner_build",
        "Build Arm {:name} executor_runner for {target:name} PTE: {pte:text} using {system_config:name} {memory_mode:name}{:rest}",
        (
            "Build Arm arm-none-eabi executor_runner for ethos-u55-128 PTE: a/add.pte using Ethos_U55_High_End_Embedded "
            "Shared_Sram  to 'a/cmake-out'",
        ),
        "1.0..",
    ),
    P(
        "program_file",
        "pte_data_size: {size:int} {:text}.pte",
        ("pte_data_size:  3809584 /home/me/mv2_u85/mv2_arm_delegate_ethos-u85-128.pte",),
        "0.5..",
    ),
    *(
        P(
            "aot_command",
            f"{call} python{{command:rest}}",
            (f"{call} python3 -m examples.arm.export --target=ethos-u55-128",),
        )
        for call in ("CALL", "CALL:")
    ),
    P(
        "simulator_crashed",
        "qemu: uncaught target signal {signal:int} ({what:text}){:rest}",
        ("qemu: uncaught target signal 11 (Segmentation fault) - core dumped",),
    ),
    *(P("simulator_crashed", f"{what}{{? (core dumped)?}}", (what, f"{what} (core dumped)")) for what in _CRASHES),
    P(
        "simulator_crashed",
        "*** Aborted at {:int} (Unix time, {:rest}",
        ("*** Aborted at 1704067200 (Unix time, try 'date -d @1704067200') ***",),
    ),
    P(
        "simulator_crashed",
        "Killed process {pid:int} ({name:text})",
        ("[ 1234.567890] Out of memory: Killed process 612 (executor_runner) total-vm:812344kB, anon-rss:402112kB",),
        anywhere=True,
    ),
    *(
        P(
            "simulator_crashed",
            f": line {{:int}}: {{:int}} {what}{{:rest}}",
            (f"run_fvp.sh: line 121:    78 {what}      (core dumped) ${{nobuf}} ${{fvp_model}}",),
            anywhere=True,
        )
        for what in _CRASHES
    ),
    *(
        P("simulator_crashed", f"zsh: {what} {{:rest}}", (f"zsh: {what} (core dumped)  FVP_Corstone_SSE-320 -a a.elf",))
        for what in (
            *(crash.lower() for crash in _CRASHES[2:]),
            "segmentation fault",
            "abort",
            "killed",
            "illegal hardware instruction",
            "trace trap",
        )
    ),
    *(
        P(
            "aot_command",
            f"{script} --{{command:rest}}",
            (f"$ ./{script} --model_name=add --target=ethos-u55-128",),
            anywhere=True,
        )
        for script in ("run.sh", "run_fvp.sh", "build_executor_runner.sh")
    ),
    P(
        "fvp_macs",
        "{before:rest}ethosu.num_macs={macs:int}{:rest}",
        ("FVP_Corstone_SSE-320 -C mps4_board.subsystem.ethosu.num_macs=256 -a a.elf", "    -C ethosu.num_macs=128 \\"),
        anywhere=True,
    ),
    *(
        P(
            "fvp_called",
            f"{start}_Corstone_SSE-{{model:fvp}}{{:rest}}",
            tuple(f"{start}_Corstone_SSE-{call}" for call in _CALLS),
        )
        for start in (
            "FVP",
            "$ FVP",
            "./FVP",
            "*  Executing task: FVP",
            "Executing task: FVP",
            "VHT",
            "$ VHT",
            "./VHT",
            "*  Executing task: VHT",
            "Executing task: VHT",
        )
    ),
    P(
        "fvp_called",
        "[{:int}/{:int}] FVP_Corstone_SSE-{model:name}{? {:word}?}",
        ("[0/1] FVP_Corstone_SSE-300_Ethos-U65:", "[7/9] FVP_Corstone_SSE-315: 11.26"),
        "zephyr",
    ),
    P(
        "e2e_flow",
        "Running e2e flow for model '{model:text}' with flags '{command:rest}",
        ("Running e2e flow for model 'mv2' with flags '--delegate --quantize'",),
        "0.2..",
    ),
    P(
        "pte_place",
        "PTE in memory at {address:word}, make sure to put it there on your target before starting.",
        ("PTE in memory at 0x38000000, make sure to put it there on your target before starting.",),
        "1.0..",
    ),
    P(
        "fvp_note",
        "WARNING: Corstone FVP is not cycle accurate and should NOT be used to determine valid runtime",
        ("WARNING: Corstone FVP is not cycle accurate and should NOT be used to determine valid runtime",),
        "0.6..1.2",
    ),
    P(
        "fvp_note",
        "The Corstone FVPs are cycle accurate for the NPU part{:rest}",
        (
            "The Corstone FVPs are cycle accurate for the NPU part, but note that the CPU performance is not cycle accurate.",
        ),
        "1.3..",
    ),
    P(
        "fvp_note",
        "Timing adapter has no effect{:rest}",
        ("Timing adapter has no effect if option --fast/-F is enabled",),
        anywhere=True,
    ),
    P(
        "image_write_failed",
        "Warning: Failed to write bytes at address range [{range:text}] when loading image{:rest}",
        ('Warning: Failed to write bytes at address range [0x00080000..0x002B2B07] when loading image "a.axf".',),
    ),
    P("script_check", "Checking for a etdump in log", ("Checking for a etdump in log",), "1.0.."),
    P("script_check", "Found ETDump in log!", ("Found ETDump in log!",), "1.0.."),
    P("script_search", "Checking for problems in log:", ("Checking for problems in log:",), "0.6.."),
    P(
        "script_bundle",
        "Bundled I/O check {result:name} for {name:rest}",
        ("[backends/arm/scripts/run_fvp.sh] Bundled I/O check PASSED for add.bpte",),
        "1.3..",
        anywhere=True,
    ),
    P(
        "script_bundle_missing",
        "No Test_result line found in FVP output for {name:rest}",
        ("[backends/arm/scripts/run_fvp.sh] No Test_result line found in FVP output for add.bpte",),
        "1.3..",
        anywhere=True,
    ),
    P("said_failed", "[TEST]{name:text}Test_result: FAIL", ("[TEST] mv2 Test_result: FAIL",)),
    *(
        P("damaged_fail", f"{{before:rest}}{mark} {{name:scrap}} {{:failed}}{{more:rest}}", samples, anywhere=True)
        for mark, samples in (
            ("BundleIO", ("BundleIO ind?x[0] Test_result: FAIL", "TEST: BundleIO ind?x[0] Test_resul: FA?L")),
            ("index[", ("dleIO index[0] Test_result: FAIL",)),
        )
    ),
    P("torn_fail", "{before:rest}Test_result: FAIL{more:rest}", ("TEST: ndex[0] Test_result: FAIL",), anywhere=True),
    P(
        "glued_fail",
        "{before:rest}Test_result:{gap:scrap}FAIL{more:rest}",
        ("TEST: BundleIO index[0] Test_result:?FAIL",),
        anywhere=True,
    ),
    P(
        "script_failed",
        "run_fvp.sh] FVP launch or execution failed",
        ("[backends/arm/scripts/run_fvp.sh] FVP launch or execution failed",),
        "main",
        anywhere=True,
    ),
    P(
        "script_failed",
        "run_fvp.sh] No successful model execution found in log",
        ("[backends/arm/scripts/run_fvp.sh] No successful model execution found in log",),
        "main",
        anywhere=True,
    ),
    P(
        "script_done",
        "Simulation complete, {code:int}",
        (
            "[run_fvp Simulation complete, 0",
            "[backends/arm/scripts/run_fvp.sh] Simulation complete, 0",
            "[run_fvp] Simulation complete, 0",
        ),
        anywhere=True,
    ),
    P(
        "launch_failed",
        "cannot execute binary file",
        ("./FVP_X: cannot execute binary file",),
        anywhere=True,
    ),
    *(
        P("launch_failed", f"{text}{{:rest}}", (f"{text} unix:///run/docker.sock",))
        for text in (
            "ERROR: Cannot connect to the Docker daemon",
            "ERROR: permission denied while trying to connect to the Docker daemon socket at",
            "ERROR: permission denied while trying to connect to the docker API at",
            "ERROR: failed to connect to the docker API at",
            "failed to connect to the docker API at",
        )
    ),
    P("launch_failed", "command not found", ("bash: docker: command not found",), anywhere=True),
    P("launch_failed", "fish: Unknown command: {:word}", ("fish: Unknown command: FVP_Corstone_SSE-320",)),
    P(
        "quoted_problems",
        "Corstone simulation failed. Problems: {:int} found:",
        ("Corstone simulation failed. Problems: 2 found:",),
        "0.5..",
    ),
    *(
        P(
            event,
            text,
            (text.replace("{:word}", "lab.local").replace("{:int}", "22").replace("{:rest}", "Input/output error"),),
        )
        for event, texts in _LOST.items()
        for text in texts
    ),
    *(
        P(
            event,
            f"{mark}{text}",
            (f"{mark}{text.replace('{:text}', 'pool-7 ').replace('{:int}', '360').replace('{:rest}', '1h0m0s')}",),
        )
        for event, texts in (
            (
                "job_timeout",
                (
                    "The job {:text}has exceeded the maximum execution time of {:rest}",
                    "The job running on agent {:text} ran longer than the maximum time of {:int} minutes.{:rest}",
                    "The action '{:text}' has timed out after {:int} minutes.",
                ),
            ),
            (
                "job_cancelled",
                (
                    "The operation was canceled.",
                    "The runner has received a shutdown signal.{:rest}",
                    "The self-hosted runner: {:text} lost communication with the server.{:rest}",
                ),
            ),
            ("job_lost", ("Executing the custom container implementation failed.{:rest}",)),
        )
        for text in texts
        for mark in ("##[error]", "Error: ", "X ", "")
    ),
    P(
        "job_timeout",
        "ERROR: Job failed: execution took longer than {:rest}",
        ("ERROR: Job failed: execution took longer than 1h0m0s seconds",),
        "gitlab",
    ),
    P(
        "emulator_stopped",
        "qemu-system-{:name}: terminating on signal {signal:int}{? from pid {:int} ({by:text})?}",
        ("qemu-system-arm: terminating on signal 2", "qemu-system-arm: terminating on signal 15 from pid 9 (make)"),
        "qemu",
    ),
    P(
        "emulator_stopped",
        "timeout: sending signal {signal:name} to command {command:rest}",
        (
            "timeout: sending signal TERM to command \u2018./executor_runner\u2019",
            "timeout: sending signal KILL to command 'qemu-system-arm'",
        ),
        "timeout -v",
    ),
    *(
        P(
            "emulator_called",
            f"{start}qemu-system-{{:scrap}} {{:text}}{option} {{machine:name}}{{:rest}}",
            (f"{start}qemu-system-arm -nographic {option} mps3-an547 -kernel r.elf",),
            "qemu",
            anywhere=start in ("$ ", "# "),
        )
        for start in ("", "$ ", "+ ", "# ")  # behind a prompt, whoever it names
        for option in ("-M", "-machine")
    ),
    *(
        P(
            "job_timeout",
            f"{mark}Process completed with exit code 124.",
            (f"{mark}Process completed with exit code 124.",),
            "timeout",
        )
        for mark in ("##[error]", "Error: ")
    ),
    P("job_timeout", "Cancelling nested steps due to timeout", ("Cancelling nested steps due to timeout",), "jenkins"),
    P("job_cancelled", "ERROR: Job failed: canceled", ("ERROR: Job failed: canceled",), "gitlab"),
    P("job_cancelled", "Finished: ABORTED", ("Finished: ABORTED",), "jenkins"),
    P("script_no_problems", "No problems found!", ("No problems found!",), "0.6.."),
    P("script_problems", "Found ERROR", ("Found ERROR",), "0.6.."),
)
