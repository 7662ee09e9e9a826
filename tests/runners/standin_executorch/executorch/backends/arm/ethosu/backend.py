def vela_compile(tosa, flags):
    flags.append("spoilt")
