"""What ExecuTorch's runners for language models print once a text is generated: tokens, seconds, tokens a second."""

from __future__ import annotations

from .table import Pattern as P

LLM: tuple[P, ...] = (
    P(
        "llm_tokens",
        "Prompt Tokens: {:int} Generated Tokens: {:int}",
        ("Prompt Tokens: 14    Generated Tokens: 113",),
        "linux",
    ),
    P("llm_load", "Model Load Time: {:float} (seconds)", ("Model Load Time:\t\t15.273000 (seconds)",), "linux"),
    P(
        "llm_total",
        "Total inference time: {seconds:float} (seconds) Rate: {:float} (tokens/second)",
        ("Total inference time:\t\t17.488000 (seconds)\t\t Rate: \t6.804666 (tokens/second)",),
        "linux",
    ),
    P(
        "llm_sampled",
        "Sampling time over {:int} tokens: {:float} (seconds)",
        ("Sampling time over 127 tokens:\t0.009000 (seconds)",),
        "linux",
    ),
    *(
        P("llm_begun", text, (sample,), "linux")
        for text, sample in (
            ("RSS after loading model: {:float} MiB ({:rest}", "RSS after loading model: 412.250000 MiB (0 if unsupported)"),
            ("Doing a warmup run...", "Doing a warmup run..."),
            ("Warmup run finished!", "Warmup run finished!"),
        )
    ),
    *(
        P("llm_generated", text, (sample,), "linux")
        for text, sample in (
            ("Reached to the end of generation", "Reached to the end of generation"),
            ("RSS after finishing text generation: {:float} MiB ({:rest}", "RSS after finishing text generation: 987.500000 MiB (0 if unsupported)"),
            ("Max new tokens {:int} reached!", "Max new tokens 64 reached!"),
            ("Sequence length ({:int} tokens) reached!", "Sequence length (128 tokens) reached!"),
            ('PyTorchObserver {"prompt_tokens":{:int},"generated_tokens":{:int}{:rest}', 'PyTorchObserver {"prompt_tokens":5,"generated_tokens":58,"model_load_start_ms":3}'),
        )
    ),
)  # fmt: skip
"""A text is over once it was generated, though its figures may not be in the log."""
