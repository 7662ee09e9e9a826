"""Run folders: what a run leaves on disk, found again, listed and given away."""
