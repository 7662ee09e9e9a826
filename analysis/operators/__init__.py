"""What each operator of a compiled model costs and where it comes from: Vela's tables, the TOSA graph and PyTorch joined."""
