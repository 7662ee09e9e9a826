"""The wheel holds what the checkout holds: packages are listed by hand, and a forgotten one is missing in silence."""

from __future__ import annotations

import fnmatch
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("analysis", "runners", "tui", "sample_logs")


def setuptools_table() -> dict[str, object]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        table: dict[str, object] = tomllib.load(file)["tool"]["setuptools"]
    return table


def test_every_package_folder_is_listed() -> None:
    on_disk = {
        "ethosu_tui." + ".".join(init.parent.relative_to(ROOT).parts)
        for room in ROOMS
        for init in (ROOT / room).rglob("__init__.py")
    }
    assert set(setuptools_table()["packages"]) == on_disk  # type: ignore[call-overload]


def test_every_data_file_is_shipped() -> None:
    globs = setuptools_table()["package-data"]["*"]  # type: ignore[index]
    for room in ROOMS:
        for path in (ROOT / room).rglob("*"):
            if path.is_file() and path.suffix not in (".py", ".pyc") and "__snapshots__" not in path.parts:
                assert any(fnmatch.fnmatch(path.name, pattern) for pattern in globs), path


def test_every_module_says_why_it_exists_and_is_short() -> None:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text("utf-8")
            assert text.lstrip().startswith(('"""', "#!")), f"{path.relative_to(ROOT)} has no docstring"
            assert text.count("\n") <= 400, f"{path.relative_to(ROOT)} is too long"
