"""A machine to reach over SSH: a real sshd on a port of loopback, with keys, configuration and home of its own.

The user's side is a folder for PATH, whose `ssh` is OpenSSH's with a configuration of the tests: OpenSSH takes the home
from the user database, not from HOME.
"""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

SSHD = shutil.which("sshd") or "/usr/sbin/sshd"
PRESENT = all(shutil.which(name) for name in ("ssh", "ssh-keygen")) and os.access(SSHD, os.X_OK)


class Board:
    """A running sshd; `env` is the environment of a user who can reach it as `board`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tmp = folder / "tmp"
        self.bin = folder / "board-bin"
        self.user_bin = folder / "user-bin"
        for made in (self.tmp, self.bin, self.user_bin):
            made.mkdir(parents=True)
        for name in ("host", "other", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / name], check=True)
        self.port, self.bare_port = free_port(), free_port()
        bare = folder / "bare-bin"
        bare.mkdir()
        for name in ("sh", "mkdir", "cat", "chmod", "wc", "rm", "sleep"):
            (bare / name).symlink_to(shutil.which(name) or name)
        (folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1:{self.port}\nListenAddress 127.0.0.1:{self.bare_port}\nHostKey {folder}/host\nPidFile none\nStrictModes no\nUsePAM no\n"
            f"AuthorizedKeysFile {folder}/user.pub\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            f"PermitRootLogin prohibit-password\nMaxStartups 100\n"
            f"Match LocalPort {self.bare_port}\n  SetEnv PATH={bare} SHLVL=1\n"
            f"Match LocalPort {self.port}\n  SetEnv PATH={self.bin}:{os.environ['PATH']} SHLVL=1 BASH_ENV={folder}/greeting\n"
        )
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self._log = open(folder / "sshd.log", "wb")
        self.process = subprocess.Popen(
            [SSHD, "-D", "-e", "-f", str(folder / "sshd_config")], stderr=self._log, stdin=subprocess.DEVNULL
        )
        (folder / "greeting").write_text('test -z "$SSH_CONNECTION" || echo Welcome to the lab; unset BASH_ENV\n')
        self._write_ssh()
        patience = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 5).close()
                break
            except OSError:
                assert time.monotonic() < patience and self.process.poll() is None, (folder / "sshd.log").read_text()
                time.sleep(0.02)

    def _write_ssh(self) -> None:
        known = {
            "known": "".join(
                f"[127.0.0.1]:{port} {(self.folder / 'host.pub').read_text()}" for port in (self.port, self.bare_port)
            ),
            "changed": f"# a line before\n[127.0.0.1]:{self.port} {(self.folder / 'other.pub').read_text()}",
            "empty": "",
        }
        for name, text in known.items():
            (self.folder / f"known_hosts.{name}").write_text(text)
        common = (
            f"  User {getpass.getuser()}\n  HostName 127.0.0.1\n  Port {self.port}\n  IdentitiesOnly yes\n"
            f"  IdentityFile {self.folder}/user\n  GlobalKnownHostsFile /dev/null\n"
        )
        hosts = {
            "board": "",
            "changed": f"  UserKnownHostsFile {self.folder}/known_hosts.changed\n",
            "stranger": f"  UserKnownHostsFile {self.folder}/known_hosts.empty\n",
            "keyless": "  PreferredAuthentications password\n",
            "behind": "  ProxyJump board\n",
            "closed": f"  Port {free_port()}\n",
            "bare": f"  Port {self.bare_port}\n",
            "kept": f"  ControlMaster auto\n  ControlPath {self.folder}/kept\n  ControlPersist 60\n",
        }
        text = "".join(f"Host {name}\n{own}{common}" for name, own in hosts.items())
        text += f"Host *\n  UserKnownHostsFile {self.folder}/known_hosts.known\n"
        (self.folder / "ssh_config").write_text(text)
        wrapper = self.user_bin / "ssh"
        client = shlex.quote(shutil.which("ssh") or "ssh")
        wrapper.write_text(f'#!/bin/sh\nexec {client} -F {shlex.quote(str(self.folder / "ssh_config"))} "$@"\n')
        wrapper.chmod(0o755)

    def install(self, name: str, script: str) -> Path:
        """Put a shell script onto the board's PATH."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    @property
    def env(self) -> dict[str, str]:
        """The environment of a user whose `ssh` knows this board."""
        return os.environ | {"PATH": f"{self.user_bin}:{os.environ['PATH']}"}

    def drop(self) -> None:
        """Cut every connection, as a board that loses its network or power does."""
        self._signal(signal.SIGKILL)

    def freeze(self) -> list[int]:
        """Let every connection fall silent; the processes are to be killed afterwards."""
        return self._signal(signal.SIGSTOP)

    def _signal(self, number: int) -> list[int]:
        found = []
        for pid in descendants([self.process.pid]):
            try:
                if Path(f"/proc/{pid}/comm").read_text().startswith("sshd"):
                    os.kill(pid, number)
                    found.append(pid)
            except (FileNotFoundError, ProcessLookupError):
                continue
        return found

    def logins(self) -> int:
        """How often somebody was let in."""
        return (self.folder / "sshd.log").read_text().count("Accepted publickey")

    def left(self) -> list[str]:
        """Folders of runs that are still there."""
        return sorted(os.listdir(self.tmp))

    def close(self) -> None:
        """End it, with all of its connections."""
        self.drop()
        self.process.kill()
        self.process.wait()
        self._log.close()


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def descendants(pids: Iterable[int]) -> list[int]:
    """The children of these processes, theirs, and so on."""
    found: list[int] = []
    for pid in pids:
        try:
            children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
        found += [*children, *descendants(children)]
    return found
