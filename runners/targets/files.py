"""Where targets are written down, and what those files say: the project's, the user's, and the entries that come with us.

The project's file is `ethosu-tui.toml`, or `[tool.ethosu-tui]` of a `pyproject.toml`, in the working directory or the
nearest folder above it.  The user's is `config.toml` in the user's configuration folder, or the one that ETHOSU_TUI_CONFIG
names.  What is wrong with a file is data, so that it stops only what needs a target of it.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ...analysis.target_entries.entry import Entry, Listed, read_file
from ...analysis.target_entries.problem import Problem
from ..settings_file import CONFIG_VARIABLE, user_file

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT_FILE = "ethosu-tui.toml"
PYPROJECT = "pyproject.toml"
SHIPPED = Path(__file__).with_name("shipped.toml")
LIMIT_BYTES = 1_000_000
DASHBOARD_KEYS = ("theme", "glyphs")
"""What `[dashboard]` of the user's file may say."""
_MOST_DOTS = 250
"""In a line: the time and memory that tomllib takes for a dotted key grow with the square of its parts."""

Layer = Literal["project", "user", "shipped"]
_STRANGE = "belongs to another user and lies where everybody may write"
_PATHS = ("elf", "log")
_PATHS_OR_NAMES = ("fvp", "python")
"""A bare name is searched on PATH."""
_COMMANDS = ("flash", "reset", "before", "after")
_AT = re.compile(r"\s*\(at (line \d+), column \d+\)$|\s*\(at end of document\)$")


@dataclass(frozen=True, slots=True)
class TargetFile:
    """One file with its entries; paths in them are absolute."""

    layer: Layer
    path: str
    """Empty for the entries that come with the program."""
    listed: Listed
    broken: bool = False
    """Nothing could be read of it, so nobody knows which targets it names."""


def target_files(cwd: Path | None = None) -> tuple[TargetFile, ...]:
    """The files that hold from this working directory, first the one that counts most."""
    found = [_read("project", path, prefix, sought=True) for path, prefix in _project_file(cwd)]
    found += [_read("user", path) for path in user_file()]
    return (*found, shipped())


def shipped() -> TargetFile:
    """The entries that come with the program."""
    listed = read_file(tomllib.loads(SHIPPED.read_text("utf-8")), "")
    return TargetFile("shipped", "", listed)


def settings_of(path: Path) -> tuple[Mapping[str, object], str]:
    """What the user's file says of the dashboard's looks, and what is wrong with that; a broken file is told elsewhere."""
    try:
        table = tomllib.loads(_text(path, True)).get("dashboard", {})
    except (_Unreadable, ValueError, RecursionError) as error:
        problem = _problem(error, str(path))
        return {}, f"{path} {problem.text}; {problem.advice}"
    if not isinstance(table, dict):
        return {}, f"dashboard in {path} is no table; write [dashboard]"
    unknown = next((name for name in table if name not in DASHBOARD_KEYS), None)
    told = f"{unknown!r:.40} in [dashboard] of {path} is none of {', '.join(DASHBOARD_KEYS)}" if unknown else ""
    return {name: table[name] for name in DASHBOARD_KEYS if name in table}, told


def read_target_file(path: Path) -> TargetFile:
    """One file that was named, whichever it is."""
    try:
        path = path.expanduser()
    except RuntimeError:  # a home that nobody has: it is said that the file is not there
        pass
    return _read("project", path, "tool.ethosu-tui." if path.name == PYPROJECT else "")


def template() -> str:
    """A file to start from."""
    return SHIPPED.with_name("template.toml").read_text("utf-8")


def places_of_files() -> tuple[str, str]:
    """Where a project's and the user's file would be looked for."""
    users = next(user_file(absent=True), None)
    return f"{PROJECT_FILE} in this folder or above", str(
        users
    ) if users is not None else f"the one of {CONFIG_VARIABLE}"


def _project_file(cwd: Path | None) -> Iterator[tuple[Path, str]]:
    """The nearest file of a project, if there is one."""
    try:
        here = cwd if cwd is not None else Path.cwd()
    except OSError:  # the working directory was removed
        return
    for folder in (here, *here.parents):
        path = folder / PROJECT_FILE
        if os.path.lexists(path):
            yield path, ""
            return
        path = folder / PYPROJECT
        if path.is_file() and _is_ours(path):
            yield path, "tool.ethosu-tui."
            return


def _is_ours(path: Path) -> bool:
    """Whether a pyproject.toml speaks of us; one that cannot be read is somebody else's business."""
    try:
        with open(path, "rb") as stream:
            return re.search(rb"""tool\s*\.\s*["']?ethosu-tui\b""", stream.read(LIMIT_BYTES)) is not None
    except OSError:
        return False


def _read(layer: Layer, path: Path, prefix: str = "", sought: bool = False) -> TargetFile:
    """A file's entries; what keeps it from being read is its only problem.  One that was `sought` is not named by anybody."""
    name = str(path)
    try:
        document: Mapping[str, Any] = tomllib.loads(_text(path, sought))
    except (_Unreadable, ValueError, RecursionError) as error:
        problem = _problem(error, name)
        return TargetFile(layer, name, Listed(name, {}, (problem,)), broken=True)
    if prefix:
        document = document.get("tool", {}).get("ethosu-tui", {})
        if not isinstance(document, dict):
            problem = Problem("[tool.ethosu-tui]", "is no table", "write [tool.ethosu-tui.targets.NAME]", name)
            return TargetFile(layer, name, Listed(name, {}, (problem,)), broken=True)
    listed = read_file(document, name, prefix)
    entries = {key: _placed(entry, path.parent) for key, entry in listed.entries.items()}
    return TargetFile(layer, name, listed._replace(entries=entries))


class _Unreadable(Exception):
    """What is wrong with a file as a whole, and what to do."""


def _text(path: Path, sought: bool) -> str:
    try:
        facts = os.stat(path)
        if stat.S_ISDIR(facts.st_mode):
            raise _Unreadable("is a folder, not a file", "give the file in it")
        if not stat.S_ISREG(facts.st_mode):  # reading a pipe would block
            raise _Unreadable("is not a regular file", "give a file")
        if sought and _strange(path, facts):
            raise _Unreadable(_STRANGE, f"copy it to your own folder, or name it with {CONFIG_VARIABLE}")
        with open(path, "rb") as stream:
            data = stream.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise _Unreadable(f"cannot be read ({error.strerror or error})", "check the path and its rights") from None
    if len(data) > LIMIT_BYTES:
        raise _Unreadable("is larger than 1 MB", "a file of targets has a few lines: is it the right one?")
    dotted = next((n for n, line in enumerate(data.split(b"\n"), 1) if line.count(b".") > _MOST_DOTS), None)
    if dotted is not None:
        raise _Unreadable(f"has more than {_MOST_DOTS} dots in line {dotted}", "write that in several lines")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Unreadable(f"is not UTF-8 (line {line})", "save it as UTF-8") from None


def _strange(path: Path, facts: os.stat_result) -> bool:
    """A file that anybody could have put in our way: its commands would run as us."""
    if {facts.st_uid, os.lstat(path).st_uid} <= {0, os.getuid()}:  # a link is as strange as whoever made it
        return False
    return bool(os.stat(path.parent).st_mode & stat.S_IWOTH)


def _problem(error: Exception, name: str) -> Problem:
    if isinstance(error, _Unreadable):
        return Problem("", str(error.args[0]), str(error.args[1]), name)
    if isinstance(error, RecursionError):
        return Problem("", "is nested too deeply", "write it flat: [targets.NAME]", name)
    text = str(error)
    at = _AT.search(text)
    where = (at[1] or "its end") if at is not None else ""
    text = text[: at.start()] if at is not None else text
    return Problem(where, f"is no TOML: {text}", "correct it, or see `ethosu-tui targets template`", name)


def _placed(entry: Entry, folder: Path) -> Entry:
    """The entry with its paths made absolute: `~` is the home, and others begin in the folder of the file."""
    values = dict(entry.values)
    problems = list(entry.problems)
    for key, value in entry.values.items():
        try:
            if key in _PATHS or key in _PATHS_OR_NAMES and _is_path(value, folder):
                values[key] = absolute(value, folder)
            elif key == "send":
                values[key] = tuple(absolute(one, folder) for one in value)
            elif key in _COMMANDS:
                values[key] = local_command(value, folder)
        except RuntimeError:
            text = f"{value!r:.80} begins with a home that nobody has"
            problems.append(Problem(f"[targets.{entry.name}] {key}", text, "give the path in full", entry.file))
    return entry._replace(values=values, problems=tuple(problems))


def local_command(words: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The command with its program found from this folder, where it is written as a path; RuntimeError for a strange home."""
    if not words[0].startswith(("~", "./", "../")):
        return words
    return absolute(words[0], folder), *words[1:]


def _is_path(value: str, folder: Path) -> bool:
    return os.sep in value or value.startswith("~") or (folder / value).exists()


def absolute(path: str, folder: Path) -> str:
    """The path as seen from this folder; RuntimeError where it begins with a home that nobody has."""
    if "{" in path:
        return path  # a placeholder of the run
    return os.path.normpath(folder.absolute() / Path(path).expanduser())
