class vela:
    def main(arguments):
        raise ValueError("no Vela here")
