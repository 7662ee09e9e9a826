"""Lines of applications on boards with an Ethos-U that are made with the vendors' or Edge Impulse's kits: Renesas RA8P1, and who classifies by Edge Impulse.

Edge Impulse's words stand in programs for any chip: they count only where a line has said that an Ethos-U is there.
"""

from __future__ import annotations

from .table import Pattern as P

APPLICATIONS: tuple[P, ...] = (
    # Renesas
    P(
        "driver_failed",
        "{:caller}: ERROR: Failed to initialize Ethos-U{:rest}",
        ("ethosu_initialize: ERROR: Failed to initialize Ethos-U driver: -1",),
        anywhere=True,
    ),
    P(
        "driver_failed",
        "{:tag} Failed to initialize Ethos-U{:rest}",
        ("[Hand Tracking] Failed to initialize Ethos-U device",),
        anywhere=True,
    ),
    P(
        "driver_failed",
        "ERROR: RM_ETHOSU_Open failed with code: {:int}",
        ("ERROR: RM_ETHOSU_Open failed with code: 1",),
    ),
    P(
        "driver_failed",
        "{:tag} RM_ETHOSU_Open failed: {:int}{:end}",
        ("[AI][ERR] RM_ETHOSU_Open failed: 1",),
        anywhere=True,
    ),
    P("driver_failed", "{:tag} RM_ETHOSU_Open FAILED{:end}", ("[AI] RM_ETHOSU_Open FAILED",), anywhere=True),
    P("driver_failed", "RM_ETHOSU_Open FAILED", ("RM_ETHOSU_Open FAILED",)),
    P("renesas_started", "Ethos-U NPU successfully initialized", ("Ethos-U NPU successfully initialized",)),
    P(
        "renesas_frame",
        "Preprocess: {:int} us | Inference: {us:int} us | Postprocess: {:int} us",
        ("Preprocess: 5120 us | Inference: 24870 us | Postprocess: 830 us",),
    ),
    *(
        P(
            "renesas_failed",
            f"[failure: {application}_APP_{{what:name}}{{?]?}}: {{said:rest}}",
            (f"[failure: {application}_APP_INFERENCE]: AI inference failed.",),
        )
        for application in ("FACE_DET", "VISION_AI")
    ),
    # Edge Impulse
    *(
        P("impulse_result", template, (sample,))
        for template, sample in (
            (
                "Predictions (DSP: {:float} ms{?.?}, Classification: {ms:float} ms{?.?}{?, Anomaly: {:float} ms{?.?}?}): {?{:rest}?}",
                "Predictions (DSP: 12 ms., Classification: 3 ms., Anomaly: 0 ms.): ",
            ),
            (
                "Timing: DSP {:float} ms, inference {ms:float} ms, anomaly {:float} ms{:rest}",
                "Timing: DSP 12 ms, inference 3 ms, anomaly 0 ms",
            ),
        )
    ),
    P("impulse_returned", "run_classifier returned: {code:int}", ("run_classifier returned: 0",)),
    *(
        P("impulse_failed", f"ERR: Failed to run {what} ({{code:int}})", (f"ERR: Failed to run {what} (-3)",))
        for what in ("classifier", "impulse")
    ),
)
