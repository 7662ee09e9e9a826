"""The numeric check: a delegate's TOSA graph in TOSA's reference model against what PyTorch computes."""
