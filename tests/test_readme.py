"""What README.md and the pages in docs/ show is true: commands in `sh` blocks run from the root of the checkout, those in `console`
blocks (which need a board, a simulator or a network) have options that exist, and links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.tui.commands import COMMANDS
from ethosu_tui.tui.commands.parsers import command_parser

from .conftest import user_of_compiles

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
}
README = PAGES["README.md"]
_BLOCK = re.compile(r"```([a-z]*)\n(.*?)```", re.DOTALL)


def lines_of(kind: str) -> list[str]:
    """The lines of all blocks of this kind on all pages, each once."""
    blocks = (text for page in PAGES.values() for found, text in _BLOCK.findall(page) if found == kind)
    return list(dict.fromkeys(line for text in blocks for line in text.splitlines() if line.strip()))


RUN = lines_of("sh")
NOT_RUN = [line for line in lines_of("console") if line.startswith("ethosu-tui")]
NAMED = sorted({c for page in PAGES.values() for c in re.findall("`(ethosu-tui (?:--)?[a-z][^`]* [^`]*)`", page)})
"""In the middle of a sentence."""
EXPECTED = {
    "ethosu-tui analyze sample_logs/method_small_planned.log": 1,
    "ethosu-tui analyze sample_logs": 1,
    "ethosu-tui analyze sample_logs --csv": 1,
    "ethosu-tui analyze sample_logs --markdown --jobs 2": 1,
    "ethosu-tui analyze 'sample_logs/m*.log' --all": 1,
}
OF_OTHERS = {"--model_input", "--model_path", "--etdump_path", "--enable_debug_mode", "--config", "--user", "--scope"}
OF_OTHERS |= {"--hypothesis-profile", "--help", "--version"}


def marked(command: str) -> object:
    return pytest.param(command, marks=pytest.mark.compile if " compile " in command else ())


def run(command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if " compile " in command:
        environment |= user_of_compiles()
    if command.startswith("ethosu-tui runs"):
        first = "ethosu-tui run sample_logs/mnist_q.log --on replay:sample_logs/mnist_q.log"
        assert first in RUN
        subprocess.run(first, shell=True, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=60)
    return subprocess.run(command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("command", [marked(command) for command in RUN])
def test_command_of_a_page(command: str, tmp_path: Path) -> None:
    done = run(command)
    assert done.returncode == EXPECTED.get(command, 0), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("command", [*NOT_RUN, *(command for command in NAMED if "..." not in command)])
def test_options_of_a_command_that_is_not_run_exist(command: str) -> None:
    words = shlex.split(command)[1:]
    if not words or words[0] not in COMMANDS:  # the dashboard itself
        assert words[:1] in ([], ["--theme"], ["--plain"], ["COMMAND"])
        return
    name, own = words[0], words[1:]
    own = own[: own.index("--")] if "--" in own else own
    if "--help" not in own:
        command_parser(name).parse_intermixed_args(own)


def test_options_that_pages_name_exist() -> None:
    known = {one for name in COMMANDS for action in command_parser(name)._actions for one in action.option_strings}
    for name, page in PAGES.items():
        prose = _BLOCK.sub("", page)
        named = {
            option for code in re.findall("`([^`]+)`", prose) for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", code)
        }
        unknown = named - known - OF_OTHERS
        unknown -= {option for code in re.findall('`"[^`]+"`', prose) for option in re.findall(r"--[a-z][\w-]*", code)}
        assert not unknown, name


def test_the_readme_is_read_in_minutes_and_shows_commands_of_every_kind() -> None:
    assert README.count("\n") <= 300
    shown = {command.split()[1] for command in RUN}
    assert {"analyze", "compile", "run", "runs", "targets", "compare", "doctor", "inspect", "firmware"} <= shown
    assert "make demo" in README
    assert "make test" in README
    assert shutil.which("make")


def test_outputs_of_the_readme_are_what_is_printed() -> None:
    """What stands in a `text` block is in the output of the last command above it, whatever is left out at a line of `…`."""
    found = re.findall(r"```sh\n((?:(?!```).)*)```\n(?:(?!```).)*```text\n(.*?)```", README, re.DOTALL)
    assert len(found) == README.count("```text") > 1
    for commands, shown in found:
        printed = " ".join(run(commands.splitlines()[-1]).stdout.split())
        for part in shown.split("\n…\n"):
            assert " ".join(part.split()) in printed


def test_make_bench_starts_nothing_that_wants_to_be_told_more() -> None:
    assert "make bench" in PAGES["CONTRIBUTING.md"]
    loop = subprocess.run(["make", "-n", "bench"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    scripts = re.findall(r"benchmarks/[a-z_]+\.py(?=[ ;])", loop)
    assert len(scripts) > 10
    wanted = re.compile(r'add_argument\("[a-z](?!.*nargs="[?*]")')
    assert not [script for script in scripts if wanted.search((ROOT / script).read_text("utf-8"))]


def anchors(page: str) -> list[str]:
    headings = re.findall(r"^##+ (.+)$", _BLOCK.sub("", page), re.M)
    return [re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-") for name in headings]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", _BLOCK.sub("", PAGES[name])):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        linked = (ROOT / name).parent / path if path else ROOT / name
        assert linked.is_file(), target
        if anchor:
            assert anchor in anchors(linked.read_text("utf-8")), target


@pytest.mark.parametrize("name", PAGES)
def test_contents_are_listed_as_they_come(name: str) -> None:
    listed = re.findall(r"\]\(#([^)]+)\)", PAGES[name].partition("\n## ")[0])
    assert listed in ([], anchors(PAGES[name]))


def test_every_page_is_linked_from_the_readme() -> None:
    assert [name for name in PAGES if name != "README.md" and f"]({name})" not in README] == []


def test_pictures_exist() -> None:
    shown = re.findall(r"!\[[^]]*\]\(([^)]+\.svg)\)", README)
    assert sorted(shown) == sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.svg"))
    for picture in shown:
        assert (ROOT / picture).read_text("utf-8").lstrip().startswith("<svg")


def test_files_that_contributing_names_exist() -> None:
    skipped = {".venv", "build", "__pycache__"}
    known = [
        f"/{path.relative_to(ROOT)}" for path in ROOT.rglob("*") if not skipped & set(path.relative_to(ROOT).parts)
    ]
    named = re.findall(r"`((?:\w+/)+|[\w/]*\w\.py)`", PAGES["CONTRIBUTING.md"])
    assert len(named) > 60
    assert [name for name in named if not any(path.endswith(f"/{name.rstrip('/')}") for path in known)] == []
