class EdgeProgramManager:
    def to_executorch(self):
        return self
