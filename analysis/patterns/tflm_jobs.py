"""What does not fit between an inference job and its model, in Arm's core software and in Zephyr's sample, which was made from it.

The application ends the job with a status after it, which does not say why.
"""

from __future__ import annotations

from .table import Pattern as P

_ONE = "index={:int},"
_SAID = (
    *(
        ("job_size_differs", f"{words}{{size:int}}, network={{expected:int}}", f"{said}490, network=512")
        for words, said in (
            (
                f"Job input size does not match network input size: job={{:text}}, {_ONE} input=",
                "Job input size does not match network input size: job=kws, index=0, input=",
            ),
            (f"Input tensor size mismatch. {_ONE} input=", "Input tensor size mismatch. index=0, input="),
        )
    ),
    *(
        ("job_inputs_failed", f"{words} input={{:int}}, network={{:int}}", f"{words} input=1, network=2")
        for words in (
            "Number of input buffers does not match number of non empty network tensors:",
            "Number of job and network inputs do not match.",
        )
    ),
    *(
        ("job_outputs_differ", template, template.replace("{:int}", "24"))
        for template in (
            "Output size mismatch: job={:int}, network={:int}",
            "Number of job and network outputs do not match. job={:int}, network={:int}",
            "Tensor size mismatch: tensor={:int}, expected={:int}",
            "Tensor size mismatch (bytes): actual={:int}, expected={:int}.",
        )
    ),
    *(
        ("job_outputs_differ", f"{words} expected={{:name}}, network={{:name}}", f"{said} expected=1f, network=20")
        for words, said in (
            (
                f"Expected output tensor data mismatch: job={{:text}}, {_ONE} offset={{:int}},",
                "Expected output tensor data mismatch: job=kws, index=0, offset=4,",
            ),
            (
                f"Expected output tensor data mismatch{{? ({{:text}})?}}. {_ONE} offset={{:int}},",
                "Expected output tensor data mismatch. index=0, offset=4,",
            ),
            (
                f"Expected output tensor size mismatch: job={{:text}}, {_ONE}",
                "Expected output tensor size mismatch: job=kws, index=0,",
            ),
            (f"Expected output tensor size mismatch. {_ONE}", "Expected output tensor size mismatch. index=0,"),
            (
                "Expected number of output tensors mismatch: job={:text},",
                "Expected number of output tensors mismatch: job=kws,",
            ),
        )
    ),
    (
        "job_outputs_differ",
        "Number of job and network expected outputs do not match. job={:int}, network={:int}",
        "Number of job and network expected outputs do not match. job=1, network=2",
    ),
    (
        "model_schema",
        "Model schema version unsupported: version={found:int}, supported={supported:int}{?.?}",
        "Model schema version unsupported: version=2, supported=3.",
    ),
)

TFLM_JOBS: tuple[P, ...] = (
    *(
        P(event, f"{mark}{template}{{? {{:rest}}?}}", (f"{mark}{sample}",))
        for mark in ("", "E: ")
        for event, template, sample in _SAID
    ),
    P(
        "heap_failed",
        "Heap allocation failed. heap={:word}, buf={:word}, size={size:int}",
        ("Heap allocation failed. heap=0x20001000, buf=0x20002000, size=2048",),
    ),
)
