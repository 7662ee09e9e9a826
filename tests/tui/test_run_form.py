"""The run form: what it makes of what was typed is what the command line would, and every kind of place runs from it."""

from __future__ import annotations

import shlex
import socket
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from ethosu_tui.runners.runs.folder import list_runs
from ethosu_tui.runners.target import Target
from ethosu_tui.runners.targets.catalogue import Catalogue
from ethosu_tui.tui.commands.parsers import command_parser
from ethosu_tui.tui.commands.run import _request
from ethosu_tui.tui.screens.run_fields import Entered, at_place
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, text_of, until

PROGRAM = "/a b/net.pte"
TYPED = {
    "fvp": Entered(artefact=PROGRAM, elf="/r.elf", address="0x70000000", target="ethos-u85-256"),
    "serial": Entered(
        "serial", place="/dev/serial/by-id/usb-x", baud="921600", until="all done", repeat="5", warm_up="2"
    ),
    "ssh": Entered("ssh", place="root@imx93", artefact=PROGRAM, command="./runner 'a b' --n 3"),
    "command": Entered("command", command="qemu-system-arm -kernel {elf}", artefact="", until="bye"),
    "host": Entered("host", artefact=PROGRAM, timeout="5"),
    "replay": Entered("replay", artefact="a.log", pace="instant"),
}


@pytest.mark.parametrize("kind", TYPED)
def test_the_command_that_is_shown_asks_for_the_same(kind: str) -> None:
    entered = TYPED[kind]
    words = entered.words()
    argv = words[words.index("--") + 1 :] if "--" in words else []
    options = command_parser("run").parse_args(words[: len(words) - len(argv) - bool(argv)])
    options.command_argv = argv
    assert _request(options) == entered.request()


def test_a_named_target_brings_its_npu_and_limits_and_takes_only_what_it_lacks() -> None:
    board = Target(name="bench", kind="serial", url="/dev/ttyACM0", npu_target="ethos-u55-256", elf="/r.elf")
    entered = at_place(Entered(artefact=PROGRAM), "bench", board)
    assert entered.fields == ("runner", "artefact", "timeout", "silence", "repeat", "warm_up") and entered.on == "bench"
    assert entered.words() == [PROGRAM, "--on", "bench"]
    request = entered.request()
    assert request.timeout is None and request.target is None and request.baud is None
    back = at_place(entered, "fvp")
    assert back.kind == "" and back.timeout == "600" and "target" in back.fields
    simulator = at_place(Entered(), "corstone-320", Target(name="corstone-320", kind="fvp", npu="ethos-u85"))
    assert simulator.target == "ethos-u85-256"


@pytest.mark.parametrize(
    ("entered", "message"),
    [
        (Entered("serial"), "Give the port"),
        (Entered("ssh"), "Give the host"),
        (Entered("command"), "Give what runs here"),
        (Entered("command", command="a 'b"), "cannot be read"),
        (Entered("serial", place="/dev/x", baud="fast"), "not a number of bits"),
        (Entered("serial", place="/dev/x", silence="-1"), "above 0"),
        (Entered("serial", place="/dev/x", timeout=""), "Give a time limit"),
        (Entered("fvp", artefact="/nowhere.elf"), "There is no"),
    ],
)
def test_what_is_missing_is_said(entered: Entered, message: str) -> None:
    assert message in (entered.problem() or "")


async def type_into(pilot: Pilot[None], field: str, text: str) -> None:
    """Put the cursor on a field and give it a value."""
    table = pilot.app.screen.query_one(DataTable)
    row = next(i for i, cells in enumerate(table.table.rows) if cells[0].text == field)
    table.select_row(row)
    await pilot.press("enter")
    await on_screen(pilot, "AskScreen")
    if len(text) > 20 and isinstance(pilot.app.focused, Input):  # as people do with paths
        entry = pilot.app.focused
        entry.post_message(Paste(text))
        await until(pilot, lambda: entry.value.endswith(text))
        text = ""
    await pilot.press(*text, "enter")
    await on_screen(pilot, "RunFormScreen")


async def run_it(pilot: Pilot[None], root: Path) -> None:
    """Start what stands there by its key, and see it pass."""
    app = pilot.app
    assert "r starts it" in text_of(app, "#said")
    await pilot.press("r")
    await on_screen(pilot, "JobScreen")
    await until(pilot, lambda: "↵ opens the report" in text_of(app, "#state"), 60)
    assert "passed" in text_of(app, "#state")
    (run,) = list_runs(root)
    assert (run.state, run.status) == ("finished", "passed")


async def test_any_command_runs_from_the_form(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await type_into(pilot, "on", "command")
        await type_into(pilot, "command", shlex.join(["cat", str(samples / "softmax.log")]))
        await run_it(pilot, tmp_path / "runs")


async def test_a_serial_port_is_captured_from_the_form(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_board, args=(server, (samples / "softmax.log").read_bytes()), daemon=True)
        thread.start()
        app = make_app(screen="run")
        async with app.run_test(size=(100, 30)) as pilot:
            await on_screen(pilot, "RunFormScreen")
            await type_into(pilot, "on", "serial")
            await type_into(pilot, "place", f"socket://127.0.0.1:{server.getsockname()[1]}")
            await run_it(pilot, tmp_path / "runs")


def _board(server: socket.socket, log: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        connection.sendall(log)
        connection.recv(1)  # until the other end goes


async def test_a_named_target_of_a_file_runs_from_the_form(
    make_app: MakeApp, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = [sys.executable, "-c", f"print(open({str(samples / 'softmax.log')!r}).read())"]
    (tmp_path / "ethosu-tui.toml").write_text(f'[targets.bench]\nkind = "command"\nargv = {argv!r}\n')
    read, names = threading.Event(), Catalogue.names
    monkeypatch.setattr(Catalogue, "names", lambda self: names(self) if read.wait(60) else ())
    app = make_app(screen="run")
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await pilot.press("enter")
        read.set()  # whoever is faster than the files still gets the whole list
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"bench", "enter")
        await on_screen(pilot, "RunFormScreen")
        assert app.screen.command == "ethosu-tui run --on bench"  # type: ignore[attr-defined]
        await run_it(pilot, tmp_path / "runs")
    assert replace(Entered(), runner="bench", kind="command").problem() is None
