"""What is asked for on the compile form: each field with its dialog, and the choices of the last time."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from textual import work

from ...analysis.units import parse_bytes
from ...runners.compile.plan import CompileOptions, model_label
from ...runners.compile.points import LARGEST_ARENA_BYTES, CompilePoint
from ...runners.job import JobError
from ...runners.remembered import part, text_of, texts
from .. import glyphs
from ..compile_choices import Earlier, Space
from ..state import Surroundings
from ..widgets.checklist import Checklist
from .dialogs import AskScreen, Choice
from .page import Page
from .paths import PathSuggester, check_model

if TYPE_CHECKING:
    from ...runners.vela.config import VelaConfig


class CompileFields(Page):
    """The fields of the form, and what they make; the screen shows them."""

    def __init__(
        self, surroundings: Surroundings, given: CompileOptions | None = None, point: CompilePoint | None = None
    ) -> None:
        """`given` and `point` are what the form starts with: those of one job of a sweep."""
        super().__init__()
        self._surroundings = surroundings
        self._is_given = given is not None
        self._given = given or CompileOptions("bundled:mnist")
        self._point = point
        self._model = self._given.model
        self._output: str | None = None
        self._arenas: tuple[int | None, ...] = (point.arena_cache_bytes,) if point is not None else ()
        self._space = Space(self._given.vela_config.ini if self._given.vela_config else None)
        self._earlier = Earlier()
        self._choices: tuple[Choice, ...] = ()
        self._points: tuple[CompilePoint, ...] = ()

    def _list(self, name: str) -> Checklist:
        return self.query_one(f"#{name}", Checklist)

    def options(self) -> CompileOptions:
        """The options as chosen."""
        on = self._list("switches").marks
        return replace(
            self._given,
            model=self._model,
            delegate=0 in on,
            quantize=1 in on,
            debug=2 in on,
            keep_intermediates=(self._given.keep_intermediates or True) if 3 in on else False,
            output=self._output,
        )

    def _update(self) -> None:
        """Show what follows from the fields."""
        raise NotImplementedError

    @work
    async def action_model(self) -> None:
        model = await self.app.push_screen_wait(
            AskScreen(
                "Model: a .py file with ModelUnderTest, or a name",
                value=self._model,
                hint="type to filter, or a path; → completes",
                choices=self._choices,
                check=lambda text: check_model(text, [choice.value for choice in self._choices]),
                suggester=PathSuggester((".py", ".pt", ".pth")),
            )
        )
        if model:
            self._model = model
            self._update()

    @work
    async def action_output(self) -> None:
        output = await self.app.push_screen_wait(
            AskScreen(
                "Output: a .pte file, or a folder; empty for the run folder only",
                value=self._output or (f"{model_label(self._model)}-{self._point.target}.pte" if self._point else ""),
                hint="out/  or  out/{model}-{target}.pte",
                suggester=PathSuggester((".pte",)),
            )
        )
        if output is not None:
            self._output = output or None
            self._update()

    @work
    async def action_arenas(self) -> None:
        arenas = await self.app.push_screen_wait(
            AskScreen(
                "Arena limits, one or more; empty for that of the memory mode",
                value=", ".join(size_text(arena) for arena in self._arenas),
                hint="default, 384KiB, 256KiB",
                check=lambda text: _read_arenas(text)[1],
            )
        )
        if arenas is not None:
            self._arenas = _read_arenas(arenas)[0]
            self._update()

    @work
    async def action_calibration(self) -> None:
        from ...runners.compile.calibration import check_calibration

        def check(text: str) -> str | None:
            try:
                return None if not text or check_calibration(text) else None
            except JobError as error:
                return f"{error.message}; {error.hint}"

        answer = await self.app.push_screen_wait(
            AskScreen(
                "Calibration data: .pt file or folder; empty for the model's inputs",
                value=self._given.calibration or "",
                hint="samples/",
                check=check,
                suggester=PathSuggester((".pt",)),
            )
        )
        if answer is not None:
            self._given = replace(self._given, calibration=check_calibration(answer) if answer else None)
            self._update()

    @work
    async def action_vela_config(self) -> None:
        answer = await self.app.push_screen_wait(
            AskScreen(
                "A vela.ini of yours; empty for Vela's own",
                value=self._given.vela_config.path if self._given.vela_config else "",
                hint="board.ini",
                check=lambda text: self._take_ini(text)[1] if text else None,
                suggester=PathSuggester((".ini",)),
            )
        )
        if answer is not None:
            self._use_ini(self._take_ini(answer)[0] if answer else None)
            self._update()

    def _take_ini(self, path: str) -> tuple[VelaConfig | None, str | None]:
        """The file, or what is wrong with it."""
        from ...runners.vela.config import read_vela_config

        try:
            return read_vela_config(path), None
        except JobError as error:
            return None, f"{error.message}; {error.hint}"

    def _use_ini(self, config: VelaConfig | None) -> None:
        self._given = replace(self._given, vela_config=config)
        self._space = Space(config.ini if config else None)
        self._list("configs").offer(self._space.configs, **shown(self._space))
        self._list("modes").offer(self._space.modes)

    # -- the last choices ------------------------------------------------------------------------------------------

    def _recall(self) -> None:
        """What was compiled the last time, as far as it is still there."""
        last = part(self._memory.get("compile"), dict)
        model = text_of(last, "model")
        if model and (model.startswith("bundled:") or "/" not in model or os.path.exists(model)):
            self._model = model
        ini = text_of(last, "vela_config")
        if ini and (config := self._take_ini(ini)[0]) is not None:
            self._use_ini(config)
        calibration = text_of(last, "calibration")
        if calibration and os.path.exists(calibration):
            self._given = replace(self._given, calibration=calibration)
        arenas = text_of(last, "arenas")
        self._arenas = _read_arenas(arenas)[0] if arenas else self._arenas
        self._output = text_of(last, "output")
        for name in ("targets", "configs", "modes", "optimise", "switches"):
            if isinstance(last.get(name), list):
                self._list(name).choose_names(texts(last[name]))
                if self._list(name).marks:
                    self._list(name).select_row(min(self._list(name).marks))

    def _remember_choices(self) -> None:
        given = self._given
        lists = ("targets", "configs", "modes", "optimise", "switches")
        choices: dict[str, object] = {
            "model": self._model,
            "output": self._output,
            "arenas": ", ".join(size_text(arena) for arena in self._arenas) or None,
            "calibration": given.calibration,
            "vela_config": given.vela_config.path if given.vela_config else None,
            **{name: list(self._list(name).chosen) for name in lists},
        }
        self._memory.put("compile", {name: value for name, value in choices.items() if value is not None})


class Shown(TypedDict):
    """What a checklist takes besides its values."""

    labels: list[str]
    notes: list[tuple[str, str]]


def shown(space: Space) -> Shown:
    """How system configs are listed: by what sets them apart, with clock and bandwidth where there is room."""
    notes = [(space.clock(name), space.bandwidth(name)) for name in space.configs]
    return {"labels": [space.label(name) for name in space.configs], "notes": notes}


def size_text(arena: int | None) -> str:
    """A limit as it is typed."""
    if arena is None:
        return "default"
    return f"{arena >> 10}KiB" if arena % 1024 == 0 else str(arena)


def end_of(text: str, room: int) -> str:
    """The text in so many characters, of one that is longer the end."""
    return text if len(text) <= room else glyphs.ELLIPSIS + text[1 - room :]


def _read_arenas(text: str) -> tuple[tuple[int | None, ...], str | None]:
    """The limits typed, or what is wrong with them."""
    arenas: list[int | None] = []
    for word in text.replace(",", " ").split():
        size = parse_bytes(word)
        if word != "default" and (size is None or not 0 < size <= LARGEST_ARENA_BYTES):
            return (), f"{word} is not a limit: write sizes like 512KiB, or default, with commas between them"
        arenas.append(None if word == "default" else size)
    return tuple(dict.fromkeys(arenas)), None
