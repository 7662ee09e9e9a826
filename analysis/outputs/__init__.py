"""All values of a run's dumped outputs, read from its lines when somebody looks: how they spread, and which are the largest.

A report keeps the first eight values of an output only; what a dump leaves out is nowhere, and is said to be missing.
"""
