"""ExecuTorch's ahead-of-time flow in a worker process: the scripts that run in the user's interpreter, and our end of them."""
