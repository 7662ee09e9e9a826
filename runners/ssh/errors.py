"""What OpenSSH's client says when it fails, as one sentence with what to do; its messages are in no other language."""

from __future__ import annotations

import re

_CHANGED = re.compile(r"Offending (\S+ )?key in (\S+:\d+)")
_RULES = (
    ("REMOTE HOST IDENTIFICATION HAS CHANGED", "the host key of {host} has changed{where}", "if that is expected, take the old key out of there and connect once by hand; else somebody may stand between"),
    ("host key is known for", "the host key of {host} is not known", "connect once by hand (`ssh {host}`) and compare its fingerprint"),
    ("Host key verification failed", "the host key of {host} is not known{where}", "connect once by hand (`ssh {host}`) and compare its fingerprint"),
    ("Could not resolve hostname", "{host} is not a known host", "check the name, or add it to ~/.ssh/config"),
    ("Permission denied", "{host} lets us not in ({line})", "no password is asked for here: load a key into the agent (ssh-add), put it there with ssh-copy-id, or keep a connection open (ControlMaster)"),
    ("Too many authentication failures", "{host} lets us not in ({line})", "name the key of this host in ~/.ssh/config (IdentityFile, IdentitiesOnly yes)"),
    ("Connection refused", "{host} refuses the connection ({line})", "does its sshd run, and is the port the right one?"),
    ("No route to host", "{host} cannot be reached ({line})", "is it switched on and in this network?"),
    ("Network is unreachable", "{host} cannot be reached ({line})", "is this machine in that network?"),
    ("onnection timed out", "{host} does not answer ({line})", "is it switched on and in this network?"),
    ("Bad configuration option", "the configuration of ssh is wrong ({line})", "correct ~/.ssh/config"),
    ("Bad owner or permissions", "ssh does not trust its configuration ({line})", "correct the rights of that file"),
    ("terminating", "the configuration of ssh is wrong ({line})", "correct ~/.ssh/config"),
)  # fmt: skip


def explain(host: str, said: str) -> str:
    """Why ssh could not connect, from its stderr."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for words, what, advice in _RULES:
        line = next((line for line in lines if words in line), None)
        if line is not None:
            found = _CHANGED.search(said)
            where = f" ({found.group(2)} has another one)" if found else ""
            return f"{what}; {advice}".format(host=host, line=line, where=where)
    return f"no connection to {host} ({last_line(said) or 'ssh says nothing'}); try `ssh {host}` by hand"


def last_line(said: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1] if lines else ""
