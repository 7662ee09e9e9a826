"""What the host said around a run: builds, installations, shells, loaders, scripts and Python programs that failed."""
