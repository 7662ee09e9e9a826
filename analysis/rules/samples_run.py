"""Samples of what goes wrong from the first inference on: the NPU, execution, faults, limits, results, doubtful figures."""

from __future__ import annotations

from .samples import BANNER, COMPLETE, DELEGATE, OPEN_04, OPEN_10, OPEN_MAIN, TRAP
from .samples import Sample as S

_EXECUTE_04 = """
I ArmBackendEthosU.cpp:79 | ArmBackend::init 0x70000070
I arm_executor_runner.cpp:445 | Method loaded.
I arm_executor_runner.cpp:447 | Preparing inputs...
I arm_executor_runner.cpp:461 | Input prepared.
I arm_executor_runner.cpp:463 | Starting the model execution...
I ArmBackendEthosU.cpp:118 | ArmBackend::execute 0x70000070
"""
_GAVE_UP = """
E EthosUBackend.cpp:230 execute | Ethos-U invocation failed error (1)
E method.cpp:1600 execute_instruction | CALL_DELEGATE execute failed at instruction 1: 0x23
F arm_executor_runner.cpp:1060 run_model | In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x23
"""
_GAVE_UP_04 = """
E ArmBackendEthosU.cpp:250 | ArmBackend::execute: Ethos-U invocation failed error (1)
E method.cpp:1103 | CALL_DELEGATE execute failed at instruction 1: 0x23
I arm_executor_runner.cpp:470 | Execution of method forward failed with status 0x23
"""
_RAN = OPEN_10 + DELEGATE
_PACK = "| Ethos-U version info:\n|     Arch:       v2.0.0\n|     MACs/cc:    256\n| ExecuTorch Ethos-U85 example: 4096 byte model\n"
_REPORT = """
I arm_perf_monitor.cpp:139 StopMeasurements | NPU Inferences : 1
I arm_perf_monitor.cpp:140 StopMeasurements | NPU delegations: 1 (1.00 per inference)
I arm_perf_monitor.cpp:149 StopMeasurements | ethos-u : cycle_cnt : {op} cycles ({op}.00 per inference)
I arm_perf_monitor.cpp:157 StopMeasurements | Operator(s) total: {op} CPU cycles ({op}.00 per inference)
I arm_perf_monitor.cpp:164 StopMeasurements | Inference runtime: {run} CPU cycles total ({run}.00 per inference)
I arm_perf_monitor.cpp:180 StopMeasurements | Inference CPU ratio: {cpu} %
I arm_perf_monitor.cpp:184 StopMeasurements | Inference NPU ratio: {npu} %
I arm_perf_monitor.cpp:193 StopMeasurements | cpu_wait_for_npu_cntr : {wait} CPU cycles ({wait}.00 per inference)
I arm_perf_monitor.cpp:198 StopMeasurements | Ethos-U PMU report:
I arm_perf_monitor.cpp:199 StopMeasurements | ethosu_pmu_cycle_cntr :  247553 (247553.00 per inference)
I arm_executor_runner.cpp:1080 run_model | 1 inferences finished
"""
_OUTPUTS = "\n".join(f"| Output[0][{i}]: (float) 0.100000" for i in range(10)) + "\n"

_BOARD = """
I executor_runner.cpp:302 main | Model file mv2_u65.pte is loaded.
I executor_runner.cpp:312 main | Using method forward
"""

_REFUSED = "E EthosUBackend_Linux.cpp:210 | Ethos-U Linux driver invocation failed: Invalid argument\n"

RUN_SAMPLES: tuple[S, ...] = (
    # the NPU
    S("npu-config-mismatch", "1.0", _RAN + "| E: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7 (ethosu_device_u55_u65.c:300)\n"
      "| E: NPU config mismatch. npu.shram_size=48, optimizer.shram_size=24 (ethosu_device_u55_u65.c:305)\n" + _GAVE_UP + TRAP,
      ("256", "128", "num_macs=128", "--target="), rows=(5,)),
    S("npu-config-mismatch", "0.4", OPEN_04 + _EXECUTE_04 + "| NPU config mismatch: npu.macs_per_cc=7 optimizer.macs_per_cc=8\n" + _GAVE_UP_04,
      ("128", "256"), rows=(5,)),
    S("npu-config-mismatch", "0.4", OPEN_04 + _EXECUTE_04 + "| E: NPU config mismatch. npu.macs_per_cc=E: NPU config mismatch. npu.macs_per_cc=E:\n" + _GAVE_UP_04,
      ("numbers are lost",), rows=(5, 24)),
    S("npu-config-mismatch", "1.0", "| NPU config mismatch. npu.macs_per_cc=, optimizer.macs_per_cc=\nE EthosUBackend.cpp:290 execute | Ethos-U invocation failed error (1)\n",
      ("numbers are lost",), rows=(5, 24)),
    S("npu-config-mismatch", "1.0", _RAN + "| E: NPU config mismatch. npu.macs_per_cc=6, optimizer.macs_per_cc=8 (ethosu_device_u55_u65.c:337)\n", ("64", "256"), rows=(5,)),
    S("npu-config-mismatch", "bare", "| NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7\n| E: Failed to invoke inference. (ethosu_driver.c:736)\n"
      "| Node ethos-u (number 0) failed to invoke with status 1\n", ("256", "128"), rows=(5,)),
    S("npu-inference-failed", "bare", "| E: NPU error(s) occured during inference. (ethosu_driver.c:398)\n", ("status register", "TCM")),
    S("npu-bus-error", "bare", "| Initialize Arm Ethos-U\n| E: NPU error(s) occured during inference. (ethosu_driver.c:542)\n"
      "| E: NPU status=0x00000804, qread=0, cmd_end_reached=0 (ethosu_device_u55_u65.c:182)\n| Node ethos-u (number 0) failed to invoke with status 1\n"
      "| E: Invoke failed for inference: job=job (inference_process.cpp:281)\n| Inference status: failed\n", ("interface 1",), rows=(19,)),
    S("npu-bus-error", "cm33", "| CM33: inference_begin base_addrs=3 fast_mem=0x00000000 fast_mem_size=0\n| CM33:   base[2]=0x00000000 size=0\n"
      "| I: Test Case 10: bus_status_error 0x1, status 0x8004\n| I: Test Case 14: get read offset of command stream 7348\n",
      ("interface 0, channel 8", "qread 7348", "ethosu_init"), rows=(19,)),
    S("npu-bus-error", "bare", "| I: Test Case 17: handle_optimizer_config: NPU arch match\n| I: Test Case 14: cmd_end_reached 0x0\n"
      "| I: Test Case 10: bus_status_error 0x1\n", ("bus_status_error 0x1", "ethosu_init"), rows=(19,)),
    S("test-out-of-tolerance", "bare", "| Test_exec: add (portable) pte=1536 bytes\n| Test_result: add PASS (delta max|err|=0.0126 > tol, reported)\n"
      "| Test_result: SUMMARY 1/1 PASS\n", ("add", "0.0126"), "warning"),
    S("test-result-fail", "bare", "| ET_COMPONENT_SMOKE: FAIL\n", ("own test",)),
    S("test-result-fail", "bare", "| Test_result: SUMMARY 0/0 PASS\n", ("tested nothing", "embed")),
    S("operator-failed", "bare", "| Sending inference job\n| Node CONV_2D (number 3) failed to prepare with status 1\n| AllocateTensors() failed\n", ("CONV_2D",)),
    S("operator-failed", "bare", "| Type INT64 (4) not supported.\n| Node GATHER (number 5f) failed to invoke with status 1\n", ("GATHER", "INT64", "int8")),
    S("operator-failed", "bare", "| lib/tflm/kernels/conv_common.cc Hybrid models are not supported on TFLite Micro.\n"
      "| Node CONV_2D (number 7) failed to prepare with status 1\n", ("CONV_2D", "representative")),
    S("operator-failed", "bare", "| FullyConnected per-channel quantization not yet supported.\n"
      "| Node FULLY_CONNECTED (number 12f) failed to prepare with status 1\n", ("FULLY_CONNECTED", "per tensor")),
    S("execution-failed", "linux", "| INFO: NeutronDelegate delegate: 12 nodes delegated out of 15 nodes with 1 partitions.\n"
      "| Node number 15 (NeutronDelegate) failed to invoke.\n", ("Neutron", "neutron-converter")),
    S("execution-failed", "bare", "| Initialize Arm Ethos-U\n| Inference status: failed\n"),
    S("hard-fault", "bare", "| ***** HARD FAULT *****\n|   Fault escalation (see below)\n| ***** USAGE FAULT *****\n|   Unaligned memory access\n"
      "| Faulting instruction address = 0x2c14\n" * 2, ("Usage fault", "0x2c14", "16 bytes"), rows=(9,)),
    S("hard-fault", "bare", "| <err> os: ***** BUS FAULT *****\n| <err> os:   Precise data bus error\n| <err> os:   BFAR Address: 0x60338000\n"
      "| <err> os: Faulting instruction address (r15/pc): 0x1001f4e2\n", ("Bus fault", "around 0x60338000, which could not be accessed"), rows=(9,)),
    S("hard-fault", "bare", "| INFO - Ethos-U device initialised\n| Exception caught by function HardFault_Handler\n| CTRL    : 0x0000000c\n| IPSR    : 0x00000006\n"
      "| APSR    : 0xa0000000\n| xPSR    : 0xa0000006\n| PSP     : 0x00000000\n| MSP     : 0x2007fb58\n", ("Usage fault", "IPSR"), rows=(9,)),
    S("npu-bus-error", "bare", "| NPU status=0x804\n| Ethos-U invocation failed error (1)\n", ("interface 1",), rows=(19,)),
    S("npu-product-mismatch", "1.0", _RAN + "| E: NPU config mismatch. npu.product=2, optimizer.product=0 (ethosu_device_u85.c:210)\n" + _GAVE_UP,
      ("ethos-u85", "ethos-u55"), rows=(6,)),
    S("npu-arch-mismatch", "1.0", _RAN + "| E: NPU arch mismatch. npu.arch=1.1.0, optimizer.arch=2.0.0 (ethosu_device_u55_u65.c:320)\n" + _GAVE_UP,
      ("1.1.0", "2.0.0"), rows=(6,)),
    S("npu-driver-product", "1.0", "| E: Failed to initialize device. Driver has not been compiled for this product (ethosu_driver.c:413)\n| Failed to initialize NPU.\n"
      + _RAN + "E EthosUBackend.cpp:150 execute | ethosu_reserve_driver failed\n", ("ETHOSU_TARGET_NPU_CONFIG",), rows=(6,)),
    S("npu-driver-product", "main", OPEN_MAIN + DELEGATE + "E EthosUBackend.cpp:150 execute | Failed to parse product config from command stream\n", rows=(6,)),
    S("npu-bus-error", "1.0", _RAN + "| E: NPU status=0x00000804, qread=124, cmd_end_reached=0 (ethosu_driver.c:262)\n| E: NPU error(s) occured during inference. "
      "(ethosu_driver.c:265)\n" + _GAVE_UP + TRAP, ("0x00000804", "interface 1"), rows=(19,)),
    S("npu-bus-error", "linux", _BOARD + "| [   63.112233] ethosu 4a900000.npu: Error IRQ - 804\n| [   63.612233] ethosu 4a900000.npu: NPU sched timed out: "
      "NPU stopped, cmdstream offset 0x54: 0x4001\n", ("0x00000804", "device tree")),
    *(S(rule, "linux", _BOARD + f"| [   63.112233] ethosu 4a900000.npu: {said}\n" + _REFUSED, words) for rule, said, words in (
        ("npu-sram-too-small", "cmd stream region 2 size greater than SRAM size (524288 > 393216)", ("524288", "at most 393216 bytes")),
        ("npu-buffer-too-small", "cmd stream region 1 size greater than BO size (4096 > 2048)", ("4096", "2048")),
        ("npu-firmware-version", "Msg: Version mismatch detected! ", ("BSP",)),
        ("npu-firmware-missing", "could not boot a remote processor", ("/lib/firmware/ethosu_firmware",)),
        ("npu-firmware-missing", "Failed to send inference request. inf=0x00000000ad4b1c02, ret=-512", ("trace0",)),
        ("npu-firmware-refused", 'Msg: Error. type=1, msg="Invalid network"', ("Invalid network",)))),
    S("npu-stream-error", "linux", _BOARD + "| ethosu 4a900000.npu: Error IRQ - 10\n", ("0x00000010",)),
    S("npu-stream-error", "0.4", OPEN_04 + _EXECUTE_04 + "| E: NPU status=0x00000010, qread=0, cmd_end_reached=0\n" + _GAVE_UP_04, ("0x00000010",), rows=(19,)),
    S("npu-fault", "1.0", _RAN + "| E: NPU status=0x00000080, qread=44, cmd_end_reached=0\n" + _GAVE_UP, ("weight decoder",), rows=(19,)),
    S("npu-stopped", "1.0", _RAN + "| E: NPU status=0x00000022, qread=124, cmd_end_reached=1\n" + _GAVE_UP, ("0x00000022",), rows=(19,)),
    S("npu-timeout", "1.0", _RAN + "| E: NPU inference timed out. (ethosu_driver.c:246)\n" + _GAVE_UP, ("interrupt",), rows=(7,)),
    S("npu-timeout", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
      "E EthosUBackend_Cortex_A.cpp:300 | Ethos-U inference timed out after 60000000000 ns\n", rows=(7,)),
    S("npu-inference-failed", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
      "E EthosUBackend_Cortex_A.cpp:310 | Ethos-U inference failed with status ERROR\n", ("ERROR",), rows=(19,)),
    S("npu-inference-failed", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
      "E EthosUBackend_IMX.cpp:280 | Ethos-U inference failed: ERROR\n", ("ERROR",), rows=(19,)),
    S("npu-inference-failed", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
      "E EthosUBackend_Cortex_A.cpp:480 | Failed to invoke Ethos-U inference: errno=22 (Invalid argument)\n", ("errno=22",), rows=(19,)),
    S("npu-inference-failed", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
      "E EthosUBackend_Cortex_A.cpp:301 | Ethos-U Linux driver invocation failed: IOCTL failed\n", ("dmesg", "IOCTL failed"), rows=(19,)),
    *(S(rule, "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
        f"E EthosUBackend_Cortex_A.cpp:318 | Ethos-U Linux driver invocation failed: {said}\n", words) for rule, said, words in (
        ("npu-driver-version", "Unsupported kernel driver version: 1.2.0", ("1.2.0", "ethos-u-linux-driver-stack")),
        ("npu-driver-version", "IOCTL cmd=DRIVER_VERSION_GET failed: Inappropriate ioctl for device", ("modinfo",)),
        ("npu-memory-missing", "IOCTL cmd=BUFFERS_CREATE failed: Cannot allocate memory", ("CMA",)))),
    S("vela-stream-malformed", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
      "E EthosUBackend_IMX.cpp:120 | i.MX backend requires vela_model block in delegate payload. Re-export with updated arm_vela.py.\n", ("arm_vela.py",)),
    S("npu-interrupt", "1.0", "[executorch] Ethos-U platform init start irq=38 base=0x44600000\n[executorch] Ethos-U IRQ init failed: 0x00560001\n"
      "[executorch] Ethos-U platform init failed: -5\n", ("priority",), rows=(2,)),
    S("npu-not-responding", "1.0", "| E: ethosu_driver.c:452: Failed to initialize Ethos-U device\n" + _RAN, ("ethosu_driver.c:452",), rows=(7,)),
    S("npu-timeout", "1.0", _RAN + "| E: ethosu_driver.c:246: NPU inference timed out.\n" + _GAVE_UP, ("interrupt",), rows=(7,)),
    S("npu-not-responding", "1.0", "| E: Soft reset timed out (ethosu_device_u85.c:134)\n| Failed to initialize NPU.\n" + _RAN, ("power",), rows=(7,)),
    S("npu-scratch-missing", "main", _RAN + "E EthosUBackend.cpp:214 execute | Ethos-U scratch buffer is missing\n" + _GAVE_UP, ("needs_scratch_allocation",)),
    S("npu-driver-missing", "1.0", _RAN + "E EthosUBackend.cpp:150 execute | ethosu_reserve_driver failed\n" + _GAVE_UP),
    S("npu-driver-missing", "1.0", _RAN + "| E: No NPU driver handle registered at address 0x20001000. (ethosu_driver.c:640)\n" + _GAVE_UP, ("0x20001000",)),
    S("npu-driver-missing", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
      "E EthosUBackend_LinuxDriver.cpp:345 | Ethos-U Linux driver setup failed: Failed to open device\n", ("/dev/ethosu0",)),
    S("npu-driver-state", "1.0", _RAN + "| E: Inference already running, or waiting to be cleared... (ethosu_driver.c:560)\n" + _GAVE_UP, ("ethosu_wait()",)),
    S("vela-stream-misaligned", "bare", "| INFO - Ethos-U device initialised\n| INFO - Allocating tensors\n"
      "| Error: Command stream addr 0x20001234 not aligned to 16 bytes\n| ERROR - Invoke failed.\n", ("16-byte aligned",), rows=(18,)),
    S("npu-fast-memory-too-small", "1.0", _RAN + "| E: Fast memory area too small. fast_memory_size=65536, base_addr_size=393216\n" + _GAVE_UP,
      ("65536", "POOL_SIZE=393216")),
    S("vela-stream-misaligned", "1.0", _RAN + "| E: Command stream addr 0x70000078 not aligned to 16 bytes (ethosu_driver.c:301)\n" + _GAVE_UP, rows=(18,)),
    S("vela-stream-malformed", "1.0", _RAN + "| E: Custom Operator Payload: 12 is not correct, expected 31504f43 (ethosu_driver.c:670)\n" + _GAVE_UP, rows=(18,)),
    S("delegate-input-type", "1.0", _RAN + "E EthosUBackend.cpp:190 execute | Input 0 expected Integer (4 byte), Char (1 byte) or Bool (1 byte) integer inputs, got "
      "ScalarType id Float size 4\nE method.cpp:1600 execute_instruction | CALL_DELEGATE execute failed at instruction 1: 0x23\n", ("Float",), rows=(21,)),
    S("delegate-shape", "1.0", _RAN + "E EthosUBackend.cpp:200 execute | Input tensor sizes do not match\nE EthosUBackend.cpp:201 execute | Program expects 784 elements "
      "but got 100\nE method.cpp:1600 execute_instruction | CALL_DELEGATE execute failed at instruction 1: 0x23\n", ("784", "100"), rows=(21,)),
    S("delegate-layout", "main", OPEN_MAIN + DELEGATE + "E EthosUBackend.cpp:260 execute | Ethos-U output 0 tensor bytes 100 not divisible by chunk count 3\n"
      "E method.cpp:1600 execute_instruction | CALL_DELEGATE execute failed at instruction 1: 0x23\n"),
    # execution
    S("operator-failed", "bare", "| /w/micro/kernels/a_common.cc:78 num_input != num_output (1600 != 32)\n| /w/micro/kernels/a_common.cc:90 Check(a) != kTfLiteOk (1 != 0)\n"
      "| Node RESHAPE (number 7f) failed to prepare with status\n", ("RESHAPE", "1600 != 32")),
    S("operator-failed", "bare", "| kernels/b.cc:98 input->type != output->type (1 != 9)\n| Node SOFTMAX (number 7f) failed to prepare with status 1\n",
      ("SOFTMAX", "integer quantisation")),
    S("operator-failed", "1.0", _RAN + "E op_add.cpp:40 add_out | Check failed (tensors_have_same_dim_order(a, b, out)): \n"
      "E method.cpp:1500 execute_instruction | KernelCall failed at instruction 0:2 in operator aten::add.out: 0x12\n"
      "F arm_executor_runner.cpp:1060 run_model | In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x12\n",
      ("aten::add.out", "0x12")),
    S("operator-failed", "main", _RAN + "E memory_allocator.h:77 allocate | allocate() on zero-capacity allocator\n"
      "E method.cpp:1500 execute_instruction | KernelCall failed at instruction 0:2 in operator aten::mean.out: 0x21\n",
      ("aten::mean.out", "Build the runner with a temp pool")),
    S("operator-failed", "1.0", _RAN + "F op_dequantize_per_tensor.cpp:44 check_dequantize_args | In function check_dequantize_args(), assert failed "
      "(input.scalar_type() == dtype): input.scalar_type() 11 does not match dtype 1\n", ("dequantize_per_tensor", "11 is bool", "1 is int8")),
    S("execution-failed", "0.4", OPEN_04 + _EXECUTE_04 + "I arm_executor_runner.cpp:470 | Execution of method forward failed with status 0x1\n", ("0x01",)),
    S("hung", "linux", _BOARD + "I executor_runner.cpp:779 main | Iteration 1 of 500: 0.014692 ms\nI executor_runner.cpp:779 main | Iteration 2 of 500: 0.012999 ms\n",
      ("between two inferences",), rows=(7,)),
    S("time-limit", "linux", _BOARD + "I executor_runner.cpp:779 main | Iteration 1 of 500: 0.014692 ms\n"
      "| timeout: sending signal TERM to command \u2018./executor_runner\u2019\n", ("--num_executions=N",), rows=(8,)),
    S("results-not-written", "linux", _BOARD + "I executor_runner.cpp:789 main | Model executed successfully 1 time(s) in 0.019489 ms.\n"
      "E executor_runner.cpp:253 main | Failed to open ETDump file at /mnt/x.etdump.\nF executor_runner.cpp:871 main | In function main(), assert failed "
      "(status == Error::Ok): Failed to save ETDump file.\n", ("had already run by then", "--etdump_path")),
    S("results-not-written", "1.0", _RAN + "I arm_executor_runner.cpp:990 print_outputs | Writing output to file: out-0.bin\n"
      "E arm_executor_runner.cpp:1002 print_outputs | Could not open output file out-0.bin (errno: 2)\n" + COMPLETE, ("out-0.bin", "semihosting-cwd"), "warning"),
    S("hung", "1.0", _RAN, ("interrupt", "waits for the NPU"), rows=(7,)),
    S("hung", "0.4", OPEN_04 + _EXECUTE_04, rows=(7,)),
    S("hung", "0.4", OPEN_04 + "I arm_executor_runner.cpp:445 | Method loaded.\nI arm_executor_runner.cpp:463 | Starting the model execution...\n",
      ("Nothing in it concerns an NPU", "its fault handler prints nothing", "interrupt"), rows=(7,)),
    S("time-limit", "1.0", BANNER + _RAN + "| Info: Simulation is stopping. Reason: CPU time has been exceeded.\n", ("--timeout",), rows=(8, 7)),
    S("time-limit", "0.4", BANNER + OPEN_04 + "| Info: Simulation is stopping. Reason: Simulated time has been exceeded.\n", ("--simlimit",), rows=(8,)),
    S("hard-fault", "1.0", OPEN_10 + "| qemu: fatal: Lockup: can't escalate 3 to HardFault (current priority -1)\n| Aborted (core dumped)\n", ("inside a fault handler",)),
    S("hard-fault", "bare", "| *** Booting Zephyr OS build v4.3.0 ***\n| I: Starting the model execution...\n| ASSERTION FAIL [sem->limit] @ WEST_TOPDIR/zephyr/kernel/sem.c:50\n"
      "| >>> ZEPHYR FATAL ERROR 4: Kernel panic on CPU 0\n", ("A failed assertion", "sem.c:50")),
    S("hard-fault", "bare", "| *** Booting Zephyr OS build v4.3.0 ***\n| I: Starting the model execution...\n| FATAL ERROR: SecureFault\n"
      "| Here is some context for the exception:\n|     EXC_RETURN (LR): 0xFFFFFFAD\n|     Exception came from non-secure FW in thread mode.\n"
      "|         PC:   0x0003D7B6\n", ("Secure fault", "non-secure FW", "0x0003D7B6")),
    S("etdump-buffer-full", "1.0", OPEN_10 + "E buffer_data_sink.cpp:47 write | Ran out of space to store intermediate outputs.\n"
      "F etdump_flatcc.cpp:398 log_evalue | In function log_evalue(), assert failed (offset.ok()): write_tensor_or_return_error() failed to write tensor to debug buffer\n",
      ("ET_DEBUG_BUFFER_SIZE",)),
    S("sanitizer-report", "1.0", OPEN_10 + "| [ASAN] store4 of size 4 at 0x70b00210 failed: poisoned shadow (region=DDR)\n"
      "| Hard fault. irq=-13, pc=0x1000083c, lr=0x1000082d, xpsr=0x61100000, sp=0x3007fc28\n", ("wrote 4 bytes at 0x70b00210", "addr2line")),
    S("sanitizer-report", "1.0", OPEN_10 + "| [UBSAN] /w/kernels/op_b.cpp:41:12: division by zero on type 'int'\n", ("division by zero", "op_b.cpp:41:12")),
    S("hard-fault", "1.0", OPEN_10 + "| Hard fault. irq=-13, pc=0x00000000, lr=0x1000082d, xpsr=0x61100000, sp=0x3007fc28\n"
      "|             cfsr=0x00020000 bfar=0x00000000 mmfar=0x00000000\n", ("invalid state", ".got"), rows=(9,)),
    S("hard-fault", "0.4", OPEN_04 + "| Hard fault. irq=-13, pc=0x1000083c, lr=0x1000082d, xpsr=0x61100000, sp=0x3007fc28\n"
      "|             cfsr=0x00008200 bfar=0x0f000007\n", ("0x0f000007",), rows=(9,)),
    S("hard-fault", "1.0", OPEN_10 + "| Hard fault. irq=-13, pc=0x1000083c, lr=0x1000082d, xpsr=0x61100000, sp=0x3007fc28\n"
      "|             cfsr=0x00100000 bfar=0x00000000 mmfar=0x00000000\n", ("stack",), rows=(9,)),
    S("hard-fault", "1.0", OPEN_10 + "| *** BUSFAULT ***\n", rows=(9,)),
    S("hard-fault", "1.0", OPEN_10 + "|  --- Fault (v1.0.0) ---\n|\n|   Exception Handler:   HardFault\n|   Mode:                Thread\n"
      "|   Fault:               BusFault - Data access failure due to bus fault (precise), fault address 0x62000000\n|   Program Counter:     0x1000054A\n|\n"
      "|   Fault Registers:\n|    - CFSR:             0x00008200\n|    - HFSR:             0x40000000\n|    - BFAR:             0x62000000\n",
      ("precise data bus error", "around 0x62000000, which could not be accessed"), rows=(9,)),
    S("hard-fault", "zephyr", "| *** Booting Zephyr OS build v4.2.0 ***\nI main.cpp:2 main | Model PTE at 0x800774a0, Size: 3380576 bytes\n"
      "| <err> os: ***** USAGE FAULT *****\n| <err> os:   Illegal use of the EPSR\n| <err> os: Faulting instruction address (r15/pc): 0x00000000\n"
      "| <err> os: >>> ZEPHYR FATAL ERROR 35: Unknown error on CPU 0\n", ("USAGE FAULT", "r15/pc"), rows=(9,)),
    S("hard-fault", "bare", "| ++ MbedOS Fault Handler ++\n|\n| FaultType: HardFault\n| PC   : 00000000\n| LR   : 00001893\n| CFSR : 00020000\n",
      ("invalid state", ".got"), rows=(9,)),
    S("execution-failed", "0.4", "F main.cpp:214 | In function main(), assert failed (method->execute() == Error::Ok): Inference failed\n", ("Inference failed",)),
    S("program-aborted", "0.4", "E bpe.cpp:155 | token 900 is outside of the 512 that there are\n| Aborted (core dumped)\n", ("token 900", "gdb")),
    S("fatal-message", "1.0", OPEN_10 + "E thing.cpp:3 thing | Something is wrong with the board\nF thing.cpp:4 thing | In function thing(), assert failed (ok)\n",
      ("Something is wrong",)),
    S("simulator-critical", "1.0", BANNER + OPEN_10 + "| [critical] Address 0x0 is not mapped\n"),
    S("runner-killed", "linux", _BOARD + "| [ 1234.567890] Out of memory: Killed process 612 (executor_runner) total-vm:812344kB, anon-rss:402112kB\n| Killed\n",
      ("The kernel killed executor_runner", "free -m")),
    S("runner-killed", "linux", _BOARD + "| Killed\n| root@imx93evk:~#\n", ("most likely out of memory",)),
    S("runner-killed", "1.0", OPEN_10 + "| run_fvp.sh: line 121:    78 Killed                  ${nobuf} ${fvp_model}\n", ("was killed",)),
    S("exit-code", "1.0", OPEN_10 + "| Application exit code: 3.\n", ("3",)),
    S("board-reset", "1.0", _RAN + "| Reset cause: WATCHDOG (firmware hang)\n" + OPEN_10 + COMPLETE, ("watchdog reset the board at stage execute", "WATCHDOG")),
    S("board-reset", "main", OPEN_MAIN + DELEGATE + "| Watchdog reset!\n", ("Feed the watchdog",)),
    S("board-reset", "1.0", _RAN + "| ESP-ROM:esp32s3-20210327\n| rst:0x7 (TG0WDT_SYS_RST),boot:0x8 (SPI_FAST_FLASH_BOOT)\n", ("TG0WDT_SYS_RST",)),
    S("board-reset", "0.4", OPEN_04 + "| Reset reason: Brown-out\n", ("supply", "at stage plan")),
    S("board-reset", "0.4", OPEN_04 + _EXECUTE_04 + "| Reset reason: LOCKUP\n", ("locked up",)),
    S("board-reset", "0.4", OPEN_04 + _EXECUTE_04 + "| Reset reason: pin\n", ("The board was reset at stage execute", "button, supply or debugger")),
    S("truncated-log", "1.0", OPEN_10, ("Program complete",)),
    # results
    S("bundleio-fail", "1.0", _RAN + _REPORT.format(op=100, run=200, cpu="50.00", npu="50.00", wait=100) + """
I arm_executor_runner.cpp:1282 verify_result | === Error stats for testset 0 ===
I arm_executor_runner.cpp:1284 verify_result |  max_absolute_error:  0.031250
E arm_executor_runner.cpp:1290 verify_result | Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000
E arm_executor_runner.cpp:1291 verify_result | TEST: BundleIO index[0] Test_result: FAIL
E arm_executor_runner.cpp:1300 run_model | Bundle verification failed with status 0x10
I arm_executor_runner.cpp:1355 run_model | Model run: 0
F arm_executor_runner.cpp:1400 main | In function main(), assert failed (model_ok == true): Problem running model
""", ("0.03125", "ET_ATOL=0.033"), rows=(20,)),
    S("bundleio-fail", "0.4", OPEN_04 + _EXECUTE_04 + """
I arm_executor_runner.cpp:475 | Model executed successfully.
E arm_executor_runner.cpp:700 | Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000
E arm_executor_runner.cpp:701 | TEST: BundleIO index[0] Test_result: FAIL
F arm_executor_runner.cpp:705 | In function main(), assert failed (status == Error::Ok): Bundle verification failed with status 0x10
""", rows=(20,)),
    S("bundleio-fail", "1.0", _RAN + "E arm_executor_runner.cpp:1290 verify_result | Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000\n",
      ("do not match", "does not say how far apart they are"), rows=(20,)),
    S("bundleio-fail", "1.0", _RAN + """
E bundled_program.cpp:378 compute_method_output_error_stats | No bundled expected outputs, so we can't verify the method outputs.
I arm_executor_runner.cpp:1277 verify_result | === Error calculating stats for testset 0 ERROR:18 ===
E arm_executor_runner.cpp:1290 verify_result | Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000
E arm_executor_runner.cpp:1291 verify_result | TEST: BundleIO index[0] Test_result: FAIL
E arm_executor_runner.cpp:1300 run_model | Bundle verification failed with status 0x10
""", ("could not be compared", "The bundle has only inputs", "expected_outputs"), rows=(20,)),
    S("bundleio-fail", "1.0", _RAN + "| [TEST] mv2 Test_result: FAIL\n" + COMPLETE),
    S("bundleio-fail", "1.0", _RAN + COMPLETE + "| [run_fvp.sh] Simulation complete, 0\n| [run_fvp.sh] Bundled I/O check FAILED for mv2.bpte\n"),
    S("bundle-not-checked", "1.0", _RAN + COMPLETE + "| [run_fvp.sh] Simulation complete, 0\n| [run_fvp.sh] No Test_result line found in FVP output for mv2.bpte\n",
      ("mv2.bpte", "--bundleio"), "warning"),
    S("script-status", "1.0", _RAN + COMPLETE + "| [run_fvp.sh] Simulation complete, 139\n| [run_fvp.sh] FVP launch or execution failed\n",
      ("139", "FVP launch or execution failed"), "warning"),
    S("script-status", "1.0", _RAN + COMPLETE + "| [run_fvp.sh] Simulation complete, 0\n| [run_fvp.sh] No successful model execution found in log\n",
      ("No successful model",), "warning"),
    S("truncated-log", "1.0", OPEN_10 + "| [run_fvp.sh] Simulation complete, 127\n| [run_fvp.sh] FVP launch or execution failed\n", ("127", "not found")),
    S("outputs-not-expected", "zephyr", "| *** Booting Zephyr OS build v4.2.0 ***\nI main.cpp:2 main | Model PTE at 0x800774a0, Size: 3380576 bytes\n"
      "I main.cpp:3 main | --- Starting inference ---\nI main.cpp:4 main | Inference completed in 9 ms\n"
      "I main.cpp:5 main | WARNING: Output differs from expected values\nI main.cpp:6 main | Keyword Spotting Demo Complete\n"
      "I main.cpp:7 main | Result: FAIL\n", ("differs",)),
    S("test-result-fail", "bare", _PACK + "| Output: 3 element(s): 0.1250 0.5000 -0.2500\n| Test_result: FAIL\n", ("own test",)),
    S("test-result-fail", "bare", "| Ethos-U version info:\n| Tensorflow LiteRT Hello World!\n| ~~~TESTS FAILED~~~ (max delta 0.310 > 0.10)\n", ("0.310",)),
    S("camera-silent", "bare", "| Ethos-U55 device initialised\n| initial done\n| OV5647 off by app fail\n", ("cable", "CIS_SUPPORT_INAPP_MODEL")),
    S("execution-failed", "bare", _PACK + "| forward failed (err=33)\n", ("0x21", "temp pool")),
    S("output-size-differs", "main", OPEN_MAIN + DELEGATE + "E EthosUBackend.cpp:405 copy_with_layout_adjustment | Ethos-U output 0 expansion factor 4 with element "
      "size 1 not supported\nE method.cpp:1300 execute_instruction | CALL_DELEGATE execute failed at instruction 0: 0x23\n", ("4 times", "#19364")),
    S("model-run-0", "1.0", _RAN + "I arm_executor_runner.cpp:1355 run_model | Model run: 0\n"),
    S("outputs-not-computed", "0.4", OPEN_04 + _EXECUTE_04 + """
I arm_executor_runner.cpp:470 | Execution of method forward failed with status 0x21
I arm_executor_runner.cpp:480 | 1 outputs: 
| Output[0][0]: 0.000000
| Output[0][1]: 0.000000
""" + COMPLETE, ("are not results",), "warning"),
    S("outputs-not-finite", "1.0", _RAN + _REPORT.format(op=100, run=200, cpu="50.00", npu="50.00", wait=100)
      + "I arm_executor_runner.cpp:1059 print_outputs | 1 outputs: \n| Output[0][0]: (float) inf\n| Output[0][1]: (float) 1.000000\n"
      "| Output[0][2]: (float) nan\n" + COMPLETE, ("2 of its first 3",), "warning"),
    S("outputs-all-equal", "1.0", _RAN + _REPORT.format(op=100, run=200, cpu="50.00", npu="50.00", wait=100)
      + "I arm_executor_runner.cpp:1059 print_outputs | 1 outputs: \n" + _OUTPUTS + COMPLETE, ("0.1",), "warning", (20,)),
    # figures
    S("execution-not-logged", "1.0", OPEN_10 + COMPLETE, ("lost",), "warning", (5, 6)),
    S("cpu-cycles-not-counted", "1.0", _RAN + _REPORT.format(op=0, run=0, cpu="?.??", npu="?.??", wait=0) + COMPLETE, ("?.??",), "warning", (10,)),
    S("operator-cycles-not-counted", "0.4", OPEN_04 + _EXECUTE_04.replace("ArmBackend::init", "EthosUBackend::init") + """
I arm_perf_monitor.cpp:133 | NPU Inferences : 1
I arm_perf_monitor.cpp:138 | ethos-u : cycle_cnt : 0 cycles
I arm_perf_monitor.cpp:145 | Operator(s) total: 0 CPU cycles
I arm_perf_monitor.cpp:151 | Inference runtime: 6925114 CPU cycles total
I arm_perf_monitor.cpp:181 | ethosu_pmu_cycle_cntr : 4738932
I arm_executor_runner.cpp:675 | Model executed successfully.
I arm_executor_runner.cpp:783 | Program complete, exiting.
""", ("cycle_cnt : 0",), "warning", (11,)),
    S("fvp-ratio-not-time", "1.0", BANNER + _RAN + _REPORT.format(op=18301, run=1070301, cpu="99.95", npu="0.05", wait=505) + COMPLETE,
      ("99.95",), "warning", (12,)),
    S("npu-not-used", "1.0", OPEN_10 + DELEGATE.split("\n", 2)[2] + "I arm_perf_monitor.cpp:139 StopMeasurements | NPU Inferences : 1\n"
      "I arm_perf_monitor.cpp:140 StopMeasurements | NPU delegations: 0 (0.00 per inference)\n" + COMPLETE, (), "warning", (14,)),
    S("ticks-not-time", "bare", "| InitializeKeywordRunner took 61 ticks (0 ms).\n| KeywordRunNIerations(10) took 244 ticks (0 ms)\n", ("10",), "info"),
    S("newlib-nano-shift", "bare", "| I [executorch:arm_executor_runner.cpp:zu ()] main\n" + "| I [executorch:arm_executor_runner.cpp:zu ()] runner_init\n" * 5,
      ("main, runner_init", "6 lines", "nano.specs"), rows=(24,)),
    S("newlib-nano-shift", "1.0", _RAN + "I arm_perf_monitor.cpp:198 StopMeasurements | Ethos-U PMU report:\n"
      "I arm_perf_monitor.cpp:205 StopMeasurements | ethosu_pmu_cntrzd : 0\n" + COMPLETE, ("cntrzd",), "warning", (24,)),
    S("false-success", "bare", "| /w/FVP_Corstone_SSE-320: cannot execute binary file\n| [run_fvp.sh] Simulation complete, 0\n| No problems found!\n", (), "warning", (23,)),
)  # fmt: skip
