"""Programs checked against PyTorch with TOSA's reference model."""
