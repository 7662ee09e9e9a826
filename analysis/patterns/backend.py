"""Lines of the Ethos-U backend and the core runtime's errors."""

from __future__ import annotations

from .table import Pattern as P

BACKEND: tuple[P, ...] = (
    P("delegate_init", "ArmBackend::init {address:word}", ("ArmBackend::init 0x70000070",), "..0.5"),
    P("delegate_init", "EthosUBackend::init {address:word}", ("EthosUBackend::init 0x70000070",), "0.6"),
    P("delegate_init", "data:{address:word}", ("data:0x73e00070",), "0.7.."),
    P("delegate_execute", "EthosUBackend::execute {address:word}", ("EthosUBackend::execute 0x70000070",), "0.6"),
    P("delegate_execute", "ArmBackend::execute {address:word}", ("ArmBackend::execute 0x70000070",), "..0.5"),
    *(
        P("delegate_data", f"{name}Running program data:", (f"{name}Running program data:",))
        for name in ("", "ArmBackend::execute: ", "EthosUBackend::execute: ")
    ),
    *(
        P(
            "delegate_region",
            f"{name} {{address:pointer}} {{size:int}}",
            (f"{name} 0x70000100 2108",),
        )
        for name in ("cmd", "weight", "scratch", "fast scratch")
    ),
    P("tensor_permuted", "Tensor input {index:int} will be permuted", ("Tensor input 0 will be permuted",), "0.3"),
    P(
        "tensor_permuted",
        "Tensor input/output {index:int} will be permuted",
        ("Tensor input/output 0 will be permuted",),
        "0.4..0.7",
    ),
    P(
        "allocation_failed",
        "Memory allocation failed: {requested:int}B requested (adjusted for alignment), {available:int}B available",
        ("Memory allocation failed: 3920B requested (adjusted for alignment), 2048B available",),
    ),
    P(
        "allocation_shifted",
        "Memory allocation failed: zuB requested (adjusted for alignment), zuB available",
        ("Memory allocation failed: zuB requested (adjusted for alignment), zuB available",),
        "newlib-nano",
    ),
    P(
        "fast_pool_missing",
        "Planned buffer {index:int} uses mem_id={:int}/FAST_MEMORY_REGION, but {option:name} is not set",
        (
            "Planned buffer 2 uses mem_id=3/FAST_MEMORY_REGION, but ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE is not set",
        ),
        "main",
    ),
    P(
        "planned_allocation_failed",
        "Could not allocate memory for {?memory?} planned buffer size {size:int}",
        ("Could not allocate memory for memory planned buffer size 6144000",),
        "0.7..1.4",
    ),
    P(
        "planned_allocation_failed",
        "Could not allocate memory for planned buffer with mem_id={:int}, size {size:int} in {region:name}",
        ("Could not allocate memory for planned buffer with mem_id=1, size 3920 in SLOW_MEMORY_REGION",),
        "main",
    ),
    P(
        "scratch_failed",
        "Failed to allocate scratch buffer of {size:int} bytes from temp_allocator",
        ("Failed to allocate scratch buffer of 8197520 bytes from temp_allocator",),
        "0.7..",
    ),
    P(
        "temp_failed",
        "Failed to allocate temp memory. Bytes requested: {size:int}",
        ("Failed to allocate temp memory. Bytes requested: 1024",),
    ),
    P(
        "values_failed",
        "Failed to allocate values array of size {count:int}",
        ("Failed to allocate values array of size 84",),
    ),
    P("kernel_missing", "kernel '{name:text}' not found.", ("kernel 'aten::exp.out' not found.",), "0.4.."),
    P("kernel_missing", "kernel '{name:qualified}' not found", ("kernel 'aten::exp.out' not found",), "0.4.."),
    P(
        "kernel_dtype",
        "dtype: {dtype:int} | dim order: [",
        ("dtype: 6 | dim order: [",),
        "0.4..",
    ),
    P("operator_missing", "Missing operator: [{index:int}] {name:word}", ("Missing operator: [0] aten::_softmax.out",)),
    P(
        "operators_missing",
        "There are {count:int} instructions don't have corresponding operator registered{?. See logs for details?}",
        (
            "There are 1 instructions don't have corresponding operator registered. See logs for details",
            "There are 6 instructions don't have corresponding operator registered",
        ),
    ),
    P("backend_missing", "Backend {name:name} is not registered.", ("Backend EthosUBackend is not registered.",)),
    P("backend_missing", "Backend {name:name} is not available.", ("Backend EthosUBackend is not available.",)),
    P(
        "backend_init_failed",
        "Init failed for backend {name:name}: {status:status}",
        ("Init failed for backend EthosUBackend: 0x23",),
    ),
    P("backend_init_failed", "Init failed for backend {name:backend}", ("Init failed for backend ArmBackend",)),
    P(
        "backend_init_failed",
        "Failed to load data for backend {name:name}",
        ("Failed to load data for backend EthosUBackend",),
    ),
    P(
        "kernel_failed",
        "KernelCall failed at instruction {chain:int}:{instruction:int} in operator {name:name}: {status:status}",
        ("KernelCall failed at instruction 0:0 in operator aten::topk.values: 0x21",),
    ),
    P(
        "delegate_failed",
        "CALL_DELEGATE execute failed at instruction {instruction:int}{?: {status:status}?}",
        ("CALL_DELEGATE execute failed at instruction 3: 0x1",),
    ),
    P(
        "identifier_mismatch",
        "Program identifier '{found:text}' != expected '{expected:name}'",
        ("Program identifier 'XX99' != expected 'ET12'",),
    ),
    *(
        P(
            "invocation_failed",
            f"{name}Ethos-U invocation failed error ({{code:int}})",
            (f"{name}Ethos-U invocation failed error (1)",),
        )
        for name in ("", "ArmBackend::execute: ", "EthosUBackend::execute: ")
    ),
    *(
        P(
            "driver_reserve_failed",
            f"{name}ethosu_reserve_driver{which} failed",
            (f"{name}ethosu_reserve_driver{which} failed",),
        )
        for name, which in (("", ""), ("", "_ex"), ("ArmBackend::execute: ", ""), ("EthosUBackend::execute: ", ""))
    ),
    P(
        "driver_reserve_failed",
        "Failed to parse product config from command stream",
        ("Failed to parse product config from command stream",),
        "1.3..",
    ),
    *(
        P("stream_malformed", text.replace("%p", "{address:word}"), (text.replace("%p", "0x70000078"),))
        for text in (
            "Malformed vela_bin_stream found",
            "Incorrect header in vela_bin_stream",
            "Incorrect footer in vela_bin_stream",
            "Vela bin ptr not aligned to 16 bytes: %p",
            "End of vela bin not aligned to 16 bytes: %p",
            "Expected vela binary to end with vela_end_stream",
            "Invalid block name or malformed binary",
            "vela_read: error, invalid binary layout",
            "ArmBackend::vela_read: error, invalid binary layout",
            "EthosUBackend::vela_read: error, invalid binary layout",
        )
    ),
    P(
        "npu_failed",
        "Ethos-U inference failed with status {state:name}",
        ("Ethos-U inference failed with status ERROR",),
        "1.2..",
    ),
    *(  # forks for the i.MX 93 with the driver of its BSP
        P(
            "npu_failed",
            template,
            (template.replace("{state:name}", "ERROR").replace("{state:rest}", "errno=22 (Invalid argument)"),),
            "i.MX93",
        )
        for template in (
            "Ethos-U inference failed: {state:name}",
            "Ethos-U inference poll failed {state:rest}",
            "Failed to query Ethos-U network info: {state:rest}",
            "Failed to create Ethos-U inference: {state:rest}",
            "Failed to invoke Ethos-U inference: {state:rest}",
            "Failed to read Ethos-U inference status: {state:rest}",
        )
    ),
    P(
        "npu_failed",
        "Ethos-U Linux driver invocation failed: {state:rest}",
        ("Ethos-U Linux driver invocation failed: No such device",),
        "1.2..",
    ),
    P(
        "cycle_counter_unread",
        "Failed to read Ethos-U cycle counter: {why:rest}",
        ("Failed to read Ethos-U cycle counter: not supported",),
        "1.2..",
    ),
    P(
        "call_cycles",
        "Ethos-U {?{os:name} delegate ?}cycle counter: {cycles:int}",
        ("Ethos-U Linux delegate cycle counter: 123456", "Ethos-U cycle counter: 123456"),
        "1.2..",
    ),
    P(
        "npu_timed_out",
        "Ethos-U inference timed out after {ns:int} ns",
        ("Ethos-U inference timed out after 60000000000 ns",),
        "1.2..",
    ),
)
