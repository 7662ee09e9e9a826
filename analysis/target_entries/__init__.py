"""Targets that people name in files: what an entry may say, what it inherits, and what of a program cannot work there.

All of it is pure: a file's values come in as Python data, and values or exact sentences come out.
"""
