"""Inputs that people point at: files, folders, archives, pipes, and captures of gigabytes."""
