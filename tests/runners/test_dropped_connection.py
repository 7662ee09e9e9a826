"""A run that was started over a real SSH connection goes on when that is cut, and is attached to over another one."""

from __future__ import annotations

import contextlib
import getpass
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.runs.folder import runs_root

from . import standin_fvp
from .keepers import only_run, wait_for, wait_said

SSHD = shutil.which("sshd") or "/usr/sbin/sshd"
PRESENT = all(shutil.which(name) for name in ("ssh", "ssh-keygen")) and os.access(SSHD, os.X_OK)
pytestmark = pytest.mark.skipif(not PRESENT and not os.environ.get("CI"), reason="needs OpenSSH's client and sshd")
U55 = "FVP_Corstone_SSE-300_Ethos-U55"


class Lab:
    """A machine with an sshd, and how to get there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nPidFile none\nStrictModes no\nUsePAM no\n"
            f"AuthorizedKeysFile {folder}/user.pub\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n"
        )
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.server = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "sshd_config"], stderr=subprocess.DEVNULL)
        self._client = [
            "ssh", "-F", os.devnull, "-tt", "-p", str(port), "-i", str(folder / "user"), "-o", "IdentitiesOnly=yes",
            "-o", f"UserKnownHostsFile={folder}/known_hosts", "-o", "BatchMode=yes", f"{getpass.getuser()}@127.0.0.1",
        ]  # fmt: skip
        wait_for(lambda: self.server.poll() is None and _answers(port), "sshd does not start")

    def open(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Run a command there, with a terminal, in the environment of the tests."""
        names = ("PYTHONPATH", "ETHOSU_TUI_WORKSPACE", "ETHOSU_TUI_LOCKS", "HOME", "TMPDIR", "PATH")
        settings = [f"{name}={os.environ[name]}" for name in names if name in os.environ]
        there = f"cd {shlex.quote(os.getcwd())} && exec {shlex.join(['env', *settings, *command])}"
        return subprocess.Popen(
            [*self._client, there], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def cut(self) -> None:
        """All connections end without a word, on this side."""
        for pid in _children(self.server.pid):
            for process in (*_children(pid), pid):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it ended by itself meanwhile
                    if Path(f"/proc/{process}/comm").read_text().startswith("sshd"):
                        os.kill(process, signal.SIGKILL)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError:
        return False
    return True


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path / "lab")
    yield made
    made.cut()
    made.server.kill()
    made.server.wait()


def test_it_goes_on_and_is_attached_to_again(lab: Lab, tmp_path: Path, samples: Path) -> None:
    log = (samples / "softmax.log").read_bytes()
    go = tmp_path / "go"
    exe = standin_fvp.write(tmp_path / "fvp", U55, log, wait_after="Input prepared", wait_for=str(go))
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    ours = [sys.executable, "-m", "ethosu_tui.tui.cli"]
    first = lab.open([*ours, "run", str(elf), "--on", "fvp", "--target", "ethos-u55-128", "--fvp", str(exe)])
    assert first.stdout is not None
    seen = b""
    while b"Running method" not in seen:
        seen += (data := os.read(first.stdout.fileno(), 65536))
        assert data, seen
    folder = only_run(runs_root())
    keeper = folder.manifest["pid"]
    lab.cut()
    first.communicate(timeout=60)
    assert first.returncode == 255, "the connection was cut"
    time.sleep(0.3)
    folder = only_run(runs_root())
    assert folder.state == "running" and folder.manifest["pid"] == keeper
    second = lab.open([*ours, "runs", "attach", "latest"])
    assert second.stdout is not None
    out = second.stdout.readline()
    go.touch()
    out += second.communicate(timeout=120)[0]
    assert second.returncode == 0 and b"Program complete, exiting." in out and b"passed" in out
    wait_said(folder, "Program complete")
    assert only_run(runs_root()).status == "passed"
