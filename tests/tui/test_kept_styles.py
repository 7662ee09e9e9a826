"""Styles that the last start found are taken for what Textual finds, and only where they are just that."""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path

import pytest

from ethosu_tui.runners.kept_files import keep, kept
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.terminal import internals, kept_styles
from ethosu_tui.tui.terminal.known_styles import KnownStyles

from .conftest import on_screen
from .gallery import app_on
from .test_same_as_textual import _same

pytestmark = pytest.mark.skipif(not internals.ARE_KNOWN, reason="with this Textual nothing is done our own way")
FILE = "styles-home.pickle"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where they are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "ethosu-tui" / FILE


async def start(root: Path, keys: tuple[str, ...] = (), theme: str = "") -> tuple[EthosuApp, bool]:
    """Home as it comes up, and whether any stylesheet was read for it; then these keys, all in Textual's styles."""
    app = app_on(root)
    if theme:
        app.theme = theme
    app.use_kept_styles("home")
    async with app.run_test(size=(100, 32)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.pause()
        assert isinstance(app.stylesheet, KnownStyles)
        was_read = bool(app.stylesheet._rules)
        for key in ("", *keys):
            if key:
                await pilot.press(key)
                await pilot.pause()
            _same(pilot)
    return app, was_read


async def test_a_second_start_reads_no_stylesheet(tmp_path: Path, file: Path) -> None:
    assert (await start(tmp_path))[1] and file.exists()
    assert not (await start(tmp_path, ("tab", "slash", "escape", "o", "escape", "question_mark")))[1]


async def test_another_theme_is_looked_through_anew(tmp_path: Path, file: Path) -> None:
    await start(tmp_path)
    assert (await start(tmp_path, theme="textual-light"))[1]
    assert not (await start(tmp_path))[1], "the file holds both"
    assert not (await start(tmp_path, theme="textual-light"))[1]


async def test_another_type_of_widget_is_looked_through_anew(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start(tmp_path)
    monkeypatch.setattr(EthosuApp, "_css_type_names", EthosuApp._css_type_names | {"Other"})
    assert (await start(tmp_path))[1]


async def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path, file: Path) -> None:
    await start(tmp_path)
    for path, mode in ((file, 0o666), (file.parent, 0o777)):
        before = path.stat().st_mode
        path.chmod(mode)
        assert kept(FILE, 1 << 20) is None
        path.chmod(before)
    assert kept(FILE, 1 << 20) and kept(FILE, 100) is None


class _Order:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("ordered",)


async def test_a_damaged_file_is_nothing(tmp_path: Path, file: Path) -> None:
    await start(tmp_path)
    good = file.read_bytes()
    assert kept_styles.read_sheets("home")
    for place in range(0, len(good), len(good) // 50):
        file.write_bytes(good[:place] + bytes((good[place] ^ 1,)) + good[place + 1 :])
        assert kept_styles.read_sheets("home") == []
    assert kept_styles.read_sheets("home") == []


def test_no_class_of_another_package_is_reached_through_a_module(file: Path, tmp_path: Path) -> None:
    """`sys.modules["ethosu_tui.runners.spawning"].subprocess.Popen` is a class, and would be called."""
    where = tmp_path / "ordered"
    name = (
        b"\x8c\x1bethosu_tui.runners.spawning\x8c\x10subprocess.Popen\x93"  # STACK_GLOBAL
        b"(](X\x05\x00\x00\x00touchX" + len(str(where)).to_bytes(4, "little") + str(where).encode() + b"etR."
    )
    with pytest.raises(pickle.UnpicklingError):
        kept_styles._Reader(io.BytesIO(b"\x80\x05" + name)).load()
    assert not where.exists()


@pytest.mark.parametrize("data", [b"", b"\x80", pickle.dumps(1), pickle.dumps(_Order()), pickle.dumps(([], {}, [[]]))])
async def test_a_file_of_anything_else_is_nothing(
    data: bytes, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keep(FILE, data)
    assert kept_styles.read_sheets("home") == [] and not Path("ordered").exists()
    assert (await start(tmp_path))[1]
    assert not (await start(tmp_path))[1], "it was replaced"
