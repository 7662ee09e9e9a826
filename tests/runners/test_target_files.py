"""Files of targets where people keep them: which count, what is wrong with them, and how a request becomes one with settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ethosu_tui.analysis.meaning.boards import BOARDS
from ethosu_tui.analysis.target_entries.figures import shown, unverified_keys
from ethosu_tui.runners.job import InputError, UsageError
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.settings_file import CONFIG_VARIABLE
from ethosu_tui.runners.simulator import FVP_NAMES
from ethosu_tui.runners.target import Target
from ethosu_tui.runners.targets.catalogue import Catalogue
from ethosu_tui.runners.targets.files import read_target_file, shipped, target_files, template
from ethosu_tui.runners.targets.health import health
from ethosu_tui.runners.targets.recorded import recorded
from ethosu_tui.runners.targets.resolve import judged, resolve
from ethosu_tui.tui.cli import main

from ..programs import HERE

HOST = '[targets.lab]\nkind = "host"\ntitle = "{}"\n'


def user_file(tmp_path: Path) -> Path:
    path = tmp_path / "xdg-config" / "ethosu-tui" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def titles(name: str = "lab") -> str:
    return Catalogue().target(name).title


def test_the_project_counts_more_than_the_user_and_both_more_than_what_is_shipped(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_file(tmp_path).write_text(HOST.format("user") + '[targets.corstone-320]\nkind = "host"\n')
    assert titles() == "user" and Catalogue().target("corstone-320").kind == "host"
    named = tmp_path / "named.toml"
    named.write_text(HOST.format("named"))
    monkeypatch.setenv(CONFIG_VARIABLE, str(named))
    assert titles() == "named" and Catalogue().target("corstone-320").kind == "fvp"
    (project / "pyproject.toml").write_text(HOST.format("pyproject").replace("[targets", "[tool.ethosu-tui.targets"))
    assert titles() == "pyproject"
    (project / "ethosu-tui.toml").write_text(HOST.format("project"))
    assert titles() == "project"
    below = project / "a" / "b"
    below.mkdir(parents=True)
    (below.parent / "pyproject.toml").write_text("[tool.other]\n")  # of somebody else: the search goes on
    monkeypatch.chdir(below)
    assert titles() == "project"
    assert Catalogue().target("lab").origin == str(project / "ethosu-tui.toml")


def test_no_home_and_no_working_directory_leave_the_shipped_ones(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = project / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert [file.layer for file in target_files()] == ["shipped"]


WRONG_FILES = {
    "no TOML": (b"[targets.lab\nkind = 1\n", "line 1: is no TOML"),
    "twice": (b"[targets.lab]\nkind = 'host'\n[targets.lab]\n", "is no TOML"),
    "latin-1": (b"# one\n# two \xff\n", "is not UTF-8 (line 2)"),
    "a number without end": (b"x = " + b"9" * 5000, "is no TOML"),
    "no date": (b"x = 2026-13-45", "is no TOML"),
    "a NUL": (b"\0", "is no TOML"),
    "huge": (b"#" * 1_000_001, "is larger than 1 MB"),
    "deep": (b"x = " + b"[" * 90_000, "is nested too deeply"),
    "dots": (b"x=1\n" + b".".join([b"a"] * 100_000) + b" = 1\n", "has more than 250 dots in line 2"),
    "binary": (os.urandom(0) + bytes(range(128, 256)) * 40, "is not UTF-8"),
}


@pytest.mark.parametrize("case", WRONG_FILES)
def test_a_file_that_cannot_be_read_is_one_sentence(case: str, project: Path) -> None:
    data, words = WRONG_FILES[case]
    path = project / "ethosu-tui.toml"
    path.write_bytes(data)
    (problem,) = read_target_file(path).listed.problems
    assert words in str(problem) and str(problem).startswith(str(path)) and str(problem).isprintable()
    with pytest.raises(InputError, match="ethosu-tui.toml"):
        resolve(RunRequest("corstone-320"))  # nobody knows whether that file names another one so
    assert resolve(RunRequest("fvp")) == RunRequest("fvp")


def test_a_file_with_many_mistakes_is_told_of_in_few_sentences(project: Path) -> None:
    path = project / "ethosu-tui.toml"
    entries = "".join(f"[targets.x{n}]\nbase='y{n}'\n" for n in range(2000))
    keys = "".join(f"kind{n}=0x{'f' * 5000 if n < 9 else n}\n" for n in range(2000))
    path.write_text(f"[targets.a]\nkind='serial'\nbaud=0x{'f' * 5000}\n{keys}{entries}")
    catalogue = Catalogue()
    problems = catalogue.problems()
    assert len(problems) < 700 and all(len(str(problem)) < 1000 for problem in problems)
    told = "\n".join(map(str, problems))
    assert "has 2001 targets, of which 500 are read" in told and "a huge number is out of range" in told


def test_a_folder_a_pipe_and_a_file_without_rights_are_told(project: Path) -> None:
    folder, pipe, gone = project / "d", project / "p", project / "gone.toml"
    folder.mkdir()
    os.mkfifo(pipe)
    for path, words in ((folder, "is a folder"), (pipe, "not a regular file"), (gone, "cannot be read (No such file")):
        (problem,) = read_target_file(path).listed.problems
        assert words in str(problem)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs the right to give a file away")
def test_a_file_that_anybody_could_have_put_there_is_not_used(project: Path) -> None:
    path = project / "ethosu-tui.toml"
    path.write_text(HOST.format("strange"))
    os.chown(path, 65534, 65534)
    assert titles() == "strange"  # of a colleague, in a folder where only its owner writes
    project.chmod(0o1777)
    with pytest.raises(InputError, match="belongs to another user"):
        Catalogue().target("lab")
    assert read_target_file(path).listed.problems == ()  # who names it means it
    (ours := project / "ours").mkdir()
    os.chown(path, os.geteuid(), -1)
    path = path.rename(ours / "ethosu-tui.toml")
    (link := project / "ethosu-tui.toml").symlink_to(path)
    assert Catalogue().target("lab")
    os.chown(link, 65534, 65534, follow_symlinks=False)
    with pytest.raises(InputError, match="belongs to another user"):
        Catalogue().target("lab")


def test_a_broken_entry_stops_only_who_names_it(project: Path) -> None:
    (project / "ethosu-tui.toml").write_text(
        HOST.format("sound") + '[targets.bad]\nkind = "host"\nbauds = 3\nbaud = 1\n'
    )
    assert resolve(RunRequest("lab")).place.title == "sound"
    with pytest.raises(InputError, match=r"\[targets.bad\] bauds: is not a key") as caught:
        resolve(RunRequest("bad"))
    assert "and 1 more" in caught.value.hint
    with pytest.raises(UsageError, match="labb is not a runner, and no target has that name") as unknown:
        resolve(RunRequest("labb"))
    assert "did you mean lab" in unknown.value.hint and "targets check" in unknown.value.hint


def test_paths_begin_in_the_folder_of_their_file_and_nothing_is_expanded_by_a_shell(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "tools").mkdir()
    (project / "ethosu-tui.toml").write_text(
        """
        [targets.sim]
        kind = "fvp"
        npu = "ethos-u55-128"
        elf = "../out/$HOME/r.elf"
        fvp = "tools"
        [targets.cmd]
        kind = "command"
        argv = ["./run.sh", "./x", "~/y", "$(reboot)"]
        cwd = "~/here"
        [targets.port]
        kind = "serial"
        flash = ["west", "flash"]
        reset = ["../reset", "x"]
        [targets.remote]
        base = "imx93"
        host = "lab"
        argv = ["./executor_runner"]
        cwd = "~/there"
        send = ["a b", "~/c"]
        [targets.lost]
        kind = "host"
        python = "~nobody-of-that-name/x"
        """
    )
    below = project / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    found = Catalogue()
    sim, cmd, ssh = (found.target(name) for name in ("sim", "cmd", "remote"))
    assert sim.elf == str(tmp_path / "out" / "$HOME" / "r.elf") and sim.fvp == str(project / "tools")
    assert cmd.argv == (str(project / "run.sh"), "./x", "~/y", "$(reboot)") and cmd.cwd == str(tmp_path / "here")
    port = found.target("port")
    assert port.flash == ("west", "flash") and port.reset == (str(tmp_path / "reset"), "x")
    assert (ssh.kind, ssh.argv, ssh.cwd) == ("ssh", ("./executor_runner",), "~/there")  # paths of that machine
    assert ssh.send == (str(project / "a b"), str(tmp_path / "c"))
    with pytest.raises(InputError, match="begins with a home that nobody has"):
        found.target("lost")
    (below / "ethosu-tui.toml").write_text('[targets.c]\nkind = "command"\nargv = ["~nobody-of-that-name/x"]\n')
    with pytest.raises(InputError, match="home directory"):
        Catalogue().target("c")
    assert main(["targets"]) == 0


def test_shipped_entries_are_sound_and_each_figure_has_its_source() -> None:
    catalogue = Catalogue((shipped(),))
    assert catalogue.problems() == ()
    boards = []
    for name, _ in catalogue.names():
        place = catalogue.known(name)
        target = catalogue.target(name)
        boards.append(target.board)
        said = shipped().listed.entries[name].values.get("unverified", ())
        assert tuple(sorted(said)) == unverified_keys(place) == target.unverified, name
        assert target.url is None and target.host is None
        for value in shown(place):
            if isinstance(value.value, (int, float)):
                assert value.source and value.verified is not None, (name, value.key)
    assert set(boards) == set(BOARDS) and {"alif-e7-he", "alif-e8-u85", "imx93", "corstone-300-u65"} <= set(boards)


def test_the_starting_file_is_sound_as_it_stands_and_with_its_examples(project: Path) -> None:
    path = project / "ethosu-tui.toml"
    path.write_text(template())
    assert Catalogue().problems() == () and Catalogue().target("sim-u55").kind == "fvp"
    lines = [
        line[1:] if line.startswith("#") and line[1:2] not in ("", " ") else line for line in template().splitlines()
    ]
    path.write_text("\n".join(lines))
    catalogue = Catalogue()
    assert catalogue.problems() == ()
    assert catalogue.target("my-e8").npu_target == "ethos-u55-256" and catalogue.target("lab-himax").baud == 921600
    assert {"qemu", "my-imx93", "lab-himax", "sim-u55"} <= {name for name, _ in catalogue.names()}


def test_a_request_keeps_what_was_said_and_is_resolved_once(project: Path) -> None:
    (project / "ethosu-tui.toml").write_text(
        """
        [targets.sim]
        base = "corstone-300-u55"
        fvp_args = ["--stat"]
        timeout_seconds = 20
        semihosting = true
        [targets.port]
        base = "alif-e8-hp"
        until = ["DONE"]
        [targets.h]
        kind = "host"
        python = "python3.12"
        """
    )
    found = resolve(RunRequest("sim", "m.pte", timeout=5, extra=("-q",)))
    assert found.time_limit_seconds == 5 and found.extra == ("--stat", "-q") and found.fvp is None
    assert resolve(RunRequest("port", until=("END",))).end_markers == ("END", "DONE")
    assert resolve(RunRequest("sim")).time_limit_seconds == 20 and found.semihosting and not found.fast
    assert resolve(RunRequest("h")).python == "python3.12" and resolve(RunRequest("h", python="x")).python == "x"
    (project / "ethosu-tui.toml").unlink()
    assert resolve(found) == found
    assert RunRequest.from_json(found.to_json()) == found


def test_memories_and_unverified_keys_survive_being_stored() -> None:
    target = Target("x", "serial", memories=(("sram", 4),), unverified=("clock",), argv=("a", "b"))
    stored = {name: list(map(list, value)) if name == "memories" else value for name, value in target.to_json().items()}
    assert Target.from_json(stored) == target


def test_a_simulator_takes_the_size_of_the_program_and_a_board_does_not(project: Path) -> None:
    pte = str(HERE / "two_parts_u55_256_segments.pte")
    assert judged(resolve(RunRequest("corstone-300-u55", pte))).request.npu_target == "ethos-u55-256"
    assert judged(RunRequest("fvp", pte)).request.npu_target == "ethos-u55-256"
    for request in (
        RunRequest("corstone-320", pte),
        RunRequest("corstone-300-u55", pte, "ethos-u55-128"),
        RunRequest("fvp", pte, "ethos-u55-128"),
        RunRequest("alif-e8-he", pte),
    ):
        with pytest.raises(UsageError, match="was compiled for ethos-u55-256"):
            judged(resolve(request))
    with pytest.raises(UsageError, match="adds_u55_128.bpte was compiled for ethos-u55-128"):
        judged(resolve(RunRequest("alif-e8-hp", str(HERE / "adds_u55_128.bpte"))))
    assert judged(resolve(RunRequest("alif-e8-hp", pte))).notes == ()
    with pytest.raises(UsageError, match="is not what alif-e8-hp has"):
        judged(resolve(RunRequest("alif-e8-hp", pte, "ethos-u55-128")))
    with pytest.raises(UsageError, match="is not what corstone-320 has"):
        judged(resolve(RunRequest("corstone-320", None, "ethos-u55-128")))


def test_a_clock_that_nobody_checked_is_said_and_recorded_as_such(project: Path) -> None:
    found = judged(resolve(RunRequest("psoc-edge-e84")))
    assert any("nobody has checked the clock of psoc-edge-e84, 400 MHz (third parties)" in note for note in found.notes)
    facts = recorded(found.request.place)
    assert facts["npu_clock_verified"] is False and "npu_clock_from" not in facts and facts["board"] == "psoc-edge-e84"
    assert any("800 MHz" in note for note in judged(resolve(RunRequest("imx93"))).notes)
    (project / "ethosu-tui.toml").write_text('[targets.mine]\nbase = "psoc-edge-e84"\nclock = "300MHz"\n')
    sure = judged(resolve(RunRequest("mine")))
    assert sure.notes == () and recorded(sure.request.place)["npu_clock_from"] == "targets.mine.clock"


def test_what_this_machine_lacks_is_named_without_asking_a_network(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(project))
    assert health(Target("x", "ssh", host="lab")).why == "ssh is not on PATH"
    tool = project / "ssh"
    tool.write_text("#!/bin/sh\nexit 1\n")
    tool.chmod(0o755)
    assert health(Target("x", "ssh", host="lab")).ready is None
    assert health(Target("x", "command", argv=("ssh",))) == (True, str(tool))
    assert health(Target("x", "command", argv=("qemu",))).why == "qemu is not on PATH"
    assert health(Target("x", "replay", log=str(tool))).ready and not health(Target("x", "replay", log="/gone")).ready
    assert health(Target("x", "fvp", npu="ethos-u85")).why.startswith(FVP_NAMES[2])
    assert health(Target("x", "serial")).why == "no url"
    assert health(Target("x", "serial", url="socket://lab:1")).ready is not True
    assert health(Target("x", "host", elf="/gone.elf")).why == "no file /gone.elf"


def test_the_files_of_the_docs_are_sound(project: Path) -> None:
    docs = Path(__file__).resolve().parent.parent.parent / "docs"
    pages = [(docs / name).read_text("utf-8") for name in ("targets.md", "dashboard.md")]
    blocks = [block.partition("```")[0] for page in pages for block in page.split("```toml\n")[1:]]
    blocks = [block for block in blocks if block.startswith(("[targets.", "[dashboard]"))]  # others are of other files
    assert len(blocks) > 2
    (project / "ethosu-tui.toml").write_text("\n".join(blocks))
    catalogue = Catalogue()
    assert catalogue.problems() == ()
    assert catalogue.target("bench").clock_hz == 8e8 and catalogue.target("my-e8").npu_target == "ethos-u55-256"
