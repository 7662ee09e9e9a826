"""Samples of failing compiles, builds and installations as whole logs: the cause is not the last line, nor the loudest."""

from __future__ import annotations

from .samples import Sample as S

_TRACEBACK = """
| [WARNING 2026-10-12 10:02:04,240 aot_arm_compiler.py:98] Using a model from examples/models not all of these are currently supported
| Traceback (most recent call last):
|   File "<frozen runpy>", line 198, in _run_module_as_main
|   File "/w/executorch/backends/arm/scripts/aot_arm_compiler.py", line 1180, in <module>
|     main()
|     ~~~~^^
|   File "/w/executorch/backends/arm/arm_vela.py", line 123, in run
|     vela.main(" ".join(args).split(" "))
"""
_VELA = """
| Network summary for out
| Accelerator configuration               Ethos_U55_128
| System configuration             Ethos_U55_High_End_Embedded
| Memory mode                               Shared_Sram
| Accelerator clock                                 500 MHz
| CPU operators = 0 (0.0%)
| NPU operators = 12 (100.0%)
| NPU cycles                                      {cycles} cycles/batch
| Total cycles                                    {cycles} cycles/batch
"""

HOST_SAMPLES: tuple[S, ...] = (
    S("missing-out-variants", "bare", _TRACEBACK + "| RuntimeError: Missing out variants: {'quantized_decomposed::dequantize_per_tensor'}.\n"
      "| This likely due to an external so library not being loaded. Supply a path to it with the -s flag.\n",
      ("quantized_decomposed::dequantize_per_tensor", "quantized_ops_aot_lib"), rows=(15,)),
    S("tosa-version-mismatch", "bare", _TRACEBACK + "| RuntimeError: Compilation failed: TOSA FB Reader error : Tosa version mismatch\n", ("ethos-u-vela",), rows=(16,)),
    S("vela-operator", "bare", _TRACEBACK + "| RuntimeError: Non-passthrough operation (Greater) could not run on NPU\n", ("Greater",), rows=(16,)),
    S("vela-operator", "bare", _TRACEBACK + "| RuntimeError: Non-passthrough operation could not run on NPU\n", ("does not name it",), rows=(16,)),
    S("vela-operator", "bare", "| ::: Running command: /w/env/bin/python -m examples.arm.aot_arm_compiler --model_name /w/m.py --target ethos-u55-128 --quantize\n"
      "| Non-passthrough operation could not run on NPU\n", ("does not name it",), rows=(16,)),
    S("vela-refused", "bare", "| Compilation failed: Unable to schedule operation\n", ("Unable to schedule",), rows=(16,)),
    S("tosa-version-mismatch", "bare", _TRACEBACK + "| AssertionError: TOSA serializer version (1.1) doesn't match specification TOSA-1.0+INT+int16\n",
      ("1.1", "TOSA-1.0+INT+int16"), rows=(16,)),
    S("tosa-version-mismatch", "bare", "| RuntimeError: TOSA serializer version (1.0) doesn't match specification TOSA-1.1+FP\n", ("TOSA-1.1+FP",), rows=(16,)),
    S("not-decomposed", "bare", _TRACEBACK + "| RuntimeError: Node aten_linear_default_2 with op <EdgeOpOverload: aten.linear.default>: schema = "
      "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor was not decomposed or delegated.\n"
      "| This op was registered by the partitioner EthosUPartitioner to not be decomposed.\n", ("aten.linear.default", "--quantize"), rows=(14,)),
    S("not-decomposed", "bare", "| Node aten_linear_default_2 with op aten.linear.default was not decomposed or delegated.\n"
      "| This op was registered by the partitioner EthosUPartitioner to not be decomposed.\n", ("aten.linear.default",)),
    S("not-decomposed", "bare", "| WARNING:root:Node aten_linear_default_2 with op aten.linear.default was not decomposed or delegated.\n", ("aten.linear.default",), "warning"),
    S("missing-module", "bare", _TRACEBACK + "| ModuleNotFoundError: Cortex-M backend dependencies are not installed (missing: cmsis_nn). Install ExecuTorch with `pip "
      "install executorch[cortex_m]`, or if building from source run `examples/arm/setup.sh --i-agree-to-the-contained-eula`.\n",
      ("cmsis_nn", "pip install executorch[cortex_m]")),
    S("operand-types", "bare", _TRACEBACK + "| RuntimeError: expected scalar type torch.int8 but found torch.int32\n|\n| While executing %aten_bmm_default_1 : "
      "[num_users=1] = call_function[target=aten.bmm.default](args = (%a, %b), kwargs = {})\n", ("aten_bmm_default_1", "int32", "int8")),
    S("operator-dtype", "bare", "| Expected tensor aten_convolution_default in aten.clamp.default to have one of the following dtypes: ['INT8'], got: INT16\n",
      ("aten.clamp.default", "INT16")),
    S("binary-mismatch", "bare", "| ImportError: NumPy C API version mismatch\n| (Build-time version: 0x10, Run-time version: 0xe)\n", ("0x10", "0xe", "pip install")),
    S("conv-not-quantised", "bare", _TRACEBACK + "| ValueError: RewriteConvPass: No output quantization parameter found in node tosa_conv2d_default\n"
      "| original_aten=aten.convolution.default\n", ("tosa_conv2d_default", "#18778")),
    S("output-size-differs", "bare", "| EthosUBackend.cpp::copy_with_layout_adjustment()\n|   expand_factor=4 elem_size=1 ScalarType::Float \u2192 Error::InvalidProgram\n",
      ("4 times", "Float", "#19364")),
    S("model-compile-failed", "bare", "| \u274c AOT compilation failed for mv3\n|    \u274c Failed       : 1\n| \u26a0\ufe0f  OVERALL RESULT: 1/4 TESTS FAILED\n", ("mv3",)),
    S("model-run-failed", "bare", "| \u274c FVP execution failed for resnet18\n", ("resnet18",)),
    S("sds-not-reached", "bare", "| SDS I/O USB interface initialization failed or 'sdsio-server usb' unavailable!\n", ("sdsio-server",)),
    S("vela-placed-on-cpu", "bare", "| Info: BATCH_MATMUL 'm/MatMul' is a CPU only op\n| Info: BATCH_MATMUL 'm/MatMul_1' is a CPU only op\n"
      "| Warning: TRANSPOSE 'a;;b' is not supported on the NPU. Placing on CPU instead\n|  - The following shape/permutations are supported for transpose:\n"
      "|         When ifm rank is 2: WxC -> CxW\n", ("2 x BATCH_MATMUL, TRANSPOSE", "WxC -> CxW"), "warning", (14,)),
    S("vela-placed-on-cpu", "bare", "| Warning (supported operators) operator: LOG, ofm: 'm/log'\n| Reason: Int32 IFM\n| Constraint: IFM must be Int8 or Int16\n"
      "| Warning (supported operators) operator: CUSTOM, ofm: 'm:0'\n| Reason: Unsupported opType\n",
      ("LOG, CUSTOM", "Int32 IFM Constraint: IFM must be", "already compiled"), "warning", (14, 17)),
    S("vela-placed-on-cpu", "bare", "| Warning: SplitV has more than one size to be inferred, which is illegal, placing on CPU\n"
      "| Warning: Op.Concat invalid axis 5 , placing on CPU\n| Warning: only batch sizes of 1 are supported, placing on CPU\n"
      "| Warning: only datatypes supported for Softmax are uint8, int8 and int16; placing on CPU\n",
      ("SplitV, Concat, 2 x an operator", "more than one size"), "warning", (14, 15, 16, 17)),
    S("vela-defaults", "bare", "| Warning: No system configuration specified. Using a default of Ethos_U55_High_End_Embedded. Compilation may be invalid or non-optimal.\n"
      "| Warning: No memory mode specified. Using a default of Shared_Sram. Compilation may be invalid or non-optimal.\n",
      ("Ethos_U55_High_End_Embedded, Shared_Sram",), "warning"),
    S("vela-defaults", "bare", "| Warning: Using internal-default values for system configuration\n| Warning: Using internal-default values for memory mode\n",
      ("its defaults: internal-default",), "warning"),
    S("vela-placed-on-cpu", "bare", "| Warning: Unsupported TensorFlow Lite semantics for CUSTOM 'my_window'. Placing on CPU instead\n"
      "|  - Input(s), Output and Weight tensors must have quantization parameters\n|    Op has tensors with missing quantization parameters: my_window\n",
      ("CUSTOM", "It has tensors that are not quantized"), "warning"),
    S("vela-sram-exceeded", "bare", "| Warning: SRAM target for arena memory area exceeded. Target = 262144 Bytes, Actual = 300000 Bytes\n",
      ("256.0 KiB", "293.0 KiB", "--optimise Size"), "warning"),
    S("operator-rejected", "bare", "| No support for shape=[1, 1, 256, 400], dtype=torch.int8. Product of axes must be <65536\n", ("65536",), "warning", (14,)),
    S("operator-rejected", "bare", """
| INFO:executorch.backends.arm.tosa.partitioner:
| \u2552\u2550\u2550\u2564\u2550\u2555
| \u2502 Node name                \u2502 Target                   \u2502 Torch func                          \u2502 Reason                              \u2502
| \u255e\u2550\u2550\u256a\u2550\u2561
| \u2502 aten_convolution_default \u2502 aten.convolution.default \u2502 ('conv2d_1', 'builtin_function_or_m \u2502 Convolution needs to have           \u2502
| \u2502                          \u2502                          \u2502 ethod.conv2d')                      \u2502 kernel_y<=64                        \u2502
| \u251c\u2500\u2500\u253c\u2500\u2524
| \u2502 aten_cat_default         \u2502 aten.cat.default         \u2502 -                                   \u2502 Max supported rank is 4.            \u2502
| \u251c\u2500\u2500\u253c\u2500\u2524
| \u2502 aten_a_very_long_name_go \u2502 aten.a_very_long_name_go \u2502 -                                   \u2502 Needs to be decomposed.             \u2502
| \u2502 es_on_default            \u2502 es_on.default            \u2502                                     \u2502                                     \u2502
| \u2558\u2550\u2550\u2567\u2550\u255b
""", ("aten.convolution.default, aten.cat.default, aten.a_very_long_name_goes_on.default", "Convolution needs to have kernel_y<=64"), "warning", (14,)),
    S("compile-log", "bare", "| PTE file saved as out/net_arm_ethos-u55-128.pte\n", ("nothing of it runs on the NPU", "--delegate"), "warning"),
    S("compile-log", "bare", "| PTE file saved as net_arm_cortex-m55+int8.pte\n", ("Cortex-M only",), "info"),
    S("compile-log", "bare", "| $ python3 -m examples.arm.aot_arm_compiler --model_name=mv2 --target=ethos-u55-64 --delegate --system_config=My_Cfg --memory_mode=My_Mode\n"
      "| [WARNING 2026-10-12 10:02:04,240 aot_arm_compiler.py:98] Using a model from examples/models not all of these are currently supported\n",
      ("ethos-u55-64", "My_Cfg", "My_Mode"), "info"),
    S("vela-refused", "bare", _TRACEBACK + "| RuntimeError: Compilation failed: Failed to allocate tensors\n", ("Failed to allocate",), rows=(16,)),
    S("vela-configuration", "bare", _TRACEBACK + "| ethosu.vela.errors.ConfigOptionError: 'Error: Invalid configuration of arena_mem_area=OffChipFlash (must be Sram or "
      "Dram)'\n", ("OffChipFlash",), rows=(16,)),
    S("vela-option", "bare", "| Error: Incorrect argument to CLI option --system-config=Nope: Section System_Config.Nope not found in Vela config file\n", ("Nope",), rows=(16,)),
    S("compile-failed", "bare", _TRACEBACK + "| RuntimeError: something that nobody has seen yet\n", ("nobody has seen",)),
    S("not-delegated", "bare", "| Delegation summary:\n|   Model was not delegated.\n|   Delegated partitions for silicon acceleration: 0\n|   Non-delegated ops: 12\n"
      "| PTE file saved as add.pte\n", ("--quantize",), "warning", (14,)),
    S("not-delegated", "bare", "| Total delegated subgraphs: 0\n| Number of delegated nodes: 0\n| Number of non-delegated nodes: 42\n", rows=(14,)),
    S("target-unknown", "bare", "| usage: aot_arm_compiler.py [-h] -m MODEL_NAME\n| aot_arm_compiler.py: error: argument -t/--target: invalid choice: 'ethos-u75-128' "
      "(choose from ethos-u55-32, ethos-u55-64)\n", ("ethos-u75-128",)),
    # link and build
    S("link-overflow", "bare", "| [100%] Linking CXX executable arm_executor_runner\n| /opt/bin/ld: arm_executor_runner section `.bss' will not fit in region `DDR'\n"
      "| /opt/bin/ld: region `DDR' overflowed by 1,234,568 bytes\n| collect2: error: ld returned 1 exit status\n| ninja: build stopped: subcommand failed.\n",
      ("1234568", "METHOD_ALLOCATOR_POOL_SIZE=61679616"), rows=(25,)),
    S("link-overflow", "bare", "| [312/313] Linking C executable zephyr/zephyr.elf\n| FAILED: [code=1] zephyr/zephyr.elf\n| ld.bfd: zephyr/zephyr.elf section `text' will not fit in "
      "region `FLASH'\n| ld.bfd: region `FLASH' overflowed by 58723 bytes\n| collect2: error: ld returned 1 exit status\n| ninja: build stopped: subcommand failed.\n"
      "| FATAL ERROR: command exited with status 1: /usr/bin/cmake --build /w/build\n", ("58723", "SELECT_OPS_MODEL"), rows=(25,)),
    S("link-overflow", "bare", "| ld.bfd: zephyr/zephyr_pre0.elf section `bss' will not fit in region `RAM'\n| ld.bfd: region `RAM' overflowed by 58723456 bytes\n"
      "| collect2: error: ld returned 1 exit status\n| FATAL ERROR: command exited with status 1: /usr/bin/cmake --build /w/build\n",
      ("58723456", "CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE"), rows=(25,)),
    S("link-overflow", "bare", "| ld.bfd: zephyr/zephyr_pre0.elf section `network_model_sec' will not fit in region `FLASH'\n| ld.bfd: region `FLASH' overflowed by 3,476,864 bytes\n"
      "| ld.bfd: region `RAM' overflowed by 3128920 bytes\n| FATAL ERROR: command exited with status 1: /usr/bin/cmake --build /w/build\n",
      ("3476864", "network_model_sec", "CONFIG_ET_ARM_MODEL_PTE_DMA_ACCESSIBLE"), rows=(25,)),
    S("link-overflow", "bare", "| [Error] @0,0: L6406E: No space in execution regions with .ANY selector matching runner.o(.bss).\n"
      "| Error: L6407E: Sections of aggregate size 0x3c00000 bytes could not fit into .ANY selector(s).\n", ("0x3c00000 bytes",), rows=(25,)),
    S("undefined-reference", "bare", "| [ 99%] Linking CXX executable app\n| ld: CMakeFiles/app.dir/main.cpp.obj: in function `main':\n| main.cpp:(.text.main+0x10): undefined "
      "reference to `register_all_kernels()'\n| collect2: error: ld returned 1 exit status\n| make[2]: *** [CMakeFiles/app.dir/build.make:97: app] Error 1\n"
      "| make: *** [Makefile:136: all] Error 2\n", ("register_all_kernels", "whole-archive"), rows=(4,)),
    S("compile-error", "bare", "| [ 42%] Building CXX object a.cpp.obj\n| /w/runner.cpp:42:7: error: 'ethosu_drivr' was not declared in this scope\n"
      "| ninja: build stopped: subcommand failed.\n", ("runner.cpp:42:7",)),
    S("toolchain-missing", "bare", "| CMake Error at CMakeLists.txt:17 (project):\n|   The CMAKE_CXX_COMPILER:\n|\n|     arm-none-eabi-g++\n|\n|   is not a full path and was not found "
      "in the PATH.\n| -- Configuring incomplete, errors occurred!\n", ("setup_path.sh",)),
    S("cmake-version", "bare", "| CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n|   CMake 3.29 or higher is required.  You are running version 3.22.1\n"
      "| -- Configuring incomplete, errors occurred!\n", ("3.29", "3.22.1")),
    S("cmake-failed", "bare", "| CMake Error at CMakeLists.txt:232 (message):\n|   FOO_TOOL must be set when FOO_BUILD is disabled.\n"
      "| -- Configuring incomplete, errors occurred!\n", ("FOO_TOOL",)),
    S("build-failed", "bare", "| [ 42%] Building CXX object a.cpp.obj\n| gmake[1]: *** [CMakeFiles/Makefile2:846: all] Error 2\n| gmake: *** [Makefile:208: all] Error 2\n"),
    S("board-unknown", "bare", "| -- west build: generating a build system\n| No board named 'mps9' found.\n| CMake Error at /w/boards.cmake:200 (message):\n|   Invalid BOARD; see above.\n"
      "| FATAL ERROR: command exited with status 1: /usr/bin/cmake\n"),
    # installation
    S("out-of-memory", "bare", """
| Collecting tosa-tools==2026.5.0
|   Building wheel for tosa-tools (pyproject.toml): started
|   error: subprocess-exited-with-error
|       [ 40%] Building CXX object CMakeFiles/tosa_reference_model_lib.dir/src/ops/tensor_ops.cc.o
|       c++: fatal error: Killed signal terminated program cc1plus
|       gmake: *** [Makefile:136: all] Error 2
|       RuntimeError: Failed building reference_model.
|   ERROR: Failed building wheel for tosa-tools
| Failed to build tosa-tools
""", ("swap", "cc1plus")),
    S("out-of-memory", "bare", "| Collecting tosa-tools==2026.5.0\n|   Building wheel for tosa-tools (pyproject.toml): started\n| examples/arm/setup.sh: line 389: 24514 Killed"
      "                  pip install tosa-tools\n", ("swap",)),
    S("wheel-build-failed", "bare", "|   Building wheel for tosa-tools (pyproject.toml): started\n|     RuntimeError: Failed building reference_model.\n"
      "|   ERROR: Failed building wheel for tosa-tools\n| Failed to build tosa-tools\n| error: failed-wheel-build-for-install\n", ("tosa-tools", "memory")),
    S("build-tool-missing", "bare", "| [Arm Setup/main] Checking platform and OS\n| examples/arm/setup.sh: line 88: cmake: command not found\n", ("apt install",)),
    S("build-tool-missing", "bare", '| CMake Error: CMake was unable to find a build program corresponding to "Ninja".  CMAKE_MAKE_PROGRAM is not set.\n', ("Ninja",)),
    S("dependency-conflict", "bare", "| ERROR: Cannot install torch==2.9.0 and torch==2.13.0 because these package versions have conflicting dependencies.\n"
      "| ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/\n", ("torch==2.9.0",)),
    S("dependency-conflict", "bare", "| ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.\n"
      "| tosa-tools 2026.5.0 requires numpy<2.2, but you have numpy 2.3.1 which is incompatible.\n| Successfully installed numpy-2.3.1\n", (), "warning"),
    S("package-not-found", "bare", "| ERROR: Could not find a version that satisfies the requirement torch==2.9.0.dev20250906 (from versions: 2.2.0)\n"
      "| ERROR: No matching distribution found for torch==2.9.0.dev20250906\n", ("torch==2.9.0.dev20250906",)),
    S("eula-not-accepted", "bare", "| Must pass first positional argument '--i-agree-to-the-contained-eula' to agree to EULA associated with downloading the FVP. Exiting!\n",
      ("--i-agree-to-the-contained-eula",)),
    S("eula-not-accepted", "bare", "| [Arm Setup/main] Checking platform and OS\n| [Arm Setup/fvp] Must pass '--i-agree-to-the-contained-eula' to download the FVP\n"
      "| [Arm Setup/fvp] Exiting due to missing EULA acceptance\n", ("yourself",)),
    S("download-failed", "bare", "| [Arm Setup/fvp] Downloading FVP corstone300\n| curl: (6) Could not resolve host: developer.arm.com\n", ("proxy",)),
    S("job-stopped", "bare", "| ##[error]Executing the custom container implementation failed. Please contact your self hosted runner administrator.\n", ("memory",)),
    S("disk-full", "bare", "| [ 42%] Building CXX object a.cpp.obj\n| cc1plus: fatal error: error writing to /tmp/a.s: No space left on device\n| ninja: build stopped: subcommand failed.\n"),
    S("externally-managed", "bare", "| error: externally-managed-environment\n", ("venv",)),
    S("evaluation-left-out", "bare", "| ERROR:root:Model evaluation is no longer supported in this script. Use evaluate_model.py instead. Ignore and continue.\n"
      "| PTE file saved as out/mv2.pte\n", ("--evaluate", "evaluate_model.py"), "warning", (1,)),
    S("compile-unfinished", "bare", _VELA.format(cycles=9000) + _VELA.format(cycles=800) + _TRACEBACK + "| RuntimeError: Non-passthrough operation (Greater) could not run on NPU\n",
      ("2 delegates", "no program was saved"), "info", (2, 11)),
    # estimate against measurement
    S("npu-cycles-differ", "1.0", _VELA.format(cycles=1000000) + """
I arm_executor_runner.cpp:1211 main | PTE @ 0x70000000 [----ET12]
I arm_perf_monitor.cpp:139 StopMeasurements | NPU Inferences : 1
I arm_perf_monitor.cpp:199 StopMeasurements | ethosu_pmu_cycle_cntr : 4000000 (4000000.00 per inference)
I arm_executor_runner.cpp:1238 main | Program complete, exiting.
""", ("4000000", "1000000"), "warning", (13,)),
    S("configuration-differs", "1.0", _VELA.format(cycles=4000000) + """
| Running /w/arm_executor_runner for ethos-u55-256 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:256 timeout:600
I arm_executor_runner.cpp:1211 main | PTE @ 0x70000000 [----ET12]
I arm_executor_runner.cpp:1238 main | Program complete, exiting.
""", ("ethos-u55-128", "ethos-u55-256", "--target="), "warning", (5,)),
    S("build-log", "bare", "| -- Configuring done (1.0s)\n| [ 50%] Building CXX object a.cpp.obj\n| [100%] Built target arm_executor_runner\n", (), "info"),
)  # fmt: skip
