"""TOSA graphs, what ExecuTorch hands to Vela, read without TOSA's own packages."""
