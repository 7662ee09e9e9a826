"""Lines of the ml-embedded-evaluation-kit and its relatives: TensorFlow Lite Micro on the same NPUs."""

from __future__ import annotations

from .table import Pattern as P

_MARKS = ("INFO -", "[INFO]")
"""What stands before a message: since 21.05, and before."""

_BOOT = (
    ("mlek_clock", "Processor internal clock: {:int}Hz", "Processor internal clock: 25000000Hz"),
    ("kit_boot", "V2M-MPS{:int} revision {:name}", "V2M-MPS3 revision C"),
    ("kit_boot", "MPS{:int} core clock has been set to: {:int}Hz", "MPS4 core clock has been set to: 50000000Hz"),
    ("kit_boot", "ARM ML Embedded Evaluation Kit", "ARM ML Embedded Evaluation Kit"),
    ("kit_core", "Application Note AN{:name}, Revision {:name}", "Application Note AN547, Revision B"),
    ("kit_core", "CPU: Cortex-M{:text} r{:int}p{:int}", "CPU: Cortex-M55 r0p0"),
)
"""What stands before the first word of the NPU: the core's clock, Arm's boards and their models, the kit's name."""

MLEK: tuple[P, ...] = (
    *(P(event, f"{mark} {text}", (f"{mark} {sample}",)) for mark in _MARKS for event, text, sample in _BOOT),
    *(
        P(event, f"{mark}NPU {{event:{named}}}{template}", (f"{mark}NPU {sample}",))
        # tools that run the kit cut its own mark off: without it, small letters are the words of other NPUs
        for mark, named in (("INFO - ", "name"), ("", "operator"))
        for event, template, sample in (
            ("mlek_cycles", ": {value:int} cycles", "TOTAL: 405608 cycles"),
            ("mlek_cycles", " cycles: {value:int}", "TOTAL cycles: 405608"),
            ("mlek_beats", ": {value:int} beats", "AXI0_RD_DATA_BEAT_RECEIVED: 125388 beats"),
            ("mlek_beats", " beats: {value:int}", "AXI0_RD_DATA_BEAT_RECEIVED beats: 125388"),
        )
    ),
    # a report of a run has the same figures in columns, without colons
    P("mlek_cycles", "NPU {event:counted} {value:int} cycles", ("NPU ACTIVE      404973 cycles",)),
    P(
        "mlek_beats",
        "{event:counter} {value:commas} beats{:end}",
        ("ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED   125388 beats", "ETHOSU_PMU_EXT_WR_DATA_BEAT_WRITTEN 19,045 beats"),
        anywhere=True,
    ),
    P(
        "mlek_statistics",
        "INFO - NPU {event:first} {:name}: {total:int} / {average:int} / {least:int} / {most:int}",
        ("INFO - NPU TOTAL cycles: 811216/ 405608 / 405600 / 405616 ",),
    ),
    P("mlek_samples", "INFO - Number of samples: {count:int}", ("INFO - Number of samples: 2",)),
    P("mlek_columns", "INFO - Total / Avg./ Min / Max", ("INFO - Total / Avg./ Min / Max",)),
    P("mlek_cpu", "INFO - CPU TOTAL: {cycles:int} cycles", ("INFO - CPU TOTAL: 1234567 cycles",)),
    P("mlek_cpu", "INFO - CPU ACTIVE cycles (approx): {cycles:int}", ("INFO - CPU ACTIVE cycles (approx): 1234567",)),
    P("mlek_time", "INFO - Time ms: {ms:int}", ("INFO - Time ms: 30",)),
    P("mlek_duration", "INFO - Duration: {us:int} microseconds", ("INFO - Duration: 34379 microseconds",), "native"),
    P(
        "mlek_clock",
        "Processor internal clock: {:int}Hz",
        ("Processor internal clock: 32000000Hz",),
        "torn by a warning",
    ),
    *(
        P(
            "mlek_unclocked",
            f"{mark}{board}_SCC->CFG_ACLK reads 0. Assuming default clock of {{:int}}",
            (f"{mark}{board}_SCC->CFG_ACLK reads 0. Assuming default clock of 32000000",),
        )
        for mark in ("WARN - ", "INFO - WARN - ", "[WARN] ")
        for board in ("MPS3", "MPS4")
    ),
    P("mlek_board", "INFO - platform_init: complete", ("INFO - platform_init: complete",), "alif"),
    P("kit_time", "Inference time = {ms:float} ms", ("Inference time = 2.727 ms",), "alif"),
    P(
        "kit_live",
        "Postprocessing time = {:float} ms",
        ("Postprocessing time = 0.021 ms",),
        "alif, whose demonstrations listen without end",
    ),
    P(
        "kit_platform",
        "INFO - Target system design: {platform:rest}",
        ("INFO - Target system design: Ensemble", "INFO - Target system design: Arm Corstone-300 - AN552"),
    ),
    *(
        P(
            "mlek_profile",
            f"{mark} Profile for {{what:text}}:",
            (f"{mark} Profile for Inference:", f"{mark} Profile for Inference :"),
        )
        for mark in _MARKS
    ),
    # 21.03: the whole profile is one message, so only its first line is marked
    P("mlek_active", "Active NPU cycles: {value:int}", ("Active NPU cycles: 7622641",)),
    P("mlek_idle", "Idle NPU cycles: {value:int}", ("Idle NPU cycles:   525",)),
    P("mlek_cpu", "Active CPU cycles: {cycles:int} (approx)", ("Active CPU cycles: 1234567 (approx)",)),
    P("mlek_time", "Time in ms: {ms:int}", ("Time in ms:        30",)),
    P("kit_samples", "Samples: {count:int}", ("Samples: 2",)),
    *(
        P(
            event,
            f"{text}: {{{total}:int}} / {{:float}} / {{:int}} / {{:int}}",
            (f"{text}:    811216 / 405608 / 405600 / 405616",),
        )
        for event, text, total in (
            ("kit_active", "Active NPU cycles", "value"),
            ("kit_idle", "Idle NPU cycles", "value"),
            ("kit_cpu", "Active CPU cycles (approx)", "cycles"),
            ("kit_total_time", "Time in ms", "ms"),
        )
    ),
    *(
        P(
            "mlek_label",
            f"{mark} For timestamp: {{:float}} (inference #: {{number:int}}){{said:rest}}",
            (
                f"{mark} For timestamp: 0.000000 (inference #: 0); label: down",
                f"{mark} For timestamp: 0.000000 (inference #: 0); label: down, score: 0.812500; threshold: 0.700000",
                f"{mark} For timestamp: 0.500000 (inference #: 1); threshold: 0.900000",
            ),
        )
        for mark in _MARKS
    ),
    *(
        P(
            "mlek_score",
            f"{mark} label @ {{rank:int}}: {{label:text}}, score: {{score:float}}{{?;{{:rest}}?}}",
            (f"{mark}          label @ 0: yes, score: 0.812500", f"{mark}  label @ 1: no, score: 0.75; threshold: 0.5"),
        )
        for mark in _MARKS
    ),
    P(
        "mlek_heard",
        "INFO - Detected: {label:text}; Prob: {score:float}",
        ("INFO - Detected: stop; Prob: 0.94",),
        "live demonstrations",
    ),
    P(
        "mlek_recognised",
        "INFO - Decoded output: {:rest}",
        ("INFO - Decoded output: and he walked out by another door",),
    ),
    *(
        P("mlek_recognised", f"{mark} {words}: {{:rest}}", (f"{mark} {said}",))
        for mark in _MARKS
        for words, said in (
            ("Complete recognition", "Complete recognition: Detected faces: 2"),
            ("Result for inf {:int}", "Result for inf 0: and he walked out"),
            ("Final result", "Final result: and he walked out by another door"),
            ("Average anomaly score is", "Average anomaly score is: -0.031250"),
        )
    ),
    # the kit under Zephyr, whose log has marks of its own
    P(
        "mlek_arena_used",
        "Activation buffer (a.k.a tensor arena) size used: {size:int}",
        ("Activation buffer (a.k.a tensor arena) size used: 70144",),
    ),
    P(
        "mlek_label",
        "For timestamp: {:float} (inference #: {number:int}); label: {said:rest}",
        ("For timestamp: 0.500000 (inference #: 1); label: stop, score: 0.812500; threshold: 0.750000",),
    ),
    P(
        "mlek_class",
        "{rank:int}) {index:int} ({score:printed}) -> {label:rest}",
        ("0) 283 (0.765625) -> tiger cat",),
    ),
    P(
        "mlek_box",
        "{:int}) ({:printed}) -> Detection box: {:rest}",
        ("0) (0.765625) -> Detection box: {x=11,y=24,w=31,h=40}",),
    ),
    *(
        P("task_ready", f"Press '{command} next' to resume {{:rest}}", (f"Press '{command} next' to resume {what}",))
        for command, what in (("kws", "audio clip inference one-shot"), ("od", "object detection inference one-shot"))
    ),
    P("tensors_failed", "tensor allocation failed!", ("tensor allocation failed!",)),
    *(
        P("kit_failed", f"{mark}{what} failed.", (f"{mark}{what} failed.",))
        for mark in ("", "[ERROR] ")
        for what in ("Inference", "Invoke")
    ),
    *(
        P("kit_refused", f"{mark}Failed to initialise model", (f"{mark}Failed to initialise model",))
        for mark in ("", "[ERROR] ")
    ),
    P("mlek_recognised", "Decoded output: {:rest}", ("Decoded output: and he walked out by another door",)),
    P(
        "task_ready",
        "Waiting for button press to start audio capture...",
        ("Waiting for button press to start audio capture...",),
        "alif",
    ),
    # Arm's reference applications for Corstone: the kit's engine as a task of FreeRTOS that looks or listens without end
    P("task_ready", "[INFO] *** ML interface initialised", ("[INFO] *** ML interface initialised",)),
    *(
        P("driver_failed", f"[ERROR] {words}", (f"[ERROR] {words}",))
        for words in ("Failed to init arm npu", "Failed to arm npu")
    ),
    P("mlek_handover", "INFO - Keyword spotted", ("INFO - Keyword spotted",)),
    P("mlek_handover", "INFO - Trigger keyword spotted", ("INFO - Trigger keyword spotted",)),
    P("mlek_step", "INFO - Inference {:int}/{:int}", ("INFO - Inference 1/1",)),
    P("mlek_step", "INFO - Inference #: {:int}", ("INFO - Inference #: 7",), "live demonstrations"),
    P("mlek_macs", "INFO - MACs/cc: {macs:int}", ("INFO - \tMACs/cc:    128",)),
    P("npu_arch", "INFO - Arch: v{arch:name}", ("INFO - \tArch:       v1.1.0",)),
    P("npu_driver", "INFO - Driver: v{version:name}", ("INFO - \tDriver:     v0.16.0",)),
    P(
        "mlek_device",
        "INFO - Ethos-{npu:name} device initialised",
        ("INFO - Ethos-U device initialised", "INFO - Ethos-U55 device initialised"),
    ),
    P("npu_named", "[INFO] Ethos-{npu:name} device initialised", ("[INFO] Ethos-U65 device initialised",)),
    P("task_macs", "[INFO] MACs/cc: {macs:int}", ("[INFO] \tMACs/cc:    256",)),
    P("task_arch", "[INFO] Arch: v{arch:name}", ("[INFO] \tArch:       v1.1.0",)),
    P("task_driver", "[INFO] Driver: v{version:name}", ("[INFO] \tDriver:     v0.16.0",)),
    P("mlek_start", "INFO - Using sample audio: {what:rest}", ("INFO - Using sample audio: another_door.wav",)),
    P("mlek_menu", "User input required", ("User input required",)),
    P(
        "mlek_model",
        "INFO - Model address: {?0x?}{address:pointer}INFO - Model size: {size:int} bytes.{:text}",  # whose lines have no end
        (
            "INFO - Model address: 0x60000400INFO - Model size:      4096 bytes.INFO - Model info:",
            "INFO - Model address: 0x0x60000400INFO - Model size: 4096 bytes.",
        ),
    ),
    P("mlek_size", "INFO - Model size: {size:int} bytes.", ("INFO - Model size:      4096 bytes.",)),
    *(
        P(
            "mlek_resolver",
            f"{mark}Added {{?{{:name}} ?}}support to op resolver",
            (f"{mark}Added ethos-u support to op resolver",),
        )
        for mark in ("INFO - ", "")
    ),
    P(
        "mlek_allocator",
        "INFO - Creating allocator using tensor arena at {:pointer}",
        ("INFO - Creating allocator using tensor arena at 0x31000000",),
    ),
    P("mlek_arena", "INFO - Allocating tensors", ("INFO - Allocating tensors",)),
    *(
        P(event, f"{mark} {template}", (f"{mark} {sample}",))
        for mark in _MARKS
        for event, template, sample in (
            (
                "mlek_arena_used",
                "Activation buffer (a.k.a tensor arena) size used: {size:int}",
                "Activation buffer (a.k.a tensor arena) size used: 641452",
            ),
            ("mlek_inferences", "Total number of inferences: {count:int}", "Total number of inferences: 1"),
            ("mlek_start", "Running inference on {what:rest}", "Running inference on image 0 => cat.bmp"),
            (
                "mlek_model_start",
                "Running {model:name} inference on {what:rest}",
                "Running KWS inference on audio clip 0 => a.wav",
            ),
            (
                "mlek_result",
                "{rank:int}) {index:int} ({score:float}) -> {label:rest}",
                "0) 283 (0.765625) -> tiger cat",
            ),
            (
                "mlek_found",
                "{:int}) ({:printed}) -> Detection box: {:rest}",
                "0)  (0.765625) -> Detection box: {x=11,y=24,w=31,h=40}",
            ),
        )
    ),
    P(
        "mlek_overflow",
        "WARN - {?Counter?} {:name} detected for {what:rest}",
        ("WARN - Overflow detected for NPU TOTAL", "WARN - Counter overflow detected for NPU ACTIVE."),
    ),
    P("mlek_ended", "INFO - Main loop terminated {how:name}.", ("INFO - Main loop terminated successfully.",)),
    P("kit_gave_up", "INFO - Main loop terminated with failure.", ("INFO - Main loop terminated with failure.",)),
    P(
        "kit_asks",
        "INFO - Press '{:name}' to run next image inference",
        ("INFO - Press 'n' to run next image inference ",),
        "nuvoton",
    ),
    P("kit_rate", "INFO - Total inference rate: {:int}", ("INFO - Total inference rate: 27",), "nuvoton"),
    P("kit_rate", "INFO - Model inference rate: {:int} inf/s", ("INFO - Model inference rate: 9 inf/s",), "nuvoton"),
    P("mlek_size", "INFO - Model file size {size:int}", ("INFO - Model file size 4096 ",), "nuvoton"),
    *(
        P("kit_system", f"{mark}Target system: {{system:name}}", (f"{mark}Target system: M55M1",), "nuvoton")
        for mark in ("INFO - ", "")
    ),
    *(
        P("kit_terminating", f"{mark} {words}", (f"{mark} {words}",))
        for mark in _MARKS
        for words in ("program terminating...", "Main loop terminated.")
    ),
    P("kit_heap_full", "WARN - Out of heap", ("WARN - Out of heap",)),
    *(
        P("mlek_invoke_failed", f"ERROR - {what} failed.", (f"ERROR - {what} failed.",))
        for what in ("Inference", "Invoke")
    ),
    P("kit_step_failed", "ERROR - {what:name} failed.", ("ERROR - Pre-processing failed.",)),
    P("tensors_failed", "ERROR - tensor allocation failed!", ("ERROR - tensor allocation failed!",)),
    *(
        P("mlek_failed", f"{mark}{failed}ailed to {what}", (f"{mark}{failed}ailed to {what}",))
        for failed in "Ff"
        for mark, what in (
            ("ERROR - ", "initialise model"),
            ("ERROR - ", "initialise Ethos-U device"),
            ("", "initialise Ethos-U device"),
        )
    ),
)
