"""Decides which printed figures can be believed: checks them against each other, and repairs those that the log itself
proves.
"""
