"""What ExecuTorch's scripts for Arm refuse before they build or run anything: tools, files, options, and verdicts without a run."""

from __future__ import annotations

from .causes import Failure

_SOURCE = (
    "source examples/arm/arm-scratch/setup_path.sh in this shell (up to 1.0: examples/arm/ethos-u-scratch); if that file is missing, run "
    "examples/arm/setup.sh --i-agree-to-the-contained-eula first."
)
_SCRIPT_OPTIONS = (
    r"model|target(?==|\Z)|pte|elf|bundle|etdump|etrecord|toolchain|no_|aot|portable|quantize|delegate|et_|scratch|qdq|semihosting|fvp|vela|"
    r"(?:build|extra|system|config|memory|select|specify|perf|visualize|trace|output|data)[_-](?!sync)|(?:timeout|data|output|config)(?==)"
)
"""How the options of these scripts begin, also where they are misspelt further on; others have words like `--output` too."""

SCRIPT_FAILURES: tuple[Failure, ...] = (
    Failure(
        "aot-arguments",
        r"^aot_arm_compiler(?:\.py)?: error: argument (?P<option>(?!-t/)[^\s:]{1,60}): invalid (?:choice|\w{1,20} value): '(?P<value>[^'\n]{1,80})'",
        "aot_arm_compiler's option {option} does not take {value}",
        "Give it a value that this release takes: the end of that line or --help lists them; a number has no unit.",
        (
            "aot_arm_compiler.py: error: argument -e/--evaluate: invalid choice: 'squeezenet' (choose from 'generic', 'mv2')",
            "aot_arm_compiler.py: error: argument --calibration_samples: invalid int value: '8k'",
        ),
    ),
    Failure(
        "source-lists",
        r"^Error while generating (?P<file>[^\n]{1,200}?\.cmake)\. Exit code: \d{1,5}\b",
        "CMake's source lists could not be generated: {file}",
        "Remove what an earlier attempt left (./install_executorch.sh --clean, or rm -rf cmake-out pip-out buck-out), update the submodules, keep dots and "
        "spaces out of the checkout's path, or use a later release, which does not need Buck2. This release asks Buck2, whose answer is below.",
        ("Error while generating /w/cmake-out/executorch_srcs.cmake. Exit code: 1",),
        1,
    ),
    Failure(
        "crlf",
        r"\$'[^'\s]{0,200}\\r'{1,2}|env: [`'\u2018][^\n]{1,60}\\r['\u2019]|\^M: (?:bad interpreter|[Nn]o such)|"
        r"\.sh: cannot execute: required file not found",
        "A script has Windows line endings (CRLF), which its shell cannot read",
        "Check the files out again with Linux line endings: git config --global core.autocrlf false; git rm --cached -rq . && git reset --hard (this "
        "discards uncommitted changes), or dos2unix FILE; on Windows clone inside WSL.",
        (
            "examples/arm/setup.sh: line 2: $'\\r': command not found",
            "setup.sh: line 18: syntax error near unexpected token `$'{\\r''",
            "/usr/bin/env: \u2018bash\\r\u2019: No such file or directory",
            "/usr/bin/env: 'python3\\r': No such file or directory",
            "-bash: a/setup.sh: /bin/bash^M: bad interpreter: No such file or directory",
            "zsh: ./setup.sh: bad interpreter: /bin/bash^M: no such file or directory",
            "-bash: ./setup.sh: cannot execute: required file not found",
        ),
        -1,
    ),
    Failure(
        "patch-failed",
        r"\[patch_repo\] Failed to patch (?P<name>[\w./+-]{1,100})|^error: patch failed: (?P<file>[^\s:]{1,200})|"
        r"^error: (?P<other>[^\s:]{1,200}): patch does not apply|"
        r"^Patch failed at \d{1,6} (?P<patch>[^\n]{1,120})",
        "A patch of ExecuTorch's setup does not apply: {name}{file}{other}{patch}",
        "Remove the sources it tried to patch (examples/arm/arm-scratch/ethos-u, or the ethos-u folder that the lines name), which come from an older setup "
        "or another version, and run examples/arm/setup.sh --i-agree-to-the-contained-eula again.",
        (
            "[patch_repo] Failed to patch core_platform in /w/executorch/examples/arm/arm-scratch/ethos-u/core_platform.",
            "error: patch failed: targets/corstone-300/platform.ld:67",
            "error: targets/corstone-300/platform.ld: patch does not apply",
            "Patch failed at 0001 Add got section",
        ),
    ),
    Failure(
        "toolchain-missing",
        r"Could not find (?P<name>(?:arm-[\w-]{1,40}|arm baremetal toolchain|riscv\S{1,30}|aarch64\S{1,30}))(?: toolchain)? on PATH",
        "The cross compiler is not on PATH: ExecuTorch's script looks for {name}",
        f"Put it on PATH: {_SOURCE}",
        (
            "Could not find arm-none-eabi-gcc toolchain on PATH, please refer to the README for setup",
            "Could not find arm-none-eabi-gcc on PATH, please run examples/arm/setup.sh",
            "Could not find arm baremetal toolchain on PATH, please refer to /w/examples/arm/setup.sh to properly install necessary tools.",
        ),
    ),
    Failure(
        "setup-missing",
        r"(?:Could not find|Missing) (?P<what>\S{1,200}setup_path\.sh)(?: file,|\.)",
        "ExecuTorch's setup was not run for this folder: {what} is missing",
        "Run examples/arm/setup.sh --i-agree-to-the-contained-eula once (it writes that file), then source it: source {what}; for a setup in another folder "
        "use run.sh --scratch-dir=FOLDER.",
        (
            "Could not find /home/u/executorch/examples/arm/ethos-u-scratch/setup_path.sh file, please run setup.sh",
            "Missing /w/arm-scratch/setup_path.sh. please refer to /w/examples/arm/setup.sh to properly install necessary tools.",
        ),
    ),
    Failure(
        "setup-missing",
        r"run\.sh: line \d{1,6}: cd: (?P<what>[^\n]{1,300}?/ethos-u-scratch)/ethos-u: No such file or directory",
        "ExecuTorch's setup was not run: {what}/ethos-u is missing",
        "Run examples/arm/setup.sh --i-agree-to-the-contained-eula once (it creates that folder), then run.sh again; if the setup was done in another "
        "folder, give that folder to run.sh.",
        ("examples/arm/run.sh: line 27: cd: /w/examples/arm/ethos-u-scratch/ethos-u: No such file or directory",),
    ),
    Failure(
        "converter-missing",
        r"^Could not find (?:a model converter executable|model-converter\b)",
        "The target vgf needs Arm's model converter, and it is not on PATH",
        "Install it: examples/arm/setup.sh --i-agree-to-the-contained-eula --enable-mlsdk-deps, and source the setup_path.sh that it writes; an Ethos-U "
        "target does not need it.",
        (
            "Could not find a model converter executable (tried model-converter, model_converter). please refer to /w/setup.sh",
            "Could not find model-converter, please refer to /w/setup.sh to properly install necessary tools.",
        ),
    ),
    Failure(
        "setup-missing",
        r"(?:Could not find|Missing) (?P<what>[^\n]{1,200}?)(?: file)?(?: on PATH)?[,.] please (?:refer to|run) [^\n]{0,200}setup\.sh",
        "ExecuTorch's script does not find {what}",
        "Run examples/arm/setup.sh --i-agree-to-the-contained-eula once, and source examples/arm/arm-scratch/setup_path.sh (older "
        "releases: ethos-u-scratch) in this shell.",
        ("Could not find /w/arm-none-eabi-gcc.cmake file, please refer to /w/examples/arm/setup.sh to properly install necessary tools.",),
    ),
    Failure(
        "download-failed",
        r"download of (?P<url>\S{1,300}) failed after (?P<times>\d{1,4}) attempts",
        "A download failed after {times} attempts: {url}",
        "See what the server says (curl -fLO {url}), set https_proxy behind a proxy, remove the partial file, and run the setup again.",
        ("[fvp] ERROR: download of https://example.org/FVP_corstone300.tgz failed after 3 attempts",),
    ),
    Failure(
        "setup-argument",
        r"Error: Unknown FVP model (?P<name>[\w.-]{1,60})\.? Exiting",
        "The setup does not know the simulator {name}",
        "Pass corstone300 or corstone320 (Corstone-310 is not supported), or run examples/arm/setup.sh --i-agree-to-the-contained-eula, which installs both.",
        (
            "[setup.sh] fvp: Error: Unknown FVP model corstone310. Exiting.",
            "[Arm Setup/fvp] Error: Unknown FVP model corstone310. Exiting.",
        ),
    ),
    Failure(
        "script-option",
        r"Error: (?:Invalid toolchain selection(?:, provided:)?|Unsupported target toolchain) '?(?P<name>[\w.+-]{1,60})",
        "The script does not know the toolchain {name}",
        "Give --toolchain=arm-none-eabi-gcc (the usual one) or --toolchain=arm-zephyr-eabi-gcc; for setup.sh the names are gnu, zephyr and "
        "linux-musl.",
        (
            "Error: Invalid toolchain selection, provided: arm-gcc",
            "Error: Invalid toolchain selection 'arm-gcc'. Valid options: arm-none-eabi-gcc, arm-zephyr-eabi-gcc",
            "Error: Unsupported target toolchain 'gcc'. Valid options are gnu, zephyr, linux-musl.",
        ),
    ),
    Failure(
        "build-reconfigure",
        r"Error: (?P<folder>\S{1,300}) is not a standalone arm_executor_runner build directory|"
        r"Error: (?P<stale>\S{1,300}) was configured with (?P<option>\w{1,60}=\S{0,100}), but run\.sh requested (?P<wanted>\S{1,200}?)\.(?:\s|$)",
        "The build folder was configured for something else: {folder}{stale}",
        "Configure the folder again as the message says, remove it, or leave --build-dir out, so that run.sh creates its own: run.sh --build-dir takes only "
        "a folder configured with exactly its options.",
        (
            "Error: /w/b is not a standalone arm_executor_runner build directory.",
            "Error: /w/b was configured with EXECUTORCH_SELECT_OPS_LIST=aten::add.out, but run.sh requested aten::mul.out.",
        ),
    ),
    Failure(
        "folder-missing",
        r"Error: FVP_(?P<name>MOUNT_DIR|WORKDIR) '(?P<path>[^'\n]{1,200})' is not a valid directory",
        "The FVP wrapper was given a folder that does not exist: {path}",
        "Set FVP_{name} to an existing folder under the mounted one, or unset it to mount the home folder.",
        ("Error: FVP_MOUNT_DIR '/x' is not a valid directory",),
    ),
    Failure(
        "fvp-by-hand",
        r"FVP (?:setup )?only supported (?:on|with) Linux",
        "The setup does not install FVPs on macOS, and stopped there",
        "Install the wrappers that run it in docker (github.com/Arm-Examples/FVPs-on-Mac), put them on PATH and run the setup again, or continue without FVPs.",
        (
            "[Arm Setup/fvp] Warning: FVP setup only supported on Linux; Mac users should install via https://example.org",
            "[setup_fvp] Warning: FVP only supported with Linux OS, skipping FVP setup...",
        ),
    ),
    Failure(
        "fvp-not-on-path",
        r"/(?P<file>setup_path\.sh): line \d{1,6}: hash: (?P<name>\S{1,100}): not found",
        "{file} names {name}, which is not on PATH: not installed, or its folder was moved",
        "Run examples/arm/setup.sh --i-agree-to-the-contained-eula again, which installs it and rewrites that file; on macOS put the wrappers of "
        "github.com/Arm-Examples/FVPs-on-Mac on PATH first. A script that stops at the first error stops here; others continue until they need it.",
        ("/w/arm-scratch/setup_path.sh: line 8: hash: FVP_Corstone_SSE-320: not found",),
        1,
    ),
    Failure(
        "host-compiler-missing",
        r"^xcrun: error: (?P<reason>invalid active developer path)",
        "This Mac has no usable developer tools, and so no host compiler: {reason}",
        "Install them: xcode-select --install (again after an update of macOS); if Xcode is installed, sudo xcode-select --reset. Then remove the build "
        "folder and configure again.",
        ("xcrun: error: invalid active developer path (/Library/Developer/CommandLineTools), missing xcrun at: /a",),
        -1,
    ),
    Failure(
        "runner-not-built",
        r"FileNotFoundError: Did not find elf file (?P<file>[^\s'\"]{1,300})|"
        r"Did not find build arm_executor_runner (?:in path (?P<path>[^\s,{}]{1,300})|or executor_runner\. Tried: (?P<tried>[^\s,{}]{2,300})?)",
        "The runner for the tests is not built: {file}{path}{tried}",
        "Run backends/arm/test/setup_testing.sh, which builds those for the FVPs (with semihosting), and start pytest in the folder that contains arm_test.",
        (
            "FileNotFoundError: Did not find elf file arm_test/a/arm_executor_runner",
            "E   FileNotFoundError: Did not find build arm_executor_runner in path arm_test/a, run setup_testing.sh?",
            "Did not find build arm_executor_runner or executor_runner. Tried: . Run setup_testing.sh or setup_testing_vkml.sh?",
        ),
    ),
    Failure(
        "script-not-sourced",
        r"^Error: This script must be sourced",
        "A script that only defines functions was run on its own",
        "Run the script that uses it (examples/arm/setup.sh, examples/arm/run.sh), or source it into this shell: source FILE, as for setup_path.sh.",
        ("Error: This script must be sourced.",),
    ),
    Failure(
        "script-option",
        rf"^(?:Error: )?Unknown option: (?P<name>--?(?:{_SCRIPT_OPTIONS})[\w-]{{0,40}})",
        "The script does not know the option {name}",
        "Correct it: that script's --help lists its options (run.sh takes --model_name=, --target=, --build_only and more, with an underscore; run_fvp.sh "
        "--elf= and --target=).",
        ("Unknown option: --modelname=add",),
    ),
    Failure(
        "script-option",
        r"--target=(?P<target>[\w.+-]{1,60}) requires --bundleio",
        "The target {target} needs bundled inputs, and --bundleio was not given",
        "Add it: `run.sh --target={target} --bundleio`; the runner for Cortex-M reads inputs and reference outputs from the .bpte.",
        ("Error: --target=cortex-m55+int8 requires --bundleio (the cortex-m runner loads bundled inputs via semihosting)",),
    ),
    Failure(
        "script-option",
        r"--bundle=<BPTE_FILE> is required for (?P<target>[\w.+*-]{1,60}) targets",
        "run_fvp.sh was started for a {target} target without its bundled program",
        "Pass it: `run_fvp.sh --elf=arm_executor_runner --target=TARGET --bundle=MODEL.bpte` (aot_arm_compiler with --bundleio, or run.sh --bundleio, makes "
        "the .bpte).",
        ("[backends/arm/scripts/run_fvp.sh] --bundle=<BPTE_FILE> is required for cortex-m targets",),
    ),
    Failure(
        "script-option",
        r"Placing the PTE in memory failed, address is larger then 64bit (?P<address>\w{1,80})",
        "The address for the program has more than 64 bits: {address}",
        "Give an address in the target's memory map, --pte_placement=0x70000000 for example (the DDR of Corstone-300 and -320), or leave the program in the "
        "ELF: --pte_placement=elf.",
        ("ERROR: Placing the PTE in memory failed, address is larger then 64bit 0x1000000000000000000",),
    ),
    Failure(
        "script-option",
        r"^Static quantized KV cache requires (?P<option>--[\w=-]{1,60})",
        "The script builds a static KV cache only together with {option}",
        "Add it to the export_smollm2_ethosu.sh call (see its --help), or leave out the static cache option.",
        ("Static quantized KV cache requires --use-kv-cache.",),
    ),
    Failure(
        "runner-not-built",
        r"^Failed to locate arm_executor_runner in (?P<folder>\S{1,200})",
        "The build produced no arm_executor_runner in {folder}",
        "Read what the build printed above. If it succeeded, the folder belongs to another build: remove it and run examples/arm/run.sh again.",
        ("Failed to locate arm_executor_runner in /w/cmake-out.",),
        1,
    ),
    Failure(
        "script-option",
        r"^Model name needs to be provided",
        "The script was not told which model to use",
        "Give it: --model=FILE for run_vkml.sh (the .pte, or the folder with it), --model_name=mv2 for run.sh.",
        ("Model name needs to be provided",),
    ),
    Failure(
        "wrong-size-tool",
        r"/size: (?:file: )?(?P<file>[\w./+-]{1,200}) is not an object file",
        "The host's size tool cannot read {file}, which is built for Arm",
        "Use the cross toolchain's: arm-none-eabi-size {file} (source examples/arm/arm-scratch/setup_path.sh puts it on PATH); the build itself did not fail.",
        ("error: /a/XcodeDefault.xctoolchain/usr/bin/size: file: arm_executor_runner is not an object file",),
    ),
    Failure(
        "model-compile-failed",
        r"AOT compilation failed for (?P<model>[\w.-]{1,60})",
        "run_mcu_models_fvp.sh could not compile {model}",
        "Read what the compile printed above, or run it alone: `examples/arm/run_mcu_models_fvp.sh --target=TARGET --models={model}`.",
        ("\u274c AOT compilation failed for mv3",),
        1,
    ),
    Failure(
        "model-build-failed",
        r"Executor runner build failed for (?P<model>[\w.-]{1,60})",
        "run_mcu_models_fvp.sh could not build the runner for {model}",
        "Read what the build printed above, or run it alone: `examples/arm/run_mcu_models_fvp.sh --target=TARGET --models={model}`.",
        ("\u274c Executor runner build failed for mv3",),
        1,
    ),
    Failure(
        "model-run-failed",
        r"FVP execution failed for (?P<model>[\w.-]{1,60})",
        "run_mcu_models_fvp.sh could not run {model} on the FVP",
        "Read what the simulator and the runner printed above, or run it alone: `examples/arm/run_mcu_models_fvp.sh --target=TARGET --models={model}`.",
        ("\u274c FVP execution failed for resnet18",),
        1,
    ),
    Failure(
        "model-libraries-failed",
        r"\u274c Failed to build Execut\w{1,3}orch libraries",
        "run_mcu_models_fvp.sh could not build ExecuTorch's libraries, which all models share",
        "Read what the build printed above, or run it alone: backends/arm/scripts/build_executorch.sh.",
        ("\u274c Failed to build ExecuteTorch libraries",),
        1,
    ),
    Failure(
        "script-option",
        r"\u274c Error: (?P<reason>(?:--target argument is required|Invalid target|Unknown argument)[^\n]{0,120})",
        "run_mcu_models_fvp.sh rejected its options: {reason}",
        "Give `--target=TARGET --models=NAME,NAME`, where TARGET is cortex-m55, cortex-m85 or an ethos-u55/u85 with its MACs.",
        ("\u274c Error: Invalid target 'ethos-u99'", "\u274c Error: --target argument is required"),
    ),
    Failure(
        "size-limit",
        r"\AFail (?P<size>\d{5,9}) > (?P<limit>\d{5,9})\Z",
        "The size test failed: size_test has {size} bytes, and {limit} are allowed",
        "See what grew (arm-none-eabi-nm --size-sort -S cmake-out/test/size_test, or bloaty against the previous build); if the growth is intended, raise "
        "that job's threshold.",
        ("Fail 104176 > 103268",),
    ),
    Failure(
        "models-failed",
        r"OVERALL RESULT: (?P<failed>\d{1,6})/(?P<all>\d{1,6}) TESTS FAILED",
        "{failed} of {all} models failed",
        "Run each model that the summary above lists (Failed models:) alone with --models=NAME, and read its first error.",
        ("\u26a0\ufe0f  OVERALL RESULT: 1/4 TESTS FAILED",),
        2,
    ),
    Failure(
        "models-failed",
        r"^(?P<model>[\w.-]{1,60}) +: \u274c Failed",
        "The model {model} failed",
        "Run it alone with --models={model} and read its first error, or read the output above the summary.",
        ("mv3          : \u274c Failed",),
        2,
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before its own rows for tools and downloads."""
