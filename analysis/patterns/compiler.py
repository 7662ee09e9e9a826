"""Lines of ExecuTorch's ahead-of-time flow and of Vela's console summary."""

from __future__ import annotations

import re

from .table import Pattern as P

_MEMORIES = (
    ("SRAM", "sram"),
    ("DRAM", "dram"),
    ("On-chip Flash", "on_chip_flash"),
    ("Off-chip Flash", "off_chip_flash"),
)

_TABLES = (
    P("vela_start", "Network summary for {name:rest}", ("Network summary for out",)),
    P(
        "vela_table",
        "Performance for NPU {:rest}",
        ("Performance for NPU Grap out/add", "Performance for NPU Subgraph main"),
    ),
    P(
        "vela_columns",
        "Original Operator NNG Operator Target{:rest}",
        ("Original Operator    NNG Operator         Target Staging Usage  Peak% (Staging)  Op Cycles",),
        "5..",
    ),
    *(
        P(
            "vela_columns_old",
            f"{network}_operator NNG Operator SRAM Usage{{:rest}}",
            (f"{network}_operator      NNG Operator         SRAM Usage  Peak%  Op Cycles Network%        NPU",),
            "..4",
        )
        for network in ("TFLite", "TOSA")
    ),
)
_SUMMARY = (
    P(
        "vela_accelerator",
        "Accelerator configuration {name:name}",
        ("Accelerator configuration               Ethos_U85_128",),
    ),
    P(
        "vela_system_config",
        "System configuration {name:name}",
        ("System configuration             Ethos_U85_SYS_DRAM_Mid",),
    ),
    P("vela_memory_mode", "Memory mode {name:name}", ("Memory mode                                 Sram_Only",)),
    P(
        "vela_clock",
        "Accelerator clock {mhz:float} MHz",
        ("Accelerator clock                                1000 MHz",),
    ),
    *(
        P(f"vela_{key}_used", f"Total {label} used {{kib:float}} KiB", (f"Total {label} used   5178.77 KiB",))
        for label, key in _MEMORIES
    ),
    *(  # in summaries that somebody shortened: only there, for boards speak of their memories so, too
        P(f"vela_{key}_short", f"Total {label} {{kib:float}} KiB", (f"Total {label}   5178 KiB",))
        for label, key in _MEMORIES
    ),
    *(
        P(
            f"vela_{unit.lower()}_operators",
            f"{unit} operators = {{count:int}}{{? ( {{:float}} % ) {{?{{:rest}}?}}?}}",
            (f"{unit} operators = 64 (100.0%)", f"{unit} operators =  64  ( 9.5%)   all convolutions"),
        )
        for unit in ("CPU", "NPU")
    ),
    P(
        "vela_fallbacks",
        "{count:int}/{total:int} ({:float}{? ?}%) operations falling back to the CPU",
        ("0/106 (0.0%) operations falling back to the CPU", "2/67 (3.0 %) operations falling back to the CPU"),
        "..2",
    ),
    P(
        "vela_macs",
        "Neural network macs {count:int} MACs/batch",
        ("Neural network macs                         300836992 MACs/batch",),
    ),
    P("vela_npu_cycles", "NPU cycles {cycles:int} cycles/batch", ("NPU cycles          4832315 cycles/batch",)),
    *(
        P(
            f"vela_{key}_cycles",
            f"{label} Access cycles {{cycles:int}} cycles/batch",
            (f"{label} Access cycles       1168037 cycles/batch",),
        )
        for label, key in _MEMORIES
    ),
    P("vela_total_cycles", "Total cycles {cycles:int} cycles/batch", ("Total cycles    4942076 cycles/batch",)),
    P(
        "vela_time",
        "Batch Inference time {ms:float} ms, {per_second:float} inference{?s?}/s (batch size {:int})",
        (
            "Batch Inference time                 4.94 ms,  202.34 inferences/s (batch size 1)",
            "Batch Inference time    12.5 ms, 80.00 inference/s (batch size 1)",  # as guides have it
        ),
    ),
)
_RETOLD = (
    *(
        P(f"{row.event}_told", row.template.replace(" {", ": {", 1), (re.sub(r" {2,}", ": ", row.samples[0], count=1),))
        for row in _SUMMARY
        if not row.event.endswith(("_operators", "_short", "_fallbacks"))
    ),
    P(
        "vela_macs_told",
        "Neural network MACs: {count:int} MACs/batch",
        ("Neural network MACs: 300836992 MACs/batch",),
    ),
    *(
        P(f"vela_{unit.lower()}_operators_told", f"{unit} operators{sign} {{count:int}} ({{:float}}%)", (f"{unit} operators{sign} 64 (100.0%)",))
        for unit in ("CPU", "NPU")
        for sign in ("", ":")
    ),
)  # fmt: skip
"""The summary as people copy it into reports: a colon behind what each figure is.  Others write so, too, so that these
rows count only inside of a summary, which a line that names the NPU begins."""
COMPILER: tuple[P, ...] = (
    *_TABLES,
    *_SUMMARY,
    *_RETOLD,
    *(  # build reports repeat it as a list
        P(row.event, f"- {row.template}", tuple(f"- {sample}" for sample in row.samples), row.since)
        for row in (*_SUMMARY, *_RETOLD)
    ),
    *(  # Arm's ML Inference Advisor, whose memory figures are Vela's; the cycles beside them are of a simulation
        P(
            f"vela_{key}_used",
            f"\u2502 {label.replace('Flash', 'flash')} used \u2502 {{kib:float}} \u2502 KiB \u2502",
            (f"\u2502 {label.replace('Flash', 'flash')} used           \u2502        12.50 \u2502 KiB  \u2502",),
            "mlia",
        )
        for label, key in _MEMORIES
    ),
    P("delegated_subgraphs", "Total delegated subgraphs: {count:int}", ("Total delegated subgraphs: 1",)),
    P("delegated_nodes", "Number of delegated nodes: {count:int}", ("Number of delegated nodes: 419",)),
    P("non_delegated_nodes", "Number of non-delegated nodes: {count:int}", ("Number of non-delegated nodes: 3",)),
    P(
        "delegated_partitions",
        "Delegated partitions for silicon acceleration: {count:int}",
        ("Delegated partitions for silicon acceleration: 1",),
        "1.4..",
    ),
    P("nodes_left", "Non-delegated ops: {count:int}", ("Non-delegated ops: 3",), "1.4.."),
    P("left_header", "Non-delegated operators:", ("Non-delegated operators:",), "1.4.."),
    P(
        "delegation_columns",
        "op_type {?|?} occurrences_in_delegated_graphs{:rest}",
        (
            "|    | op_type                  | occurrences_in_delegated_graphs | occurrences_in_non_delegated_graphs |",
            "              op_type  occurrences_in_delegated_graphs  occurrences_in_non_delegated_graphs",
        ),
        anywhere=True,
    ),
    P(
        "delegation_row",
        "\u2502 {?{:int}?} \u2502 {name:name} \u2502 {delegated:int} \u2502 {other:int} \u2502",
        ("\u2502  7 \u2502 cortex_m_dequantize_per_tensor_default   \u2502    0 \u2502   1 \u2502",),
    ),
    P("pte_saved", "Bundle PTE file saved as {path:rest}", ("Bundle PTE file saved as add.bpte",)),
    P("pte_saved", "PTE file saved as {path:rest}", ("PTE file saved as add.pte",)),
)
