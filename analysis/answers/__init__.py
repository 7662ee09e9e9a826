"""The five questions that are asked of every run and compile: did it pass, how fast, does it fit, what limits it, what to do.

Each is answered in a sentence with its reason, or it is said why it cannot be told.  Nothing is computed here that is not
derived elsewhere; no file is read.
"""
