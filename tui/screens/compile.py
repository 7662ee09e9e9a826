"""Compile: choose a model, targets, memories and switches; see how many jobs that is, what does not fit, and the command."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from ...analysis.targets import ETHOS_U_TARGETS, LISTED_TARGETS
from ...runners.compile.plan import equivalent_command, output_paths
from ...runners.compile.points import DEFAULT_TARGET, OPTIMISE, CompilePoint, Refusal, plan
from ...runners.job import JobError
from .. import glyphs, messages
from ..compile_choices import Earlier
from ..keys_in_force import key_of
from ..widgets.checklist import Checklist
from ..widgets.said import Said
from .compile_fields import CompileFields, end_of, shown, size_text
from .dialogs import Choice

LISTED = 50
"""So many jobs are listed below the lists; the table of the sweep has them all."""
SWITCHES = ("Delegate to NPU", "Quantise (int8)", "Debug output", "Keep intermediates")


class CompileScreen(CompileFields):
    """The compile form."""

    HEADING = "Compile"
    PLACE = "compile"
    ABOUT = (
        "Compile a model ahead of time, one job for each fitting target x system config x memory mode x arena limit x "
        "way to optimise. {everything} takes the whole space of the Ethos-U targets. A list without a choice means the target's own default. What does not fit any chosen "
        "target is dimmed; move onto it to read why."
    )
    CSS_PATH = "compile.tcss"
    KEPT_KEYS = frozenset(("mark",))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "start", "Compile", tooltip="Start the jobs"),
        Binding("m", "model", "Model", tooltip="Choose the model"),
        Binding("p", "output", "Output", tooltip="Where the .pte files go besides the run folders"),
        Binding("i", "arenas", "Arena", tooltip="Limits for the arena that Vela tries to keep"),
        Binding("d", "calibration", "Data", tooltip="Calibration data to quantise with: .pt file or folder of them"),
        Binding(
            "f", "vela_config", "vela.ini", tooltip="Compile with system configs and memory modes of your own file"
        ),
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

    def body(self) -> Iterable[Widget]:
        given, point = self._given, self._point or CompilePoint(DEFAULT_TARGET)
        on = (given.delegate, given.quantize, given.debug, bool(given.keep_intermediates))
        targets = LISTED_TARGETS if point.target in LISTED_TARGETS else (*LISTED_TARGETS, point.target)
        space = self._space
        configs = tuple(name for name in space.configs if name == point.system_config)
        modes = tuple(name for name in space.modes if name == point.memory_mode)
        yield Said(id="model")
        with Horizontal(id="lists"):
            yield Checklist("Targets", targets, chosen=(point.target,), id="targets")
            yield Checklist("System config", space.configs, configs, id="configs", **shown(space))
            with Vertical(id="third"):
                yield Checklist("Memory mode", space.modes, modes, id="modes", kept="end")
                yield Checklist("Optimise", OPTIMISE, (point.optimise,) if point.optimise else (), id="optimise")
                switches = [name for name, chosen in zip(SWITCHES, on, strict=True) if chosen]
                yield Checklist("Switches", SWITCHES, switches, id="switches")
        yield Said(id="plan")

    def on_mount(self) -> None:
        self._list("switches").border_title = "Switches"
        if not self._is_given:
            self._recall()
        self._update()
        self.query_one("#targets").focus()
        self._list_models()
        self._look_back()
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

    @work(thread=True, group="earlier", exit_on_error=False)
    def _look_back(self) -> None:
        from ...runners.runs.index import listed

        with contextlib.suppress(JobError):  # Home says what is wrong with the workspace
            self._earlier = Earlier(listed(self._surroundings.root))
            self.app.call_from_thread(self._update)

    @on(ModelsListed)
    def _show_models(self, event: ModelsListed) -> None:
        self._choices = (
            *(Choice(f"bundled:{name.removeprefix('bundled:')}", "comes with ethosu-tui") for name in event.bundled),
            *(Choice(name, "registered with ExecuTorch") for name in event.registered),
        )
        if event.problem:
            self.post_message(
                messages.Problem("Compiling will not work here yet", f"{event.problem}; Doctor says more")
            )

    # -- what is chosen --------------------------------------------------------------------------------------------

    @on(Checklist.Marked)
    @on(Checklist.Highlighted)
    def _update(self) -> None:
        targets = self._list("targets").chosen
        configs, modes = self._list("configs"), self._list("modes")
        configs.refuse(
            {name: reason for name in self._space.configs if (reason := self._space.config_reason(name, targets))}
        )
        chosen = configs.chosen
        modes.refuse(
            {name: reason for name in self._space.modes if (reason := self._space.mode_reason(name, targets, chosen))}
        )
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
        given = self._given
        output = self._output or "run folder only"
        arenas = ", ".join(size_text(arena) for arena in self._arenas) or "default"
        names = {
            "model": "Model",
            "output": "Output",
            "arenas": "Arena",
            "calibration": "Calibration",
            "vela_config": "vela.ini",
        }
        keys = {action: key_of(self, action) for action in names}
        room = max(12, (self.size.width - 21 - len(keys["model"] + keys["output"])) // 2)
        low = max(8, (self.size.width - 37 - len("".join(keys.values())) - len(arenas)) // 2)
        heads = {
            action: Content.assemble((f"{keys[action]} ", "$text-accent bold"), (f"{name} ", "bold"))
            for action, name in names.items()
        }
        own = given.vela_config.path if given.vela_config else "Vela's own"
        self.query_one("#model", Said).say(
            Content.assemble(
                heads["model"],
                end_of(self._model, room),
                "  ",
                heads["output"],
                end_of(output, room),
                "\n",
                heads["arenas"],
                arenas,
                "  ",
                heads["calibration"],
                end_of(given.calibration or "model's inputs", low),
                "  ",
                heads["vela_config"],
                end_of(own, low),
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
                points, refused = plan(
                    targets, configs, modes, self._arenas, self._list("optimise").chosen, self._space.ini
                )
                output_paths(self.options(), points)
                self._points = tuple(points)
                jobs = f"{len(points)} valid configurations" if len(points) > 1 else "1 job"
                count = f"{jobs}, {key_of(self, 'start')} starts"
                before = self._earlier.say(replace(self.options(), output=None), points)
                said.append(Content.assemble((count, "$text-success bold"), f"; {before}" if before else ""))
            except JobError as error:
                said.append(Content.styled(f"{glyphs.BROKEN} {error}", "$text-error"))
        focused = self.focused
        if isinstance(focused, Checklist) and focused.row is not None:
            told = (
                f"does not fit: {focused.reason()}"
                if focused.reason()
                else self._space.facts(focused.names[focused.row])
            )
            said += [Content.styled(told, "$foreground-muted")] if told else []
        refused = [refusal for refusal in refused if self._space.worth_saying(refusal[0], targets)]
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

    def action_none(self) -> None:
        """Space belongs to the list that has the focus."""

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
        if not self._points:
            why = str(self.query_one("#plan", Said).content).split("\n")[0]
            self.notify(why, title="Not yet", severity="warning", markup=False)
            return
        self._remember_choices()
        self.post_message(messages.StartCompile(self.options(), self._points, self.command))


def _job_line(number: int, point: CompilePoint) -> str:
    """One job in full, for terminals with room below the lists."""
    return f"{number:>3}  {point.target:<16} {point.system_config or '-':<28} {point.memory_mode or '-'}"
