import os


def vela_compile(tosa, flags):
    if os.environ.get("STANDIN_REFUSES") in flags:
        raise RuntimeError("Non-passthrough operation (Greater) could not run on NPU")
    flags.append("spoilt")
    return b"blob of " + tosa + " ".join(flags).encode()


class EthosUBackend:
    @staticmethod
    def _compile_tosa_flatbuffer(tosa, spec):
        return vela_compile(tosa, spec.flags)
