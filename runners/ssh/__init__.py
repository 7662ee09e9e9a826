"""Runs on another machine, through the user's own OpenSSH client."""
