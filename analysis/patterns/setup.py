"""Lines of installations: pip, ExecuTorch's setup scripts, downloads, and the last words of Python programs.

As in `build.py`, an error line is one event, and `causes_build.py` and `causes_aot.py` say what it means.
"""

from __future__ import annotations

from .table import Pattern as P

_EXCEPTIONS = (
    "AssertionError", "AttributeError", "FileNotFoundError", "ImportError", "IndexError", "KeyError", "MemoryError",
    "ModuleNotFoundError", "NameError", "NotImplementedError", "OSError", "PermissionError", "RecursionError", "RuntimeError",
    "SystemExit", "TypeError", "ValueError",
)  # fmt: skip

SETUP: tuple[P, ...] = (
    P("setup_step", "Collecting {:rest}", ("Collecting tosa-tools==2026.5.0",)),
    P("setup_step", "Requirement already satisfied: {:rest}", ("Requirement already satisfied: numpy in /a (2.1.0)",)),
    P("setup_step", "Building wheel for {:rest}", ("Building wheel for tosa-tools (pyproject.toml): started",)),
    P("setup_step", "Building wheels for collected packages: {:rest}", ("Building wheels for collected packages: tosa-tools",)),
    P("setup_step", "Installing collected packages: {:rest}", ("Installing collected packages: tosa-tools",)),
    P("setup_step", "[Arm Setup/{context:name}] {:rest}", ("[Arm Setup/fvp] Setting up Arm Fixed Virtual Platforms",)),
    P("setup_done", "Successfully installed {:rest}", ("Successfully installed tosa-tools-2026.5.0",)),
    *(P("own_finding", f"{word}: {{:text}} (line {{:shape}}) [{{:name}}]", (f"{word}: A pool is too small (line 3, 9) [method-pool-too-small]",), "ethosu-tui")
      for word in ("ERROR", "warning", "note")),
    *(P("own_words", f"{question}? {{:rest}}", (f"{question}?   no",), "ethosu-tui") for question in (
        "Did it pass", "Did it compile", "How fast", "Does it fit", "What limits it", "What to do")),
    P("not_evaluated", "ERROR:root:Model evaluation is no longer supported in this script.{:rest}",
      ("ERROR:root:Model evaluation is no longer supported in this script. Use evaluate_model.py instead. Ignore and continue.",), "1.2.."),
    P("host_error", "ERROR: {:rest}", ("ERROR: Failed building wheel for tosa-tools",)),
    P("host_error", "WARNING: Retrying ({:text} after connection broken by {:rest}",
      ("WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ProxyError('x')': /simple/a/",)),
    *(P("aot_error", f"Failed to load {kind} model. {{:rest}}", (f"Failed to load {kind} model. Buffer contents inconsistent with generated schema.",)) for kind in ("TfLite", "TOSA")),
    P("host_error", "Patch failed at {:int} {:rest}", ("Patch failed at 0001 Add got section",)),
    P("host_error", "[patch_repo] Failed to patch {:rest}", ("[patch_repo] Failed to patch core_platform in /w/ethos-u/core_platform.",)),
    P("setup_done", "Submodule path '{:text}': checked out '{:word}'", ("Submodule path 'third-party/flatcc': checked out '896db54787e8b730a6be'",)),
    P("setup_done", "100% tests passed, 0 tests failed out of {:int}", ("100% tests passed, 0 tests failed out of 12",)),
    P("setup_done", "All required submodules are present.",
      ("2026-02-17 14:38:49,120 [ExecuTorch] INFO: All required submodules are present.",), anywhere=True),
    P("setup_done", " saved [{:int}/{:int}]", ("2026-03-01 10:00:06 (1.00 MB/s) - \u2018a.tgz\u2019 saved [123/123]",), anywhere=True),
    P("host_error", "Could not fetch URL {:rest}", ("Could not fetch URL https://pypi.org/simple/pip/: connection error: x - skipping",)),
    P("host_error", "#{:int} ERROR: {:rest}", ('#9 ERROR: process "/bin/sh -c cmake ." did not complete successfully: exit code: 1',)),
    P("host_error", "Error while generating {:text}. Exit code: {:int}", ("Error while generating /w/cmake-out/a.cmake. Exit code: 1",)),
    P("host_error", "error: {:rest}", ("error: subprocess-exited-with-error",)),
    P("host_error", "INFO - {:int}/{:int} {:text} FAILED {:rest}",
      ("INFO    - 12/340 mps3/corstone300/fvp        sample.hello  FAILED Timeout (fvp 60.012s)",)),
    P("host_error", "ERROR - {:text} FAILED{? ?}: {:rest}",
      ("ERROR   - mps3/corstone300/fvp        sample.hello FAILED: Timeout (rc=0)", "ERROR   - native_sim tests/a/b FAILED : Timeout")),
    *(P("tests_shown", f"= {section} =", (f"=================== {section} ====================",), anywhere=True) for section in ("PASSES", "FAILURES")),
    P("host_error", "[check] {:rest} -> FAIL", ("[check] method_allocator_loaded: 1200 bytes <= 1024 B -> FAIL",)),
    P("host_error", "test_{:text} ____", ("_____________ TestA.test_add_u55_INT[a] ______________", "____________ ERROR at setup of test_a ____________"), anywhere=True),
    *(P("host_error", f"Did not find build arm_executor_runner {place}", (f"E   FileNotFoundError: Did not find build arm_executor_runner {place}/w/a",), anywhere=True)
      for place in ("in path ", "or executor_runner. Tried: ")),
    P("build_step", "backends/arm/test/{:word}.py::{:word}{:end}", ("backends/arm/test/ops/test_add.py::test_add_u55_INT[a]",)),
    P("build_step", "backends/arm/test/{:word}.py: {:int} warning{:rest}", ("backends/arm/test/ops/test_add.py: 128 warnings",)),
    P("build_step", "[gw{:int}] [ {:int}%] PASSED backends/arm/test/{:rest}", ("[gw3] [ 91%] PASSED backends/arm/test/misc/test_a.py::test_b ",)),
    *(P("tests_ended", f"passed{how} in {{:float}}s", (f"===== 3 passed{said} in 12.54s =====",), anywhere=True) for how, said in (("", ""), (", {:text}", ", 1 xfailed"))),
    P("host_error", "ImportError while importing test module '{:rest}", ("ImportError while importing test module '/w/test_b.py'.",)),
    P("host_error", "FAILED {:word}.py::{:rest}", ("FAILED backends/arm/test/ops/test_add.py::test_add_u55_INT[a] - RuntimeError: x",)),
    P("host_error", "[gw{:int}] [ {:int}%] FAILED {:word}.py::{:rest}", ("[gw3] [ 91%] FAILED backends/arm/test/misc/test_a.py::test_b ",)),
    P("host_error", "Failed to build {:rest}", ("Failed to build tosa-tools",)),
    P("host_error", "Killed", ("Killed",)),
    P("host_error", "[{:int}]{?+?}{?-?} Killed {:rest}", ("[1]+  Killed                  vela a.tflite",)),
    P("killer", "timeout -{:text} vela {:rest}", ("$ timeout -k 10 600 vela a.tflite",), anywhere=True),
    *(P("killer", f"kill -{signal} {{:rest}}", (f"$ kill -{signal} 4711",), anywhere=True) for signal in ("9", "KILL", "SIGKILL")),
    P("host_error", ": line {:int}: {:int} Killed{:rest}", ("setup.sh: line 12:  3456 Killed          pip install tosa-tools",), anywhere=True),
    P("host_error", " has requirement {:text}, but you {:rest}",
      ("tosa-tools 2026.5.0 has requirement numpy<2.2, but you have numpy 2.3.1.",), anywhere=True),
    P("host_error", ", which is not installed.", ("torchao 0.17.0 requires numpy, which is not installed.",), anywhere=True),
    P("host_error", "[setup_fvp] Warning: FVP only supported with Linux OS, skipping {:rest}", ("[setup_fvp] Warning: FVP only supported with Linux OS, skipping FVP setup...",)),
    P("setup_done", "[main] success!", ("[main] success!",)),
    P("setup_step", "[main] Using root dir {:rest}", ("[main] Using root dir /w/ethos-u-scratch and options:",)),
    *(P("setup_step", f"[setup_{part}] {does} {{:rest}}", (f"[setup_{part}] {does} it ...",)) for part in ("toolchain", "fvp") for does in ("Downloading", "Installing")),
    P("host_error", "setup_path.sh: line {:int}: hash: {:word}: not found{:end}", ("/w/arm-scratch/setup_path.sh: line 8: hash: FVP_Corstone_SSE-320: not found",), anywhere=True),
    P("host_error", "Must pass {:text}i-agree-to-the-contained-eula{:rest}",
      ("Must pass first positional argument '--i-agree-to-the-contained-eula' to agree to EULA associated with downloading the FVP. Exiting!",)),
    P("host_error", "You must export ARM_FVP_EULA_ACCEPT=1 {:rest}", ("You must export ARM_FVP_EULA_ACCEPT=1 to accept the Arm FVP EULA.",)),
    *(P("host_error", text, (text,)) for text in (
        "[main] Error: only x86-64 & aarch64 architecture is supported for now!", "[main] Error: only x86-64 & aarch64/arm64 architecture is supported for now!",
        "[gcc_select_toolchain]: Unsupported arch!", "[zephyr_select_toolchain]: Unsupported arch!",
        "gzip: stdin: unexpected end of file", "gzip: stdin: not in gzip format", "xz: (stdin): Unexpected end of input",
        "tar: This does not look like a tar archive",
    )),
    P("host_error", "The virtual environment was not created successfully because ensurepip is not{:rest}",
      ("The virtual environment was not created successfully because ensurepip is not",)),
    P("host_error", "Mismatched MD5 checksum for file: {:rest}",
      ("Mismatched MD5 checksum for file: FVP_corstone300.tgz. Expecting 12 but got 34.",)),
    P("fetch_begun", "--{:int}-{:int}-{:int} {:int}:{:int}:{:int}--  {:word}", ("--2026-03-01 10:00:00--  https://example.org/a.tgz",)),
    P("setup_done", " saved [{:int}]", ("2026-03-01 10:00:06 (1.00 MB/s) - \u2018a.html\u2019 saved [123]",), anywhere=True),
    P("setup_step", "Warning: Problem{:text} Will retry in {:int} second{:rest}",
      ("Warning: Problem : timeout. Will retry in 1 seconds. 3 retries left.", "Warning: Problem: timeout. Will retry in 1 second. 3 retries left.")),
    P("host_error", "{:meter}curl: ({:int}) {:rest}", ("curl: (22) The requested URL returned error: 404", "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0curl: (6) Could not resolve host: a.org"), anywhere=True),
    P("host_error", "{:script} Bad substitution{:end}", ("/w/a.sh: 18: Bad substitution",), anywhere=True),
    *(P("host_error", f'{{:script}} {said} error: "(" unexpected{{? (expecting {{:word}})?}}{{:end}}', (f'a.sh: 9: {said} error: "(" unexpected',), anywhere=True)
      for said in ("Syntax", "syntax")),
    P("host_error", "{:python} can't open file '{:text}': [Errno 2] {:rest}", ("python3: can't open file '/w/a.py': [Errno 2] No such file or directory",), anywhere=True),
    P("host_error", "{:shell}0: cannot open {:word}: No such file{:end}", ("sh: 0: cannot open setup.sh: No such file",), anywhere=True),
    P("host_error", "{:shell}0: Can't open {:word}{:end}", ("sh: 0: Can't open setup.sh",), anywhere=True),
    P("host_error", "{:python} No module named {:name}{:end}", ("/w/env/bin/python: No module named pip", "python3: No module named executorch"), anywhere=True),
    P("aot_error", "{:logged}Error while saving to {:word}: {:rest}",
      ("[ERROR 2026-01-01 10:00:00,579 utils.py:152] Error while saving to a.pte: [Errno 2] No such file or directory: 'a.pte'",), anywhere=True),
    *(P("host_error", f"{{:shell}}{call}: {{?retry: ?}}Resource temporarily unavailable{{:end}}", (f"bash: {call}: retry: Resource temporarily unavailable",), anywhere=True)
      for call in ("fork", "vfork")),
    P("host_error", "{:shell}cannot execute: required file not found{:end}", ("bash: line 1: ./vela: cannot execute: required file not found",), anywhere=True),
    P("host_error", ": line {:int}: {:int} Terminated {:text}python{:scrap} -m executorch.{:rest}", ("run.sh: line 5: 12345 Terminated     python3 -m executorch.a",), anywhere=True),
    P("host_error", "Python was not found; run without arguments to install from {:rest}",
      ("Python was not found; run without arguments to install from the Microsoft Store, or disable this shortcut from Settings",)),
    *(P("host_error", f"{kind}: {{:rest}}", (f"{kind}: it failed",)) for kind in (
        "PackagesNotFoundError", "UnavailableInvalidChannel", "LibMambaUnsatisfiableError", "UnsatisfiableError", "CondaToSNonInteractiveError")),
    P("host_error", "CondaError: {:rest}", ("CondaError: Run 'conda init' before 'conda activate'",)),
    P("host_error", "EnvironmentNameNotFound: {:rest}", ("EnvironmentNameNotFound: Could not find conda environment: executorch",)),
    P("host_error", "\u00d7 No solution found when resolving {:rest}", ("\u00d7 No solution found when resolving dependencies:",)),
    P("python_error", "concurrent.futures.process.BrokenProcessPool: {:rest}", ("concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly",)),
    P("host_error", "Usage: setup.sh <--i-agree-to-the-contained-eula> [path-to-a-scratch-dir]", ("Usage: setup.sh <--i-agree-to-the-contained-eula> [path-to-a-scratch-dir]",)),
    P("host_error", "run.sh: line {:int}: cd: {:text}/ethos-u-scratch/ethos-u: No such file or directory",
      ("examples/arm/run.sh: line 27: cd: /w/examples/arm/ethos-u-scratch/ethos-u: No such file or directory",), anywhere=True),
    P("host_error", "Supplied args: --{:rest}", ("Supplied args: --enable-fvp",)),
    P("host_error", "Fatal error: can't create {:rest}", ("Fatal error: can't create /w/a.o: Permission denied",)),
    P("host_error", "{:linker} {:word}: syntax error{:end}", ("/usr/bin/ld:o.ld:1: syntax error",), anywhere=True),
    P("host_error", "ssh: Could not resolve hostname {:rest}", ("ssh: Could not resolve hostname github.com: Name or service not known",)),
    P("host_error", "fatal: {:rest}", ("fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",)),
    P("host_error", 'The selected device "{:text}" is unknown to this software version{:rest}',
      ('The selected device "R7KA8P1" is unknown to this software version.',)),
    P("host_error", "****** Error: {:text} is unknown to this software version{:rest}",
      ("****** Error: M55_HE is unknown to this software version",)),
    P("host_error", "E: Unable to locate package {:rest}", ("E: Unable to locate package ninja-build",)),
    P("host_error", "E: Sub-process {:word} returned an error code {:rest}", ("E: Sub-process /usr/bin/dpkg returned an error code (1)",)),
    P("host_error", "E: dpkg was interrupted, {:rest}", ("E: dpkg was interrupted, you must manually run 'sudo dpkg --configure -a' to correct the problem.",)),
    P("host_error", "E: The repository '{:text}' {:rest}", ("E: The repository 'http://archive.example.org noble Release' does not have a Release file.",)),
    *(P("host_error", f"E: {words} {{:rest}}", (f"E: {words} /a 1",)) for words in ("Failed to fetch", "Could not get lock", "Could not open lock", "Unable to acquire")),
    P("host_error", "wget: unable to resolve host address {:rest}", ("wget: unable to resolve host address \u2018developer.arm.com\u2019",)),
    *(P("host_error", f" ERROR {code}.", (f"2026-03-01 10:00:01 ERROR {code}.",), anywhere=True) for code in (
        "404: Not Found", "403: Forbidden", "407: Proxy Authentication Required", "502: Bad Gateway", "503: Service Unavailable",
        "504: Gateway Time-out", "504: Gateway Timeout", "500: Internal Server Error")),
    *(P("host_error", f"{tool}: WARNING: {{:int}} computed {{:rest}}", (f"{tool}: WARNING: 1 computed checksum did NOT match",))
      for tool in ("sha256sum", "sha512sum", "sha1sum", "md5sum")),
    P("host_error", " download: Bad checksum. {:rest}",
      ("a.inc:7: *** Something went wrong with the GCC download: Bad checksum. Expected: 1, Got: 2.  Stop.",), anywhere=True),
    P("host_error", "Permission denied ({:text}publickey{:rest}", ("git@github.com: Permission denied (publickey).",), anywhere=True),
    P("host_error", "Host key verification failed.", ("Host key verification failed.",)),
    P("host_error", "[ExecuTorch] ERROR: {:rest}", ("2026-02-17 14:38:59,120 [ExecuTorch] ERROR: Submodule update failed.",), anywhere=True),
    P("host_error", "The following required submodules could not be found: {:rest}",
      ("The following required submodules could not be found: {'pthreadpool', 'flatbuffers'}.",)),
    P("host_error", "terminate called after throwing an instance of '{:rest}", ("terminate called after throwing an instance of 'std::out_of_range'",)),
    P("host_error", "The command '{:text}' returned a non-zero code: {:int}",
      ("The command '/bin/sh -c pip3 install -r requirements.txt' returned a non-zero code: 1",)),
    P("host_error", "CondaHTTPError: {:rest}", ("CondaHTTPError: HTTP 000 CONNECTION FAILED for url <https://a.org/b.json>",)),
    P("host_error", "Download error ({:int}) {:rest}", ("Download error (6) Couldn't resolve host name [https://a.org/b.json]",)),
    P("host_error", "\u00d7 Failed to download {:rest}", ("\u00d7 Failed to download `torch==2.9.0`",)),
    P("host_error", "batch response: {:rest}", ("batch response: This repository is over its data quota.",)),
    P("host_error", "Error downloading object: {:rest}", ("Error downloading object: a.pt (12): Smudge error: Error downloading a.pt",)),
    P("host_error", "exec /{:word}: exec format error", ("exec /usr/bin/sh: exec format error",)),
    P("host_error", "#{:int} {:float} exec /{:word}: exec format error", ("#9 0.123 exec /bin/sh: exec format error",)),
    P("host_error", 'exec user process caused: exec format error', ('standard_init_linux.go:228: exec user process caused: exec format error',), anywhere=True),
    P("host_error", 'exec user process caused "exec format error"', ('standard_init_linux.go:211: exec user process caused "exec format error"',), anywhere=True),
    P("host_error", ": Error while finding module specification for '{:rest}",
      ("/usr/bin/python3: Error while finding module specification for 'examples.a' (ModuleNotFoundError: No module named 'examples')",), anywhere=True),
    P("python_error", "SyntaxError: {:rest}", ("SyntaxError: invalid syntax",)),
    P("host_error", 'Could not find a configuration file for package "Zephyr-sdk" that is{:rest}',
      ('Could not find a configuration file for package "Zephyr-sdk" that is',)),
    P("host_error", "Error: {:rest}", ("Error: Incorrect argument to CLI option --system-config=X: Section System_Config.X not found",
      "Error: (E549) uncaught exception: /a/libarmctmodel.so: cannot enable executable stack as shared object requires")),
    *(P("host_error", f"error {tool}: {{:rest}}", (f"error {tool}: required pack: ARM::ethos-u-core-driver@1.24.8 not installed",))
      for tool in ("csolution", "cbuild", "cbuild2cmake", "cpackget")),
    P("host_error", " - error csolution: {:rest}", ("a.csolution.yml:9:7 - error csolution: schema check failed, verify syntax",), anywhere=True),
    P("aot_error", "Weights only load failed. {:rest}", ("Weights only load failed. This file can still be loaded, to do so you have two options",)),
    P("aot_error", "Non-passthrough operation {:rest}", ("Non-passthrough operation could not run on NPU",)),
    P("aot_error", "Compilation failed: {:rest}", ("Compilation failed: Unable to schedule operation",)),
    P("aot_error", "TOSA serializer version {:rest}", ("TOSA serializer version (1.1) doesn't match specification TOSA-1.0+INT",)),
    P("aot_error", "TOSA FB Reader error{:rest}", ("TOSA FB Reader error : Tosa version mismatch",)),
    P("aot_error", " was not decomposed or delegated.",
      ("Node aten_linear_default with op aten.linear.default was not decomposed or delegated.",), anywhere=True),
    P("cpu_operator", "Warning: Unsupported TensorFlow Lite semantics for {operator:text}. Placing on CPU instead",
      ("Warning: Unsupported TensorFlow Lite semantics for QUANTIZE 'tfl.quantize'. Placing on CPU instead",)),
    *(
        P("cpu_operator", f"{level}: {{operator:text}} is not supported on the NPU. Placing on CPU instead",
          (f"{level}: TRANSPOSE 'a;b' is not supported on the NPU. Placing on CPU instead",))
        for level in ("Warning", "Info")
    ),
    *(  # Vela 1 and 2.0 told the reason in the same line
        P("cpu_operator", f"Warning: {{operator:text}}{mark} placing on CPU", (f"Warning: SplitV has more than one size to be inferred, which is illegal{mark} placing on CPU",))
        for mark in (",", ";")
    ),
    P("cpu_operator", "Info: {operator:text} is a CPU only op", ("Info: BATCH_MATMUL 'a' is a CPU only op",)),
    P("cpu_operator", "Warning (supported operators) operator:{operator:text}",
      ("Warning (supported operators) operator: LOG, ofm: 'a'", "Warning (supported operators) operator:LOG ofm:a")),
    *(
        P("vela_default", f"Warning: No {what} specified. Using a default of {{value:text}}. Compilation may be invalid or non-optimal.",
          (f"Warning: No {what} specified. Using a default of Shared_Sram. Compilation may be invalid or non-optimal.",))
        for what in ("configuration file", "system configuration", "memory mode")
    ),
    *(
        P("vela_default", f"Warning: Using {{value:text}} values for {what}", (f"Warning: Using internal-default values for {what}",))
        for what in ("system configuration", "memory mode")
    ),
    P("sram_exceeded", "Warning: SRAM target for arena memory area exceeded. Target = {:int} Bytes, Actual = {:int} Bytes",
      ("Warning: SRAM target for arena memory area exceeded. Target = 262144 Bytes, Actual = 300000 Bytes",)),
    P("rejected_table", "\u2502 Node name \u2502 Target \u2502 Torch func \u2502 Reason \u2502",
      ("\u2502 Node name                \u2502 Target          \u2502 Torch func       \u2502 Reason            \u2502",)),
    P("rejected_node", "No support for shape={reason:rest}",
      ("No support for shape=[1, 1, 256, 400], dtype=torch.int8. Product of axes must be <65536",)),
    P("node_left", "{:first} was not partitioned because {:rest}",
      ("WhyNoPartition: Node aten_cat_default was not partitioned because only support concatenation of > 2 tensors, got 2 tensors.",), anywhere=True),
    P("compile_command", "aot_arm_compiler{?.py?} -{options:rest}",
      ("$ python3 -m executorch.backends.arm.scripts.aot_arm_compiler --target=ethos-u55-128", "python aot_arm_compiler.py  -m mv2 -q -d"),
      anywhere=True),
    P("not_evaluated", "] Model evaluation is no longer supported in this script.{:rest}",
      ("[ERROR 2026-10-12 10:02:04,240 aot_arm_compiler.py:684] Model evaluation is no longer supported in this script. Ignore and continue.",), "1.2..", anywhere=True),
    P("model_not_delegated", "Model was not delegated.", ("Model was not delegated.",)),
    P("aot_error", "Expected tensor {:word} in {:word} to have one of the following dtypes: {:rest}",
      ("Expected tensor aten_convolution_default in aten.clamp.default to have one of the following dtypes: ['INT8'], got: INT16",)),
    P("aot_error", "All method names in bundled config should be found in program.execution_plan, {:rest}",
      ("All method names in bundled config should be found in program.execution_plan, but {'a'} does not include.",)),
    P("aot_error", "expand_factor={:int} elem_size={:int} ScalarType::{:rest}", ("expand_factor=4 elem_size=1 ScalarType::Float \u2192 Error::InvalidProgram",)),
    *(P("host_error", text, (f"x {text.replace('{:word}', 'mv3').replace('{:int}', '1')}",), anywhere=True) for text in (
        "AOT compilation failed for {:word}", "Executor runner build failed for {:word}", "FVP execution failed for {:word}",
        "OVERALL RESULT: {:int}/{:int} TESTS FAILED")),
    *(P("host_error", text, (text.replace("{:rest}", "'x'"),)) for text in (
        "\u274c Error: --target argument is required", "\u274c Error: Invalid target {:rest}", "\u274c Error: Unknown argument {:rest}",
        "\u274c Failed to build ExecuteTorch libraries")),
    P("host_error", "Fail {:large} > {:large}", ("Fail 104176 > 103268",), "test of sizes"),
    P("host_error", " : \u274c Failed", ("mv3          : \u274c Failed",), anywhere=True),
    P("traceback", "Traceback (most recent call last):{:rest}", ("Traceback (most recent call last):", "Traceback (most recent call last):  File \"a.py\", line 1")),
    P("traceback", "{:raised} Traceback (most recent call last){:end}", ("RuntimeError                              Traceback (most recent call last)",), anywhere=True),
    P("traceback_frame", 'File "{:text}", line {:int}, in {:rest}', ('File "/w/executorch/exir/a.py", line 12, in export',)),
    *(P("python_error", f"{name}: {{:rest}}", (f"{name}: something",)) for name in _EXCEPTIONS),
    P("python_error", "MemoryError", ("MemoryError",)),
    *(P("python_error", f"{name}: {{:rest}}", (f"{name}: Could not guard on data-dependent expression",))
      for name in ("GuardOnDataDependentSymNode", "PendingUnbackedSymbolNotFound")),
    P("python_error", "torch.{:name}: {:rest}", ("torch._dynamo.exc.UserError: Dynamic control flow is not supported",)),
    P("python_error", "distutils.errors.{:name}: {:rest}", ("distutils.errors.DistutilsExecError: command 'cmake' failed with exit code 1",)),
    P("python_error", "ethosu.{:name}: {:rest}", ("ethosu.vela.errors.VelaError: 'Error: x'",)),
    P("python_error", "executorch.{:name}: {:rest}", ("executorch.exir.pass_base.ExportPassBaseError: call_module",)),
    P("python_error", "huggingface_hub.{:name}: {:rest}", ("huggingface_hub.errors.GatedRepoError: 401 Client Error.",)),
    P("python_error", "tensorflow.{:name}: {:rest}", ("tensorflow.lite.python.convert_phase.ConverterError: Could not translate MLIR to FlatBuffer.",)),
    P("python_error", "subprocess.TimeoutExpired: {:rest}", ("subprocess.TimeoutExpired: Command 'a' timed out after 5 seconds",)),
    P("aot_error", "numpy.core.multiarray failed to import", ("numpy.core.multiarray failed to import",)),
    P("aot_error", "A module that was compiled using NumPy 1.x {:rest}", ("A module that was compiled using NumPy 1.x cannot be run in",)),
    P("aot_error", ": Assertion `", ("/w/ethosu/regor/a.cpp:1: void regor::f(): Assertion `x' failed.",), anywhere=True),
    P("python_error", "subprocess.CalledProcessError: {:rest}", ("subprocess.CalledProcessError: Command 'cmake' returned 1",)),
)  # fmt: skip

_QEMU_REFUSES = (
    ("unsupported machine type{:rest}", 'unsupported machine type: "mps4-an555"'),
    ("No machine specified, and there is no default", "No machine specified, and there is no default"),
    ("unable to find CPU model '{:rest}", "unable to find CPU model 'cortex-m56'"),
    ("This board can only be used with CPU {:word}", "This board can only be used with CPU cortex-m55-arm-cpu"),
    ("Invalid CPU model: {:word}", "Invalid CPU model: cortex-m4"),
    ("Invalid RAM size, should be {:rest}", "Invalid RAM size, should be 2 GiB"),
    (
        "-{:text}: cannot use stdio by multiple character devices",
        "-serial stdio: cannot use stdio by multiple character devices",
    ),
    *((f"{could} not load kernel '{{:rest}}", f"{could} not load kernel 'a.elf'") for could in ("Could", "could")),
    (
        "-{:text}: Cannot load specified image {:rest}",
        "-device loader,file=m.pte,addr=0x70000000: Cannot load specified image m.pte",
    ),
    (
        "cannot set up guest memory '{:text}': Cannot allocate memory",
        "cannot set up guest memory 'mps.ram': Cannot allocate memory",
    ),
    (
        "allocate {:int} bytes for jit buffer: Cannot allocate memory",
        "allocate 1073741824 bytes for jit buffer: Cannot allocate memory",
    ),
    ("Display '{:word}' is not available.", "Display 'gtk' is not available."),
    ("-{:word}: invalid option", "-nographics: invalid option"),
    ("-{:word}: requires an argument", "-kernel: requires an argument"),
    ("-{:text}: Invalid parameter '{:rest}", "-semihosting-config target=native,args=x: Invalid parameter 'args'"),
    (
        "-device {:text}: '{:text}' is not a valid device model name",
        "-device ethosu: 'ethosu' is not a valid device model name",
    ),
)

LAUNCH: tuple[P, ...] = (
    P("launch_failed", "The code execution cannot proceed because {file:word} was not found.{:rest}",
      ("The code execution cannot proceed because python39.dll was not found. Reinstalling the program may fix this problem.",)),
    *(P("launch_maybe", f"{text.replace(':1', ':{:int}')} {{:word}}", (f"{text} ./a.sh",))
      for text in ("zsh: no such file or directory:", "zsh: permission denied:", "zsh:1: no such file or directory:", "zsh:1: permission denied:")),
    P("launch_failed", "cannot enable executable stack as shared object requires: {:rest}",
      ("cannot enable executable stack as shared object requires: Invalid argument",)),
    P("launch_failed", "Cannot connect to the Docker daemon{:rest}", ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",)),
    *(P("launch_failed", f"permission denied while trying to connect to the {what}{{:rest}}", (f"permission denied while trying to connect to the {what} at unix:///a.sock",))
      for what in ("Docker daemon socket", "docker API")),
    P("launch_failed", "docker: {:rest}", ("docker: permission denied while trying to connect to the Docker daemon socket",)),
    P("launch_failed", "Could not find {tool:word} on PATH{:rest}", ("Could not find FVP_Corstone_SSE-320 on PATH, run setup.sh",)),
    *(P("launch_failed", f"Running {{elf:text}} for {start}{{target:word}} is not supported", (f"Running a/arm_executor_runner for {start}x is not supported",))
      for start in ("ethos-", "cortex-", "TOSA-", "vg")),
    *(
        P("launch_failed", f"{shell}qemu-system-{core}: {text}", (f"{shell}qemu-system-{core}: {sample}",), "qemu")
        for shell in ("", "(qemu) ")  # its monitor's prompt, where that came first
        for core in ("arm", "aarch64")  # machines of other cores run other programs
        for text, sample in _QEMU_REFUSES
    ),
    P("board_unreached", "Unable to find bootable image", ("E: Unable to find bootable image",), anywhere=True),
    P("launch_failed", "Unable to find executor_runner elf",
      ("[backends/arm/scripts/run_fvp.sh]: Unable to find executor_runner elf: a.elf",), anywhere=True),
    *(
        P("board_unreached", text, (text.replace("{:rest}", " x"),))
        for text in (
            "Connecting to J-Link via USB...FAILED{:rest}", "Cannot connect to target.",
            "No connected debug probes", "[ERROR] Target did not respond", "Target did not respond",
            "****** Error: Failed to power up DAP", "J-Link connection not established", "Cannot connect to target",
            "****** Error: Could not connect to target{:rest}", "****** Error: Failed to prepare for programming{:rest}",
            "****** Error: Verification failed{:rest}", "****** Error: Could not find core in Coresight setup{:rest}",
            "****** Error: Failed to download RAMCode{:rest}", "****** Error: Programming failed @ address {:rest}",
            "Programming failed @ address {:rest}",
            "[SES] No ATOC{:rest}",
        )
    ),
    *(
        P("board_reached", text, (text,))
        for text in (
            "** Programming Finished **", "** Verified OK **", "Hash of data verified.", "Hard resetting via RTS pin...", "File download complete",
            "Download verified successfully", "The device was rebooted into application mode.",
        )
    ),
    P("board_reached", "{:int} I Erased {:int} bytes {:rest}", ("0001234 I Erased 65536 bytes (16 sectors), programmed 65536 bytes (64 pages)",), "pyOCD"),
    P("board_reached", "Finished in {:float}s", ("Finished in 1.59s",), "probe-rs"),
    P("board_reached", "Cortex-{:name} identified.", ("Cortex-M55 identified.",)),
    P("board_reached", "remoteproc remoteproc{:int}: remote processor {:word} is now up",
      ("remoteproc remoteproc0: remote processor imx-rproc is now up",)),
    *(
        P("board_unreached", text, (text,))
        for text in ("** OpenOCD init failed **", "** Unable to reset target **", "** Programming Failed **")
    ),
    P("board_unreached", "{:int} {:first} Target type '{:name}' not recognized{:rest}",
      ("0001190 C Target type 'xy12' not recognized. Use 'pyocd list --targets' to see currently available target types. [__main__]",), "pyOCD"),
    *(P("board_unreached", f"{{:int}} {{:first}} {step} failure (address {{:rest}}", (f"0002101 C {step} failure (address 0x80200000; result code 0x1) [__main__]",))
      for step in ("flash program page", "flash erase sector", "flash erase all", "Flash program page", "Flash erase sector")),
    P("board_unreached", "{:int} {:first} No connected debug probes{:rest}", ("0000412 C No connected debug probes [__main__]",)),
    P("board_unreached", "{:int} {:first} Memory transfer fault{:rest}",
      ("0004120 C Memory transfer fault (Transfer error while reading) @ 0x80000000-0x80000fff [__main__]",)),
    P("board_unreached", "{:int}:CRITICAL:{:name}:No connected debug probes", ("0000412:CRITICAL:__main__:No connected debug probes",)),
    P("board_unreached", "{:int} {:first} No available debug probes{:rest}", ("0000412 C No available debug probes are connected [__main__]",)),
    *(
        P("board_unreached", f"remoteproc remoteproc{{:int}}: {text}", (f"remoteproc remoteproc0: {sample}",))
        for text, sample in (
            ("Boot failed: {:int}", "Boot failed: -22"),
            ("bad phdr da {:rest}", "bad phdr da 0x20000000 mem 0x20000"),
            ("request_firmware failed: {:int}", "request_firmware failed: -2"),
            ("Failed to load program segments: {:int}", "Failed to load program segments: -22"),
            ("can't start rproc {:word}: {:int}", "can't start rproc imx-rproc: -110"),
        )
    ),
    *(
        P("board_unreached", f"{register} : rproc_{{:word}}+0x{{:word}}", (f"[    9.120001] {register} : rproc_start+0x6c/0x1c0",), anywhere=True)
        for register in ("lr", "pc")
    ),
    *(
        P("launch_maybe", literal, (sample,), anywhere=True)
        for literal, sample in (
            ("Address already in use", "qemu-system-arm: -gdb tcp::1234: Failed to find an available port: Address already in use"),
            ("Exec format error", "FVP_Corstone_SSE-320: Exec format error"),
            ("Error response from daemon", "FVP_X: docker: Error response from daemon: pull access denied"),
            ("exec format error", "zsh: exec format error: FVP_Corstone_SSE-320"),
            ("rosetta error: ", "rosetta error: failed to open elf at /lib64/ld-linux-x86-64.so.2"),
            ("bad CPU type in executable: ", "zsh: bad CPU type in executable: FVP_Corstone_SSE-320"),
            ("Bad CPU type in executable", "FVP_Corstone_SSE-320: Bad CPU type in executable"),
            ("error while loading shared libraries", "FVP_X: error while loading shared libraries: libpython3.9.so.1.0"),
            ("' not found (required by", "FVP_X: /lib/libc.so.6: version `GLIBC_2.32' not found (required by FVP_X)"),
            (": No such file or directory", "run_fvp.sh: line 9: FVP_X: No such file or directory"),
            (": not found", "sh: 1: FVP_X: not found"),
            ("' is not recognized as ", "'FVP_X' is not recognized as an internal or external command,"),
            (": Permission denied", "run_fvp.sh: line 9: /a/FVP_X: Permission denied"),
            ("icense", "Failed to check out a license for feature FVP"),
            ("icence", "No valid licence was found"),
        )
    ),
)  # fmt: skip
"""Why a simulator did not start; the last rows are judged by what they name (`launches.py`)."""
