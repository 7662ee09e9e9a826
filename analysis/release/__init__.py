"""Which ExecuTorch release printed a run."""
