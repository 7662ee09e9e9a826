"""Samples of what goes wrong before the first inference: launch, program, memory, kernels, backends, inputs."""

from __future__ import annotations

from .samples import BANNER, DELEGATE, OPEN_04, OPEN_10, OPEN_MAIN, OPEN_ZEPHYR, TRAP, load_failed
from .samples import Sample as S

_SCRIPT_END = """
| [backends/arm/scripts/run_fvp.sh] Simulation complete, 0
| Checking for a etdump in log
| Checking for problems in log:
| No problems found!
"""
_COMMAND = """
| Running /w/arm_executor_runner for ethos-u55-128 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:128 timeout:600
"""
_LIMIT = "\n| Info: Simulation is stopping. Reason: CPU time has been exceeded.\n"
_ALLOCATION = "E memory_allocator.h:88 allocate | Memory allocation failed: {}B requested (adjusted for alignment), {}B available\n"
_DTYPES = """
I operator_registry.cpp:257 get_op_function_from_registry | dtype: 6 | dim order: [
I operator_registry.cpp:257 get_op_function_from_registry | 0,
I operator_registry.cpp:257 get_op_function_from_registry | ]
"""

_KIT = "| INFO - Ethos-U device initialised\n| INFO - MACs/cc: 256\n| INFO - Allocating tensors\n"

_OPEN_LINUX = """
I executor_runner.cpp:476 | Model file m.pte is loaded.
I executor_runner.cpp:486 | Using method forward
I executor_runner.cpp:556 | Setting up CPU planned buffer 0, size 32.
"""
_UNPARSED = "E executor_runner.cpp:473 | Failed to parse model file m.pte\n"

LOAD_SAMPLES: tuple[S, ...] = (
    # never started
    S("wrong-architecture", "bare", _COMMAND + "| /w/FVP_Corstone_SSE-300_Ethos-U55: cannot execute binary file: Exec format error" + _SCRIPT_END,
      ("No problems found!", "machine"), rows=(23,)),
    S("wrong-architecture", "bare", "| /w/FVP_Corstone_SSE-320: Bad CPU type in executable", rows=(23,)),
    *(S("wrong-architecture", "bare", _COMMAND + f"| {text}" + _SCRIPT_END, ("uname -m",), rows=(23,)) for text in (
        "rosetta error: failed to open elf at /lib64/ld-linux-x86-64.so.2", "Bad CPU type in executable", "zsh: exec format error: FVP_Corstone_SSE-320",
        "qemu-x86_64: Could not open '/lib64/ld-linux-x86-64.so.2': No such file or directory")),
    S("wrong-architecture", "bare", "| -sh: ./executor_runner: cannot execute binary file: Exec format error\n", ("file executor_runner",)),
    S("log-not-writable", "bare", _COMMAND + "| tee: /tmp/arm_executor.log: Permission denied" + _SCRIPT_END, ("sudo rm /tmp/arm_executor.log",)),
    S("not-executable", "bare", "| run_fvp.sh: line 9: /w/FVP_Corstone_SSE-320: Permission denied\n", ("chmod +x /w/FVP_Corstone_SSE-320",)),
    S("simulator-killed", "bare", _COMMAND + "| Killed" + _SCRIPT_END, ("dmesg",)),
    S("wrong-cpu", "bare", "| root@imx93evk:~# ./executor_runner --model_path=mv2_u65.pte\n| Illegal instruction\n| root@imx93evk:~#\n", ("/proc/cpuinfo",)),
    S("runner-crashed", "bare", "| run.sh: line 4:  4323 Segmentation fault      (core dumped) ./executor_runner --model_path a.pte\n", ("gdb --args", "another .pte")),
    S("runner-crashed", "linux", _OPEN_LINUX + "| Segmentation fault (core dumped)\n", ("stage plan", "gdb --args")),
    S("runner-crashed", "bare", "| $ ./executor_runner --model_path=a.pte\n| Segmentation fault (core dumped)\n", ("gdb --args",)),
    S("docker-missing", "bare", _COMMAND + "| /usr/local/bin/FVP_Corstone_SSE-300_Ethos-U55: line 9: docker: command not found" + _SCRIPT_END,
      ("docker",), rows=(23,)),
    S("docker-missing", "bare", "| Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", rows=(23,)),
    S("download-failed", "bare", _COMMAND + '| docker: Error response from daemon: Get "https://registry-1.docker.io/v2/": net/http: TLS handshake timeout.\n', ("proxy",)),
    S("launcher-not-found", "bare", _COMMAND + "| run_fvp.sh: line 185: FVP_Corstone_SSE-300_Ethos-U55: command not found" + _SCRIPT_END,
      ("setup_path.sh",), rows=(23,)),
    S("launcher-not-found", "bare", "| Could not find FVP_Corstone_SSE-320 on PATH, Setup paths by running setup.sh", rows=(23,)),
    S("library-missing", "bare", "| /w/FVP_Corstone_SSE-320: error while loading shared libraries: libpython3.9.so.1.0: cannot open shared object file: "
      "No such file or directory", ("libpython3.9",), rows=(23,)),
    S("licence-refused", "bare", _COMMAND + "| Error: License checkout failed for feature SG_Simulator", ("licence",)),
    S("licence-refused", "bare", _COMMAND + "| FVP_Corstone_SSE-320: No valid licence could be found, access denied."),
    S("never-started", "bare", BANNER, (), rows=(23,)),
    S("image-not-loaded", "bare", BANNER + "| Warning: Failed to write bytes at address range [0x20040000..0x2005FFFF] when loading image \"out/app.axf\".\n",
      ("0x20040000", "CFGITCMSZ")),
    S("image-not-loaded", "bare", BANNER + '| Warning: Failed to write bytes at address range [0x00000000..0x0009A3FF] when loading image "out/app.axf".\n' + TRAP,
      ("0x0009A3FF", "before its first line")),
    S("simulator-crashed", "bare", BANNER + "| ./run.sh: line 3: 12345 Segmentation fault      (core dumped) FVP_Corstone_SSE-300_Ethos-U55 -C ethosu.num_macs=128 -a a.elf",
      ("Segmentation fault",)),
    S("port-in-use", "bare", "| qemu-system-arm: -gdb tcp::1234: Failed to find an available port: Address already in use", ("ss -ltnp",)),
    S("other-target", "bare", "| Running /w/arm_executor_runner for ethos-u65-256 is not supported", ("1.4 or later", "FVP_Corstone_SSE-300_Ethos-U65")),
    S("other-target", "bare", "| Running /w/arm_executor_runner for ethos-u75-256 is not supported", ("ethos-u75-256",)),
    S("simulator-option", "bare", '| qemu-system-arm: unsupported machine type: "mps4-an555"\n| Use -machine help to list supported machines\n', ("mps4-an555",)),
    S("simulator-option", "bare", "| $ FVP_Corstone_SSE-300_Ethos-U55 -C ethosu.num_mac=128 -a a.elf\n| Error: FVP_MPS3_Corstone_SSE_300: parameter 'ethosu.num_mac' not found\n",
      ("ethosu.num_mac", "--list-params")),
    S("firmware-refused", "bare", "| [  627.550624] imx-rproc imx93-cm33: Translation failed: da = 0x20000000 len = 0x20000\n"
      "| [  627.550669] remoteproc remoteproc0: bad phdr da 0x20000000 mem 0x20000\n| [  627.551016] remoteproc remoteproc0: Boot failed: -22\n", ("0x20000000", "readelf -l")),
    S("firmware-refused", "bare", "| [   21.120001] remoteproc remoteproc0: Booting fw image a.elf, size 614984\n| [   21.130001] remoteproc remoteproc0: Boot failed: -22\n",
      ("-22: most often", "reserved region")),
    S("firmware-refused", "bare", "| [   21.130001] remoteproc remoteproc0: request_firmware failed: -2\n", ("/lib/firmware",)),
    S("firmware-refused", "bare", "| [   21.130001] remoteproc remoteproc0: can't start rproc imx-rproc: -110\n", ("echo stop",)),
    S("model-not-compiled", "bare", "| Capabilities:\n|     version_status:1\n| Error: Only support models compiled by vela.\n", ("--accelerator-config",)),
    S(
        "system-config-of-another-npu", "bare",
        "| Network summary for m\n| Accelerator configuration               Ethos_U55_128\n| System configuration               Ethos_U65_High_End\n"
        "| Memory mode                               Sram_Only\n| Accelerator clock                                1000 MHz\n|\n| CPU operators = 0 (0.0%)\n"
        "| NPU operators = 13 (100.0%)\n", ("Ethos_U55_High_End_Embedded",), "warning",
    ),
    S("middleware-not-ready", "bare", "| MTB Tflite-Micro inference\n| MTB ML initialization failure: 84017154\n", ("0x05020002", "heap")),
    S("board-not-reached", "bare", "| Info : clock speed 2000 kHz\n| Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\n| Error: open failed\n| ** OpenOCD init failed **\n", ("udev",)),
    S("no-image", "bare", "| *** Booting MCUboot v2.1.0-rc1-134-gb9d69dd2a2d6 ***\n| *** Using Zephyr OS build v4.0.0 ***\n| I: Starting bootloader\n"
      "| W: Failed reading image headers; Image=0\n| E: Unable to find bootable image\n", ("zephyr.signed.hex",)),
    S("board-not-reached", "bare", "| Connecting to J-Link via USB...FAILED: Cannot connect to J-Link.\n", ("J-Link",)),
    S("board-not-reached", "bare", "| ****** Error: Failed to power up DAP\n| J-Link connection not established\n", ("power up DAP",)),
    S("never-started", "bare", _COMMAND + _SCRIPT_END, ("No problems found!",), rows=(23,)),
    S("never-started", "bare", _COMMAND + "| [run_fvp.sh] Simulation complete, 1\n| [run_fvp.sh] FVP launch or execution failed\n", ("status 1", "FVP launch or execution failed")),
    S("never-started", "bare", "| [backends/arm/scripts/run_fvp.sh] No successful model execution found in log\n", ("No successful model execution",)),
    S("runner-silent", "bare", BANNER + _LIMIT, ("semihosting",), rows=(22,)),
    S("other-program", "bare", BANNER + "| Hello from a board\n" + _LIMIT, ("console has text",), rows=(23,)),
    S("other-program", "bare", BANNER.split("|\n")[0] + "| Hello World 0\n" + _LIMIT, ("console has text",), rows=(23,)),
    S("runner-silent", "bare", BANNER.split("|\n")[0] + "| libGL error: no screens found\n" + _LIMIT, ("semihosting",), rows=(22,)),
    S("storage-not-mounted", "1.0", "I esp_pal.cpp:60 | ESP32 ExecuTorch runner initialized. Free heap: 391240 bytes.\n"
      "E esp_executor_runner.cpp:380 | SPIFFS partition not found\n", ("label storage",)),
    S("input-file-missing", "1.0", """
I arm_executor_runner.cpp:1406 main | Running executor with parameter:
I arm_executor_runner.cpp:1426 main |    -m nope.pte
I arm_executor_runner.cpp:1480 main | Reading pte model from file nope.pte
F arm_executor_runner.cpp:554 read_binary_file | Could not open file nope.pte (errno: 2) for reading, exiting!
E arm_executor_runner.cpp:1484 main | Reading pte model from file nope.pte ERROR Out of memory
""", ("nope.pte", "does not exist"), rows=(22,)),
    S("input-file-unreadable", "1.0", """
I arm_executor_runner.cpp:1406 main | Running executor with parameter:
I arm_executor_runner.cpp:1480 main | Reading pte model from file m.pte
E arm_executor_runner.cpp:1484 main | Reading pte model from file m.pte ERROR Out of memory
""", ("every read failure",), rows=(22,)),
    S("input-pool-too-small", "1.0", """
I arm_executor_runner.cpp:1406 main | Running executor with parameter:
I arm_executor_runner.cpp:1480 main | Reading pte model from file large.pte
E memory_allocator.h:88 allocate | Memory allocation failed: 70000000B requested (adjusted for alignment), 62914560B available
F arm_executor_runner.cpp:570 read_binary_file | Failed to allocate input file size:70000000
E arm_executor_runner.cpp:1484 main | Reading pte model from file large.pte ERROR Out of memory
""", ("large.pte has 70000000 bytes", "62914560 bytes were left", "the other files that it reads need room as well"), rows=(22,)),
    S("input-file-unreadable", "main", """
I arm_executor_runner.cpp:1406 main | Running executor with parameter:
I arm_executor_runner.cpp:1426 main |    -m empty.pte
I arm_executor_runner.cpp:1480 main | Reading pte model from file empty.pte
F arm_executor_runner.cpp:1500 main | Model data is not initialized
""", ("is empty",)),
    S("input-file-unreadable", "linux", "I executor_runner.cpp:416 | Loading tensor data from .ptd file.\n"
      "E flat_tensor_data_map.cpp:247 | Failed to parse FlatTensor header with error code 32. File may be corrupt.\n"
      "F executor_runner.cpp:429 | In function main(), assert failed (ptd_data_map_result.ok()): FlatTensorDataMap::load() failed for PTD file: 0x24\n",
      ("FlatTensor header",)),
    S("program-load-failed", "linux", "E program.cpp:168 | Program identifier ':x:0' != expected 'ET12'\n" + _UNPARSED, ("The file does not", "the wrong file"), rows=(17,)),
    S("program-load-failed", "linux", "E program.cpp:168 | Program identifier 'BP08' != expected 'ET12'\n" + _UNPARSED, ("--bundleio",), rows=(17,)),
    S("program-load-failed", "linux", "E file_data_loader.cpp:155 | File m.pte: offset 0 + size 64 > file_size_ 16, or overflow detected\n" + _UNPARSED,
      ("is empty or was cut off",), rows=(17,)),
    S("program-load-failed", "linux", "E bundled_program.cpp:554 | Unrecognized bundled program flatbuffer identifier 'ET12'\nF example_runner.cpp:133 | In function "
      "main(), assert failed (status == Error::Ok): get_program_data() failed on file 'm.pte': 0x10\n", ("without bundled inputs", ".bpte")),
    S("runner-parameters", "1.0", """
I arm_executor_runner.cpp:1406 main | Running executor with parameter:
F arm_executor_runner.cpp:1446 main | Not right number of parameters!
F arm_executor_runner.cpp:1447 main | app -m model.pte -i input.bin [-i input2.bin] -o output_basename
F arm_executor_runner.cpp:1448 main | Exiting!
"""),
    S("board-memory-full", "bare", "| Ethos-U55 device initialised\n| Model buffer loaded, has 1 methods\n| Setting up planned buffer 0, size 12288.\n"
      "| Error: mm_reserve_align failed for planned buffer 0\n", ("12.0 KiB", "temp pool", "in flash")),
    # the program
    S("program-load-failed", "0.1", """
I main.cpp:68 | Model PTE file loaded. Size: 960 bytes.
E program.cpp:108 | Program identifier '\ufffd\ufffd X' != expected 'ET12'
I main.cpp:72 | Program loading failed @ 0x0x20000E20: 0x23
F result.h:165 | In function CheckOk(), assert failed: hasValue_
""", ("0x20000E20", "ET12", "0x23"), rows=(17,)),
    S("program-load-failed", "main", """
I arm_executor_runner.cpp:1523 main | PTE @ 0x70000000 [----BP08]
I arm_executor_runner.cpp:677 runner_init | PTE Model data loaded. Size: 18656 bytes.
E program.cpp:168 load | Program identifier 'BP08' != expected 'ET12'
F arm_executor_runner.cpp:685 runner_init | In function runner_init(), assert failed (program_result.ok()): Program loading failed @ 0x70000000: 0x23
""" + TRAP, ("--bundleio",), rows=(17,)),
    S("program-load-failed", "1.0", """
I arm_executor_runner.cpp:1211 main | PTE @ 0x70000004 [----ET12]
E program.cpp:90 load | Program data 0x0x70000004 must be aligned to 16
I arm_executor_runner.cpp:585 runner_init | Program loading failed @ 0x0x70000004: 0x12
F result.h:170 CheckOk | In function CheckOk(), assert failed: hasValue_
""", ("aligned",), rows=(17,)),
    S("program-load-failed", "1.0", """
I arm_executor_runner.cpp:1211 main | PTE @ 0x70000000 [----ET12]
E program.cpp:100 load | Verification failed; data may be truncated or corrupt
I arm_executor_runner.cpp:585 runner_init | Program loading failed @ 0x0x70000000: 0x23
""", ("truncated",), rows=(17,)),
    S("program-load-failed", "main", """
I arm_executor_runner.cpp:1274 main | PTE @ 0x70000000 [----ET12]
I arm_executor_runner.cpp:602 runner_init | PTE Model data loaded. Size: 20 bytes.
E buffer_data_loader.h:40 load | offset 0 + size 64 > size_ 20
F arm_executor_runner.cpp:610 runner_init | In function runner_init(), assert failed (program_result.ok()): Program loading failed @ 0x70000000: 0x12
""", ("size_ 20", "cut off")),
    # where the C library lost the messages, the function that gave an error tells what it was
    *(
        S(rule, "bare", "| I [executorch:arm_executor_runner.cpp:zu ()] main\n" * 4 + f"| E [executorch:{file}:zu ()] {function}\n"
          "| I [executorch:arm_executor_runner.cpp:zu ()] main\n| F [executorch:result.h:zu ()] CheckOk\n" + TRAP, rows=(row,))
        for rule, file, function, row in (
            ("missing-operator", "method.cpp", "resolve_operator", 3),
            ("method-pool-too-small", "memory_allocator.h", "allocate", 1),
            ("backend-not-registered", "method.cpp", "Init", 4),
            ("program-load-failed", "program.cpp", "load", 17),
        )
    ),
    S("program-load-failed", "main", OPEN_MAIN + "E program.cpp:420 LoadSegment | Segment index 3 out of range (>= 1)\n"
      "E method.cpp:127 Init | Init failed for backend EthosUBackend: 0x20\n" + load_failed("0x20"), ("Segment index 3", "same ExecuTorch release"), rows=(17,)),
    S("memory-not-locked", "linux", "E mmap_data_loader.cpp:231 | File m.pte (off=0x3000): mlock(0x7f0000001000, 4096) failed: Cannot allocate memory (12)\n"
      "E XNNCompiler.cpp:205 | Failed to get constant data for key 60f9\n", ("m.pte", "ulimit -l", "memlock=-1")),
    S("program-too-old", "main", """
I arm_executor_runner.cpp:1523 main | PTE @ 0x70000000 [----ET12]
E program.cpp:260 get_constant_buffer_data | constant_buffer path is disabled (ET_ENABLE_DEPRECATED_CONSTANT_BUFFER=0). Please re-export the PTE file.
""" + load_failed("0x10"), rows=(17,)),
    S("method-missing", "1.0", """
I arm_executor_runner.cpp:1211 main | PTE @ 0x70000000 [----ET12]
I arm_executor_runner.cpp:593 runner_init | Model buffer loaded, has 1 methods
E program.cpp:310 method_meta | No method named 'encode' in program
""" + load_failed("0x12"), ("encode",)),
    S("vela-stream-malformed", "1.0", OPEN_10 + "I EthosUBackend.cpp:101 init | data:0x70000070\nE EthosUBackend.cpp:110 init | Malformed vela_bin_stream found\n"
      "E method.cpp:110 Init | Init failed for backend EthosUBackend: 0x23\n" + load_failed("0x23"), rows=(18,)),
    S("vela-stream-malformed", "0.4", OPEN_04 + "I ArmBackendEthosU.cpp:79 | ArmBackend::init 0x70000070\n"
      "E VelaBinStream.cpp:60 | Incorrect header in vela_bin_stream\nE ArmBackendEthosU.cpp:125 | ArmBackend::vela_read: error, invalid binary layout\n"
      "E method.cpp:1103 | CALL_DELEGATE execute failed at instruction 0: 0x23\n"
      "I arm_executor_runner.cpp:400 | Execution of method forward failed with status 0x23\n", rows=(18,)),
    S("vela-stream-misaligned", "1.0", OPEN_10 + DELEGATE + "E VelaBinStream.cpp:58 vela_bin_read | Vela bin ptr not aligned to 16 bytes: 0x70000078\n"
      "E EthosUBackend.cpp:160 execute | vela_read: error, invalid binary layout\n", ("8 bytes past",), rows=(18,)),
    # memory
    S("method-pool-too-small", "0.4", OPEN_04.replace("752640", "1785600") + _ALLOCATION.format(1785600, 1048576)
      + _ALLOCATION.format(68208, 1048576) + load_failed("0x21"), ("1853808", "1048576", "METHOD_ALLOCATOR_POOL_SIZE="), rows=(1,)),
    S("method-pool-too-small", "1.0", OPEN_10 + _ALLOCATION.format(6144000, 2000)
      + "F arm_executor_runner.cpp:640 runner_init | In function runner_init(), assert failed (buffer != nullptr): Could not allocate memory for memory planned "
      "buffer size 6144000\n" + TRAP, ("METHOD_ALLOCATOR_POOL_SIZE=",), rows=(1,)),
    # of a pool of 60 MiB not 64 bytes are left at once: what is needed for a while to load comes out of the temp pool
    S("temp-pool-too-small", "1.0", OPEN_10.replace("3809584", "3808") + _ALLOCATION.format(96, 64) + load_failed("0x21") + TRAP,
      ("loading the method takes 96 bytes", "64 bytes were left", "TEMP_ALLOCATOR_POOL_SIZE"), rows=(1, 2)),
    S("method-pool-too-small", "1.0", "".join(line + "\n" for line in OPEN_10.replace("3809584", "3808").splitlines() if "planned" not in line)
      + _ALLOCATION.format(96, 64) + load_failed("0x21"), rows=(1,)),
    S("method-pool-too-small", "1.0", OPEN_10.replace("62914560", "757760") + _ALLOCATION.format(96, 64) + load_failed("0x21"), rows=(1,)),
    S("method-pool-too-small", "main", OPEN_MAIN.replace("62914560", "524288") + _ALLOCATION.format(752640, 524288)
      + "F arm_executor_runner.cpp:775 runner_init | In function runner_init(), assert failed (buffer != nullptr): Could not allocate memory for planned buffer with "
      "mem_id=1, size 752640 in SLOW_MEMORY_REGION\n" + TRAP, ("752640", "POOL_SIZE="), rows=(1,)),
    S("method-pool-too-small", "zephyr", OPEN_ZEPHYR + _ALLOCATION.format(752640, 262144)
      + "F main.cpp:9 main | In function main(), assert failed (buffer != nullptr): Could not allocate memory for memory planned buffer size 752640\n",
      ("CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE=", "752640"), rows=(1,)),
    S("method-pool-too-small", "0.1", _ALLOCATION.format(48, 44) + "I ModelExecutor.cpp:283 | Loading of method forward failed with status 0x21\n",
      ("at least 4 bytes",), rows=(1,)),
    S("method-pool-too-small", "1.0", OPEN_10 + "I arm_executor_runner.cpp:869 runner_init | Loading of method forward failed with status 0x21\n", rows=(1,)),
    S("allocation-impossible", "1.0", OPEN_10 + _ALLOCATION.format(18446744073709551615, 62914560)
      + "I arm_executor_runner.cpp:869 runner_init | Loading of method forward failed with status 0x21\n", ("-1 as a 64-bit number",), rows=(1,)),
    S("allocation-impossible", "1.0", OPEN_10 + DELEGATE + _ALLOCATION.format(4294967280, 2097152)
      + "E EthosUBackend.cpp:175 execute | Failed to allocate scratch buffer of 4294967280 bytes from temp_allocator\n"
      "F arm_executor_runner.cpp:1060 run_model | In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x21\n" + TRAP,
      ("-16 as a 32-bit number",), rows=(1,)),
    S("temp-pool-too-small", "1.0", OPEN_10 + DELEGATE + _ALLOCATION.format(8197520, 2097152)
      + "E EthosUBackend.cpp:175 execute | Failed to allocate scratch buffer of 8197520 bytes from temp_allocator\n"
      "E method.cpp:1600 execute_instruction | CALL_DELEGATE execute failed at instruction 1: 0x21\n"
      "F arm_executor_runner.cpp:1060 run_model | In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x21\n" + TRAP,
      ("2097152 bytes were left", "SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=8197520"), rows=(2,)),
    S("temp-pool-too-small", "zephyr", OPEN_ZEPHYR.replace("262144", "1572864") + """
I main.cpp:7 main | Loading method...
I main.cpp:8 main | Method 'forward' loaded successfully
| --- Starting inference ---
E memory_allocator.h:105 allocate | Memory allocation failed: 1509952B requested (adjusted for alignment), 1048576B available
E EthosUBackend.cpp:175 execute | Failed to allocate scratch buffer of 1509952 bytes from temp_allocator
E method.cpp:1600 execute_instruction | CALL_DELEGATE execute failed at instruction 1: 0x21
E main.cpp:20 main | Execution failed: 0x21
""", ("1048576 bytes were left", "CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE=1509952"), rows=(2,)),
    S("fast-pool-too-small", "main", OPEN_MAIN + _ALLOCATION.format(70000, 65536)
      + "F arm_executor_runner.cpp:775 runner_init | In function runner_init(), assert failed (buffer != nullptr): Could not allocate memory for planned buffer with "
      "mem_id=3, size 70000 in FAST_MEMORY_REGION\n", ("PLANNED_FAST_MEMORY_SIZE=70000",), rows=(1,)),
    S("fast-pool-missing", "main", OPEN_MAIN + "F arm_executor_runner.cpp:760 runner_init | In function runner_init(), assert failed (false): Planned buffer 2 uses "
      "mem_id=3/FAST_MEMORY_REGION, but ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE is not set\n", ("PLANNED_FAST_MEMORY_SIZE",), rows=(1,)),
    S("etdump-memory", "1.0", OPEN_10 + DELEGATE + "I arm_executor_runner.cpp:1100 run_model | 1 inferences finished\n"
      "E arm_executor_runner.cpp:1180 write_etdump | Could not allocate memory etdump base64 encoding size 2796204\n"
      "F arm_executor_runner.cpp:1190 write_etdump | In function write_etdump(), assert failed (false): base64 encoding etdump failed: 2\n", ("2796204",)),
    # kernels and backends
    S("missing-operator", "0.4", OPEN_04 + "E operator_registry.cpp:256 | kernel 'aten::exp.out' not found.\n" + _DTYPES
      + "E method.cpp:750 | Missing operator: [3] aten::exp.out\nE method.cpp:980 | There are 1 instructions don't have corresponding operator registered. "
      "See logs for details\n" + load_failed("0x14"), ("aten::exp.out", "SELECT_OPS"), rows=(3, 4)),
    S("missing-operator", "main", OPEN_MAIN + "E operator_registry.cpp:277 get_op_function_from_registry | kernel 'cortex_m::quantize_per_tensor.out' not found.\n"
      "E method.cpp:822 resolve_operator | Missing operator: [0] cortex_m::quantize_per_tensor.out\n"
      "E method.cpp:822 resolve_operator | Missing operator: [4] cortex_m::dequantize_per_tensor.out\n" + load_failed("0x14") + TRAP,
      ("cortex_m_ops", "whole-archive"), rows=(3, 4)),
    S("missing-operator", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nE method.cpp:822 | Missing operator: [0] aten::_softmax.out\n"
      "F executor_runner.cpp:600 | In function main(), assert failed (method.ok()): Loading of method forward failed with status 0x14\n", rows=(3,)),
    S("missing-operator", "1.0", OPEN_10 + load_failed("0x14"), rows=(3,)),
    S("backend-not-registered", "0.4", OPEN_04 + "E method.cpp:60 | Backend ArmBackend is not registered.\n" + load_failed("0x20"), ("whole-archive",), rows=(4,)),
    S("backend-not-registered", "main", OPEN_MAIN + "E method.cpp:85 Init | Backend XnnpackBackend is not registered.\n" + load_failed("0x20") + TRAP,
      ("another device",), rows=(4,)),
    S("backend-not-available", "linux", "I executor_runner.cpp:476 | Model file m.pte is loaded.\nE method.cpp:91 | Backend EthosUBackend is not available.\n"
      "F executor_runner.cpp:600 | In function main(), assert failed (method.ok()): Loading of method forward failed with status 0x20\n", ("/dev/ethosu0",)),
    S("kernel-registered-twice", "1.0", "E operator_registry.cpp:86 register_kernels_internal | Re-registering aten::add.out, from NOT_SUPPORTED\n"
      "E operator_registry.cpp:90 register_kernels_internal | Kernel registration failed\nF operator_registry.cpp:140 register_kernels | In function register_kernels(), "
      "assert failed (false): Kernel registration failed with error 22, see error log for details.\n", ("aten::add.out",)),
    S("too-many-kernels", "1.0", "E operator_registry.cpp:74 register_kernels_internal | The total number of kernels to be registered is larger than the limit 2. 2 kernels are "
      "already registered and we're trying to register another 1 kernels.\nF operator_registry.cpp:140 register_kernels | In function register_kernels(), "
      "assert failed (false): Kernel registration failed with error 21, see error log for details.\n", ("MAX_KERNEL_NUM",)),
    S("backend-not-registered", "bare", """
| [method.cpp:85] Backend EthosUBackend is not registered.
| Traceback (most recent call last):
|   File "/w/run.py", line 3, in <module>
|     program = portable_lib._load_for_executorch("a.pte")
| RuntimeError: Failed to load method forward, error: 0x:20
""", ("EthosUBackend",), rows=(4,)),
    S("weights-not-given", "1.0", OPEN_10 + "E method.cpp:336 parse_external_constants | external_data_map is null\n" + load_failed("0x2") + TRAP,
      ("takes no .ptd", "external_constants")),
    S("method-load-failed", "1.0", OPEN_10 + load_failed("0x20"), ("whole-archive",), rows=(4,)),
    S("method-load-failed", "1.0", OPEN_10 + load_failed("0x12"), ("0x12",)),
    # of a program that was cut off not even the method's name can be read
    S("method-load-failed", "1.0", OPEN_10 + "I arm_executor_runner.cpp:720 runner_init | Loading of method  failed with status 0x23\n", ("damaged",)),
    # inputs
    S("inputs-failed", "1.0", OPEN_10 + "E arm_executor_runner.cpp:426 prepare_input_tensors | Wrong number of inputs allocated compared to method\n"
      "F arm_executor_runner.cpp:785 runner_init | In function runner_init(), assert failed (status == Error::Ok): Failed to prepare inputs 0x12\n",
      ("as many input files",)),
    S("input-size-mismatch", "1.0", OPEN_10 + "I EthosUBackend.cpp:101 init | data:0x70000070\nI arm_executor_runner.cpp:746 runner_init | Preparing inputs...\n"
      "E arm_executor_runner.cpp:480 prepare_input_tensors | input size (150528) and tensor size (602112) mismatch!\n"
      "F arm_executor_runner.cpp:790 runner_init | In function runner_init(), assert failed (status == Error::Ok): Failed to prepare inputs 0x12\n",
      ("150528", "602112", "four times too small"), rows=(21,)),
    S("input-size-mismatch", "0.4", OPEN_04 + "I arm_executor_runner.cpp:447 | Preparing inputs...\n"
      "E arm_executor_runner.cpp:200 | input size (100) and tensor size (602112) missmatch!\n"
      "I arm_executor_runner.cpp:455 | Preparing inputs tensors for method forward failed with status 0x12\n", ("100", "602112"), rows=(21,)),
    S("inputs-failed", "1.0", OPEN_10 + "I arm_executor_runner.cpp:746 runner_init | Preparing inputs...\n"
      "F arm_executor_runner.cpp:790 runner_init | In function runner_init(), assert failed (status == Error::Ok): Failed to prepare inputs 0x12\n", ("0x12",), rows=(21,)),
    S("input-type", "main", OPEN_MAIN + "I arm_executor_runner.cpp:879 runner_init | Preparing inputs...\n"
      "E arm_executor_runner.cpp:470 prepare_input_tensors | Unhandled ScalarType Half\n"
      "F arm_executor_runner.cpp:940 runner_init | In function runner_init(), assert failed (status == Error::Ok): Failed to prepare inputs 0x12\n", ("Half",), rows=(21,)),
    # TensorFlow Lite Micro
    S("heap-too-small", "bare", _KIT + "| WARN - Out of heap\n", ("HEAP_SIZE",)),
    S("heap-too-small", "bare", "| [ET] Model registered (91072 bytes)\n| [ET] Loading method\n| [ET] et_pal_allocate(4096) failed, used=260096\n"
      "| [ET] et_pal_abort() called\n", ("4.0 KiB", "et_pal_allocate")),
    S("heap-too-small", "cm33", "| CM33: inference_begin base_addrs=3 fast_mem=0x00000000 fast_mem_size=0\n| CM33: new(4096) FAILED!\n", ("4.0 KiB",)),
    S("resolver-full", "bare", "| INFO - Ethos-U device initialised\n| INFO - Allocating tensors\n"
      "| Couldn't register custom op 'ethos-u', resolver size is toosmall (3)\n", ("AddEthosU", "MicroMutableOpResolver<3>")),
    S("dynamic-tensor", "bare", "| INFO - Ethos-U device initialised\n| INFO - Allocating tensors\n"
      "| Op#3 (RESHAPE) of subgraph 0 has dynamic tensor #5\n| Dynamic tensors are not supported\n", ("RESHAPE", "batch of 1")),
    S("arena-too-small", "bare", _KIT + "| Failed to resize buffer. Requested: 640032, available 524272, missing: 115760\n| ERROR - tensor allocation failed!\n"
      "| ERROR - Failed to initialise model\n| INFO - program terminating...\n", ("640032", "at least 115760 bytes", "ACTIVATION_BUF_SZ")),
    S("arena-too-small", "bare", "| Initialize Arm Ethos-U\n| Arena size is too small for activation buffers. Needed 93376 but only 61232 was available.\n"
      "| AllocateTensors() failed\n", ("32144 bytes",)),
    S("arena-size-impossible", "bare", "| Initialize Arm Ethos-U\n| Arena size is too small for all buffers. Needed 4294960256 but only 61232 was available.\n"
      "| AllocateTensors() failed\n", ("-7040", "fixed shapes")),
    S("arena-too-small", "bare", _KIT + "| Failed to allocate tail memory. Requested: 16, available 5552, missing: 536\n", ("are inconsistent",)),
    S("missing-operator", "bare", _KIT + "| Didn't find op for builtin opcode 'SPLIT_V'\n| Failed to get registration from op code SPLIT_V\n| AllocateTensors() failed\n",
      ("SPLIT_V", "op resolver")),
    S("missing-operator", "bare", _KIT + "| Failed to get registration from op code CUSTOM\n| ERROR - tensor allocation failed!\n", ("AddEthosU()",)),
    S("model-schema", "bare", "| INFO - Ethos-U device initialised\n| ERROR - Model's schema version 1 is not equal to supported version 3\n"
      "| ERROR - Failed to initialise model\n", ("version there is 1", "Flash the .tflite")),
    S("model-schema", "bare", "| Ethos-U55 device initialised\n| [ERROR] FM model's schema version -1 is not equal to supported version 3\n", ("-1",)),
    S("npu-device-refused", "bare", "| Send capabilities request\n| macs_per_cc:8\n| Create network\n| Error: IOCTL failed\n", ("IOCTL failed", "dmesg")),
    S("npu-device-not-opened", "bare", "| INFO: Ethosu delegate: device_name set to /dev/ethosu0.\n| ERROR: Failed to create ethos_u driver.\n"
      "| ERROR: Failed to apply EXTERNAL delegate.\n", ("/dev/ethosu0", "udev")),
    S("delegate-model-mixed", "bare", "| INFO: EthosuDelegate: 4 nodes delegated out of 7 nodes with 2 partitions.\n| ERROR: Unsupported vela compiled model.\n"
      "| ERROR: Node number 7 (EthosuDelegate) failed to prepare.\n", ("--show-cpu-operations",)),
    S("missing-operator", "bare", "| ERROR: Encountered unresolved custom op: ethos-u.\n", ("--external_delegate_path",)),
    S("sds-not-reached", "bare", "| Ethos-U version info:\n|     MACs/cc:    256\n"
      "| SDS I/O USB interface initialization failed or 'sdsio-server usb' unavailable!\n", ("sdsio-server",)),
    S("tensors-not-allocated", "bare", _KIT + "| ERROR - tensor allocation failed!\n| ERROR - failed to initialise model\n", ("could not be allocated",)),
)  # fmt: skip
