from executorch.backends.arm.arm_vela import vela_compile


class EthosUBackend:
    @staticmethod
    def _compile_tosa_flatbuffer(tosa, flags):
        return vela_compile(tosa, list(flags))
