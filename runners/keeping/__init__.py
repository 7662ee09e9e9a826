"""Runs that last: a stored run belongs to its folder and is carried out by a process of its own, the keeper.

Who asks for a run writes the request into the folder and starts the keeper (`start`); whoever wants to see it follows the
files of the folder (`viewer`); whoever wants to end it asks for that there (`stopping`).  Nobody needs the terminal, the
program or the connection that the run came from.
"""

REQUEST = "request.json"
"""What was asked for and from which directory: what the keeper reads."""
PROGRESS = "progress.jsonl"
"""One JSON object a line for each thing that the job said of its progress."""
STOP = "stop"
"""Whoever wants the run to end makes this file: that works for the keeper of another user or machine as well."""
KEEPER_LOG = "keeper.log"
"""What the keeper printed; it prints only when it fails, and an empty one is removed."""
KEEPER_MODULE = ".runners.keeping.keeper"
"""What the command line of a keeper names before its folder."""
