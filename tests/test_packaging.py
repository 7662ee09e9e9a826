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


def tool_table(tool: str) -> dict[str, object]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        table: dict[str, object] = tomllib.load(file)["tool"][tool]
    return table


def test_every_package_folder_is_listed() -> None:
    on_disk = {
        "ethosu_tui." + ".".join(init.parent.relative_to(ROOT).parts)
        for room in ROOMS
        for init in (ROOT / room).rglob("__init__.py")
    }
    assert set(tool_table("setuptools")["packages"]) == on_disk  # type: ignore[call-overload]


def test_every_data_file_is_shipped() -> None:
    globs = tool_table("setuptools")["package-data"]["*"]  # type: ignore[index]
    for room in ROOMS:
        for path in (ROOT / room).rglob("*"):
            if path.is_file() and path.suffix not in (".py", ".pyc") and "__snapshots__" not in path.parts:
                assert any(fnmatch.fnmatch(path.name, pattern) for pattern in globs), path


def test_every_full_screen_is_in_the_contract_that_keeps_screens_apart() -> None:
    screens = {
        f"ethosu_tui.tui.screens.{path.stem}"
        for path in (ROOT / "tui" / "screens").glob("*.py")
        if "\n    HEADING = " in path.read_text("utf-8")
    }
    contracts = tool_table("importlinter")["contracts"]
    kept_apart = [contract["protected_modules"] for contract in contracts if contract["type"] == "protected"]  # type: ignore[attr-defined]
    assert kept_apart == [sorted(screens)]


def test_every_module_says_why_it_exists_and_is_short() -> None:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text("utf-8")
            assert text.lstrip().startswith(('"""', "#!")), f"{path.relative_to(ROOT)} has no docstring"
            assert text.count("\n") <= 400, f"{path.relative_to(ROOT)} is too long"
