"""Lines of an application for Zephyr on Alif's Ensemble E8 that runs two programs at once, one on each of its NPUs.

It is of an Arm Learning Path.  It never ends: what it says of its own test at the start is its verdict, and each pair of
inferences that failed ends it.
"""

from __future__ import annotations

from .table import Pattern as P

_MARK = "dual-et: "
_TFLM = "dual-tflm: "
"""The same with TensorFlow Lite Micro, which has an arena for each program."""

ALIF_DUAL: tuple[P, ...] = (
    P(
        "runtime_ready",
        "*** dual ExecuTorch parallel {:text} ***",
        ("*** dual ExecuTorch parallel YOLO(U55) + VWW(U85) ***",),
    ),
    *(
        P(event, _MARK + template, tuple(_MARK + sample for sample in samples))
        for event, template, *samples in (
            ("dual_step", "starting parallel worker threads", "starting parallel worker threads"),
            ("dual_program", "{name:name} loading PTE ({size:int} bytes)", "U55-YOLO loading PTE (459520 bytes)"),
            (
                "dual_planned",
                "{name:name} planned buffers={:int} data-used={used:int} free={free:int}",
                "U55-YOLO planned buffers=1 data-used=43200 free=153408",
            ),
            (
                "dual_temp",
                "{name:name} temp after-load used={used:int} free={free:int}",
                "U85-VWW temp after-load used=0 free=2097152",
            ),
            (
                "dual_inputs",
                "{name:name} after-input data-used={used:int} metadata-used={:int}",
                "U55-YOLO after-input data-used=80064 metadata-used=1500",
            ),
            ("dual_step", "prepare U55={:int} us U85={:int} us", "prepare U55=5123 us U85=4022 us"),
            (
                "dual_running",
                "isolated preflight {:name}{? irqs={:int}/{:int}?}",
                "isolated preflight U55 irqs=0/0",
                "isolated preflight U85",
            ),
            (
                "dual_ran",
                "isolated {:name} done irqs={:int}/{:int}{? submit={:int} irq={:int}?}",
                "isolated U55 done irqs=1/0 submit=812345678 irq=813345678",
                "isolated U85 done irqs=1/1",
            ),
            ("dual_result", "YOLO faces={:int} candidates={:int}", "YOLO faces=2 candidates=13"),
            ("dual_result", "frame={:int} VWW={:name} scores={:int}/{:int}", "frame=0 VWW=PERSON scores=-80/80"),
            (
                "dual_passed",
                "startup self-test passed{:rest}",
                "startup self-test passed; switching to camera in 5 seconds",
            ),
            ("dual_live", "live dual-NPU pipeline started", "live dual-NPU pipeline started"),
            ("dual_live", "live frame={:int} IRQs={:int}/{:int}", "live frame=30 IRQs=31/31"),
            (
                "dual_time",
                "PAR {:name} frame={:int} sample={:int} U55={:int} U85={:int} span={us:int} overlap={:int} us{:rest}",
                "PAR PERSON frame=1 sample=1 U55=6912 U85=2310 span=6950 overlap=2270 us avg U55/U85/span/overlap=6912/2310/6950/2270 us",
            ),
            ("driver_failed", "NPU initialization failed", "NPU initialization failed"),
            ("backend_missing", "Ethos-U delegate registration failed", "Ethos-U delegate registration failed"),
            ("loader_program_failed", "{:name} Program::load failed {status:status}", "U55-YOLO Program::load failed 0x00000023"),
            (
                "planned_allocation_failed",
                "{:name} planned buffer {:int} failed ({size:int})",
                "U55-YOLO planned buffer 0 failed (243200)",
            ),
            ("method_load_failed", "{:name} load_method failed {status:status}", "U55-YOLO load_method failed 0x00000021"),
            ("inputs_failed", "{:name} input failed {status:status}", "U85-VWW input failed 0x00000012"),
            ("inputs_failed", "{:name} live set_input failed {status:status}", "U85-VWW live set_input failed 0x00000012"),
            ("dual_failed", "preflight failed U55={u55:int} U85={u85:int}", "preflight failed U55=7 U85=0"),
            (
                "dual_failed",
                "frame={:int} inference failed U55={u55:int} U85={u85:int}",
                "frame=1 inference failed U55=7 U85=0",
            ),
            (
                "port_failed",
                "MRAM payload invalid {:rest}",
                "MRAM payload invalid U85=00000000/00000000 U55=00000024/32315445 BMP=4d42",
            ),
            ("port_failed", "display initialization failed", "display initialization failed"),
        )
    ),
    P("tflm_start", "*** dual TFLite Micro parallel {:text} ***", ("*** dual TFLite Micro parallel YOLO(U55) + VWW(U85) ***",)),
    *(
        P(event, _TFLM + template, (_TFLM + sample,))
        for event, template, sample in (
            (
                "dual_models",
                "models U55={:pointer}/{u55:int} U85={:pointer}/{u85:int} BMP={:rest}",
                "models U55=0x80300000/431216 U85=0x80380000/334160 BMP=0x803f0000/110646",
            ),
            ("dual_step", "startup self-test image displayed", "startup self-test image displayed"),
            (
                "dual_arena",
                "{name:name} ready arena={:pointer}/{size:int} input={:pointer}/{:int} outputs={:int}",
                "U55-YOLO ready arena=0x02000000/614400 input=0x02010000/36864 outputs=2",
            ),
            ("dual_step", "prepare U55={:int} us U85={:int} us", "prepare U55=5123 us U85=4022 us"),
            ("dual_result", "face {:int} score={:int}% box={:rest}", "face 0 score=91% box=(12,30)-(88,120)"),
            ("dual_result", "frame={:int} VWW={:name} scores={:int}/{:int}", "frame=0 VWW=PERSON scores=-80/80"),
            ("dual_passed", "startup self-test passed{:rest}", "startup self-test passed; switching to camera in 5 seconds"),
            ("dual_live", "live dual-NPU pipeline started", "live dual-NPU pipeline started"),
            ("dual_live", "live frame={:int} IRQs={:int}/{:int}", "live frame=30 IRQs=31/31"),
            (
                "dual_time",
                "PAR {:name} frame={:int} U55={:int} U85={:int} span={us:int} overlap={:int} us",
                "PAR PERSON frame=1 U55=6912 U85=2310 span=6950 overlap=2270 us",
            ),
            ("driver_failed", "NPU initialization failed", "NPU initialization failed"),
            (
                "tensors_failed",
                "{:name} AllocateTensors failed arena={:pointer}/{:int}",
                "U85-VWW AllocateTensors failed arena=0x02100000/102400",
            ),
            ("port_failed", "{:name} setup failed rc={:int}", "U85-VWW setup failed rc=3"),
            ("port_failed", "model setup failed U55={:int} U85={:int}", "model setup failed U55=0 U85=3"),
            ("dual_failed", "preflight failed U55={u55:int} U85={u85:int}", "preflight failed U55=5 U85=0"),
            ("dual_failed", "frame={:int} inference failed U55={u55:int} U85={u85:int}", "frame=1 inference failed U55=5 U85=0"),
            ("port_failed", "payload invalid", "payload invalid"),
            ("port_failed", "display/camera initialization failed", "display/camera initialization failed"),
        )
    ),
)  # fmt: skip
