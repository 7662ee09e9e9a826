"""ExecuTorch programs (.pte, .bpte) without ExecuTorch: what is in them, what they need, and other delegates put in."""
