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
)
