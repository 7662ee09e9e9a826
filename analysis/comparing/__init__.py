"""What `compare` says besides the figures: how the setups differ, whether repeats separate, and each operator beside its peer."""
