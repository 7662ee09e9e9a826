"""Compile: choose a model, targets, memories and switches; see how many jobs that is, what does not fit, and the command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from ...analysis.targets import ETHOS_U_TARGETS, LISTED_TARGETS, MEMORY_MODES, SYSTEM_CONFIGS, TARGETS, mismatch
from ...analysis.units import parse_bytes
from ...runners.compile.plan import CompileOptions, equivalent_command, model_label, output_paths
from ...runners.compile.points import DEFAULT_TARGET, LARGEST_ARENA_BYTES, OPTIMISE, CompilePoint, Refusal, plan
from ...runners.job import JobError
from .. import glyphs, messages
from ..state import Surroundings
from ..widgets.checklist import Checklist
from ..widgets.said import Said
from .dialogs import AskScreen, Choice
from .page import Page
from .paths import PathSuggester, check_model

LISTED = 50
"""So many jobs are listed below the lists; the table of the sweep has them all."""
SWITCHES = ("Delegate to NPU", "Quantise (int8)", "Debug output", "Keep intermediates")


class CompileScreen(Page):
    """The compile form."""

    HEADING = "Compile"
    PLACE = "compile"
    ABOUT = (
        "Compile a model ahead of time, one job for each fitting target x system config x memory mode x arena limit x "
        "way to optimise. Space turns a choice on or off, a all of a list, A the whole space of the Ethos-U targets; tab "
        "goes to the next list. A list without a choice means the target's own default. What does not fit any chosen "
        "target is dimmed; move onto it to read why."
    )
    CSS_PATH = "compile.tcss"
    KEPT_KEYS = frozenset(("mark",))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "start", "Compile", tooltip="Start the jobs"),
        Binding("m", "model", "Model", tooltip="Choose the model"),
        Binding("p", "output", "Output", tooltip="Where the .pte files go besides the run folders"),
        Binding("i", "arenas", "Arena", tooltip="Limits for the arena that Vela tries to keep"),
        Binding("A", "everything", "Sweep", tooltip="All Ethos-U targets, system configs and memory modes"),
        Binding("tab", "app.focus_next", "List"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    @dataclass
    class ModelsListed(Message):
        """Names that the compiler knows."""

        bundled: tuple[str, ...]
        registered: tuple[str, ...]
        problem: str

    def __init__(
        self, surroundings: Surroundings, given: CompileOptions | None = None, point: CompilePoint | None = None
    ) -> None:
        """`given` and `point` are what the form starts with: those of one job of a sweep."""
        super().__init__()
        self._surroundings = surroundings
        self._given = given or CompileOptions("bundled:mnist")
        self._point = point
        self._model = self._given.model
        self._output: str | None = None
        self._arenas: tuple[int | None, ...] = (point.arena_cache_bytes,) if point is not None else ()
        self._choices: tuple[Choice, ...] = ()
        self._points: tuple[CompilePoint, ...] = ()

    def body(self) -> Iterable[Widget]:
        given, point = self._given, self._point or CompilePoint(DEFAULT_TARGET)
        on = (given.delegate, given.quantize, given.debug, bool(given.keep_intermediates))
        targets = LISTED_TARGETS if point.target in LISTED_TARGETS else (*LISTED_TARGETS, point.target)
        configs = tuple(name for name in SYSTEM_CONFIGS if name == point.system_config)
        modes = tuple(name for name in MEMORY_MODES if name == point.memory_mode)
        yield Said(id="model")
        with Horizontal(id="lists"):
            yield Checklist("Targets", targets, chosen=(point.target,), id="targets")
            yield Checklist(
                "System config",
                tuple(SYSTEM_CONFIGS),
                configs,
                id="configs",
                labels=[_short(n) for n in SYSTEM_CONFIGS],
            )
            with Vertical(id="third"):
                yield Checklist("Memory mode", MEMORY_MODES, modes, id="modes")
                yield Checklist("Optimise", OPTIMISE, (point.optimise,) if point.optimise else (), id="optimise")
                switches = [name for name, chosen in zip(SWITCHES, on, strict=True) if chosen]
                yield Checklist("Switches", SWITCHES, switches, id="switches")
        yield Said(id="plan")

    def on_mount(self) -> None:
        self._list("switches").border_title = "Switches"
        self._update()
        self.query_one("#targets").focus()
        self._list_models()
        if self._point is not None:
            self.action_output()

    @work(thread=True, group="models", exit_on_error=False)
    def _list_models(self) -> None:
        from ...runners.compile.check import bundled_models
        from ...runners.interpreters import look_up, registered_models

        try:
            interpreter = look_up()
        except JobError as error:
            self.post_message(self.ModelsListed(bundled_models(), (), str(error)))
            return
        lacks = f"{interpreter.path} lacks {', '.join(interpreter.missing)}" if interpreter.missing else ""
        names = registered_models(interpreter)
        self.post_message(self.ModelsListed(bundled_models(), tuple(names), lacks))

    @on(ModelsListed)
    def _show_models(self, event: ModelsListed) -> None:
        self._choices = (
            *(Choice(f"bundled:{name.removeprefix('bundled:')}", "comes with ethosu-tui") for name in event.bundled),
            *(Choice(name, "registered with ExecuTorch") for name in event.registered),
        )
        if event.problem:
            self.post_message(
                messages.Problem("Compiling will not work here yet", f"{event.problem}; d on Home says more")
            )

    # -- what is chosen --------------------------------------------------------------------------------------------

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

    @on(Checklist.Marked)
    @on(Checklist.Highlighted)
    def _update(self) -> None:
        targets = self._list("targets").chosen
        configs, modes = self._list("configs"), self._list("modes")
        configs.refuse({name: reason for name in SYSTEM_CONFIGS if (reason := _config_reason(name, targets))})
        chosen = configs.chosen
        modes.refuse({name: reason for name in MEMORY_MODES if (reason := _mode_reason(name, targets, chosen))})
        optimise = self._list("optimise")
        for checklist, none in (
            (self._list("targets"), "none chosen"),
            (configs, "default"),
            (modes, "default"),
            (optimise, "default"),
        ):
            count, usable = len(checklist.chosen), len(checklist.names) - len(checklist.disabled_rows)
            checklist.border_title = (
                f"{checklist.title}: {none if not count else 'all' if count == usable > 1 else count}"
            )
        output = self._output or "run folder only"
        arenas = ", ".join(_size(arena) for arena in self._arenas) or "default"
        room = max(12, (self.size.width - 36 - len(arenas)) // 2)
        self.query_one("#model", Said).say(
            Content.assemble(
                ("Model ", "bold"),
                (_end(self._model, room), "$text-accent bold"),
                ("  Output ", "bold"),
                _end(output, room),
                ("  Arena ", "bold"),
                arenas,
            )
        )
        self._show_plan(targets, chosen, modes.chosen)

    def _show_plan(self, targets: tuple[str, ...], configs: tuple[str, ...], modes: tuple[str, ...]) -> None:
        said: list[Content] = []
        refused: list[Refusal] = []
        self._points = ()
        if not targets:
            said.append(Content.styled("choose at least one target", "$text-warning"))
        else:
            try:
                points, refused = plan(targets, configs, modes, self._arenas, self._list("optimise").chosen)
                output_paths(self.options(), points)
                self._points = tuple(points)
                said.append(
                    Content.styled(
                        f"{len(points)} valid configurations, c starts" if len(points) > 1 else "1 job, c starts",
                        "$text-success bold",
                    )
                )
            except JobError as error:
                said.append(Content.styled(f"{glyphs.BROKEN} {error}", "$text-error"))
        focused = self.focused
        if isinstance(focused, Checklist) and focused.row is not None:
            told = f"does not fit: {focused.reason()}" if focused.reason() else _facts(focused.names[focused.row])
            said += [Content.styled(told, "$foreground-muted")] if told else []
        refused = [refusal for refusal in refused if _worth_saying(refusal[0], targets)]
        if refused:
            point, reason = refused[0]
            more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
            said.append(Content.styled(f"{len(refused)} left out: {point.target}: {reason}{more}", "$text-warning"))
        if len(self._points) > 1:
            said += [Content(_job_line(number, point)) for number, point in enumerate(self._points[:LISTED], 1)]
            if len(self._points) > LISTED:
                said.append(Content(f"     and {len(self._points) - LISTED} more"))
        self.query_one("#plan", Said).say(Content("\n").join(said))
        self.command = equivalent_command(self.options(), self._points) if self._points else ""
        self.refresh_bindings()

    def on_descendant_focus(self) -> None:
        self._update()

    def on_resize(self) -> None:
        self._update()

    # -- keys ------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._points) if action == "start" else super().check_action(action, parameters)

    def action_none(self) -> None:
        """Space belongs to the list that has the focus."""

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
                value=", ".join(_size(arena) for arena in self._arenas),
                hint="default, 384KiB, 256KiB",
                check=lambda text: _read_arenas(text)[1],
            )
        )
        if arenas is not None:
            self._arenas = _read_arenas(arenas)[0]
            self._update()

    def action_everything(self) -> None:
        """The whole space, or back to one target."""
        npus = {t.name for t in ETHOS_U_TARGETS}
        targets = self._list("targets")
        whole = set(targets.chosen) != npus or not self._list("configs").chosen or not self._list("modes").chosen
        targets.choose_names(npus if whole else (DEFAULT_TARGET,))
        for name in ("configs", "modes"):
            self._list(name).refuse({})
            self._list(name).choose_names(self._list(name).names if whole else ())
        self._update()

    def action_start(self) -> None:
        if self._points:
            self.post_message(messages.StartCompile(self.options(), self._points, self.command))


def _size(arena: int | None) -> str:
    """A limit as it is typed."""
    if arena is None:
        return "default"
    return f"{arena >> 10}KiB" if arena % 1024 == 0 else str(arena)


def _end(text: str, room: int) -> str:
    return text if len(text) <= room else glyphs.ELLIPSIS + text[1 - room :]


def _read_arenas(text: str) -> tuple[tuple[int | None, ...], str | None]:
    """The limits typed, or what is wrong with them."""
    arenas: list[int | None] = []
    for word in text.replace(",", " ").split():
        size = parse_bytes(word)
        if word != "default" and (size is None or not 0 < size <= LARGEST_ARENA_BYTES):
            return (), f"{word} is no limit: write sizes like 512KiB, or default, with commas between them"
        arenas.append(None if word == "default" else size)
    return tuple(dict.fromkeys(arenas)), None


def _worth_saying(point: CompilePoint, targets: tuple[str, ...]) -> bool:
    """A system config meant for another of the chosen targets is no surprise; all else that is left out is said."""
    config = SYSTEM_CONFIGS.get(point.system_config or "")
    own = TARGETS[point.target].npu
    return config is None or config.npu == own or config.npu not in {TARGETS[target].npu for target in targets}


def _job_line(number: int, point: CompilePoint) -> str:
    """One job in full, for terminals with room below the lists."""
    return f"{number:>3}  {point.target:<16} {point.system_config or '-':<28} {point.memory_mode or '-'}"


def _short(config: str) -> str:
    """A system config by NPU and what sets it apart: the common prefix would fill a narrow list."""
    family, _, rest = config.removeprefix("Ethos_").partition("_")
    return f"{family} {rest.removeprefix('SYS_')}"


def _facts(name: str) -> str:
    """What there is to know of a target or a system config."""
    if (config := SYSTEM_CONFIGS.get(name)) is not None:
        axi = f"{config.axi1} {config.peak_axi1_bytes_per_s / 1e9:g} GB/s"
        return f"{name}: {config.clock_hz / 1e6:g} MHz, SRAM {config.peak_sram_bytes_per_s / 1e9:g} GB/s, {axi}"
    if (target := TARGETS.get(name)) is not None and target.npu is not None:
        return f"{target.macs} MACs a cycle; by default {target.default_system_config}, {target.default_memory_mode}"
    return ""


def _config_reason(config: str, targets: tuple[str, ...]) -> str | None:
    """Why this system config fits none of the chosen targets, or None."""
    reasons = [
        all_bad[0]
        for target in targets
        if TARGETS[target].npu is not None
        and (all_bad := [r for mode in MEMORY_MODES if (r := mismatch(target, config, mode))])
        and len(all_bad) == len(MEMORY_MODES)
    ]
    return _only_if_all(reasons, targets, "targets without an NPU have no system config")


def _mode_reason(mode: str, targets: tuple[str, ...], configs: tuple[str, ...]) -> str | None:
    """Why this memory mode fits none of the chosen targets with any chosen system config, or None."""
    reasons = []
    for target in targets:
        known = TARGETS[target]
        if known.npu is None:
            continue
        own = [c for c in configs if SYSTEM_CONFIGS[c].npu == known.npu] or [str(known.default_system_config)]
        bad = [r for config in own if (r := mismatch(target, config, mode))]
        if len(bad) == len(own):
            reasons.append(bad[0])
    return _only_if_all(reasons, targets, "targets without an NPU have no memory mode")


def _only_if_all(reasons: list[str], targets: tuple[str, ...], none: str) -> str | None:
    npus = [target for target in targets if TARGETS[target].npu is not None]
    if targets and not npus:
        return none
    return reasons[0] if npus and len(reasons) == len(npus) else None
