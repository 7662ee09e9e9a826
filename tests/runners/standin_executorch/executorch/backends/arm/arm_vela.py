"""Stands in for what makes a delegate of Vela's output: bytes that name the graph and the flags."""

import os

DETAIL = ("--verbose-performance", "--enable-debug-db")


def vela_compile(tosa, flags, verbose=False, intermediate_path=None):
    refused = os.environ.get("STANDIN_REFUSES")
    if refused and f"--accelerator-config={refused}" in flags:
        raise RuntimeError("Non-passthrough operation (Greater) could not run on NPU")
    killed = os.environ.get("STANDIN_KILLED")
    if killed and intermediate_path and f"--accelerator-config={killed}" in flags:
        os.abort()
    if intermediate_path:
        os.makedirs(os.path.join(intermediate_path, "output"))
    print("Vela ran", flush=True)
    flags = [flag for flag in flags if flag not in DETAIL]
    return b"blob of " + tosa + " ".join(flags).encode()
