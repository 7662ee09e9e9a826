"""Runs that last: a stored run belongs to its folder and is carried out by a process of its own, the keeper.

Who asks for a run writes the request into the folder and starts the keeper (`start`); whoever wants to see it follows the
files of the folder (`viewer`); whoever wants to end it asks for that there (`stopping`).  Nobody needs the terminal, the
program or the connection that the run came from.
"""

KEEPER_MODULE = ".runners.keeping.keeper"
"""What the command line of a keeper names before its folder."""
