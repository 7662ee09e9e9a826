"""Which lines are of which run: what begins, continues and ends one, and how the lines of several targets are told apart.

`runs.py` takes the events in their order and asks the modules here.
"""
