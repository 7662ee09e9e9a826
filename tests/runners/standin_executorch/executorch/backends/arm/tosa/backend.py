class TOSABackend:
    @staticmethod
    def _preprocess():
        pass
