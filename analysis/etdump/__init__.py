"""ETDump profiles out of files and logs, read without ExecuTorch."""
