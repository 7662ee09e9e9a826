"""What the compile form can offer: system configs and memory modes, of Vela or of a vela.ini, and why one does not fit.

Nothing here needs a screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..analysis.compiles.vela_ini import VelaIni
from ..analysis.targets import MEMORY_MODES, SYSTEM_CONFIGS, TARGETS, mismatch
from ..analysis.units import format_seconds
from ..runners.compile.plan import CompileOptions, equivalent_command
from ..runners.compile.points import CompilePoint
from ..runners.runs.going import Usual
from ..runners.runs.index import Listed
from ..runners.runs.likeness import of_compile

MOST_ESTIMATED = 500
"""For more jobs than that nobody waits for an estimate."""


class Space:
    """The names of one vela.ini."""

    def __init__(self, ini: VelaIni | None = None) -> None:
        """Without `ini`, those of the file that comes with Vela."""
        self.ini = ini
        self.configs: tuple[str, ...] = tuple(ini.system_configs) if ini else tuple(SYSTEM_CONFIGS)
        self.modes: tuple[str, ...] = tuple(ini.memory_modes) if ini else MEMORY_MODES

    def label(self, config: str) -> str:
        """A system config by NPU and what sets it apart: the common prefix would fill a narrow list."""
        if self.ini is not None:
            return config
        family, _, rest = config.removeprefix("Ethos_").partition("_")
        return f"{family} {rest.removeprefix('SYS_')}"

    def clock(self, config: str) -> str:
        """Its clock."""
        known = self.ini.system_configs[config] if self.ini else SYSTEM_CONFIGS[config]
        return f"{known.clock_hz / 1e9:g} GHz" if known.clock_hz >= 1e9 else f"{known.clock_hz / 1e6:g} MHz"

    def bandwidth(self, config: str) -> str:
        """What its ports can carry; of a vela.ini only what is on them."""
        if self.ini is not None:
            own = self.ini.system_configs[config]
            return f"{own.axi0} + {own.axi1}"
        known = SYSTEM_CONFIGS[config]
        sram, axi1 = known.peak_sram_bytes_per_s / 1e9, known.peak_axi1_bytes_per_s / 1e9
        return f"{sram:g} + {axi1:g} GB/s {known.axi1}"

    def facts(self, name: str) -> str:
        """What there is to know of a target or a system config."""
        if self.ini is not None and name in self.ini.system_configs:
            return f"{name}: {self.clock(name)}, {self.bandwidth(name)}"
        if self.ini is None and (config := SYSTEM_CONFIGS.get(name)) is not None:
            axi = f"{config.axi1} {config.peak_axi1_bytes_per_s / 1e9:g} GB/s"
            return f"{name}: {self.clock(name)}, SRAM {config.peak_sram_bytes_per_s / 1e9:g} GB/s, {axi}"
        if (target := TARGETS.get(name)) is not None and target.npu is not None:
            config_name, mode = self._defaults(name)
            return f"{target.macs} MACs a cycle; by default {config_name or '-'}, {mode or '-'}"
        return ""

    def _defaults(self, target: str) -> tuple[str | None, str | None]:
        if self.ini is not None:
            return self.ini.defaults(target)
        return TARGETS[target].default_system_config, TARGETS[target].default_memory_mode

    def _mismatch(self, target: str, config: str, mode: str) -> str | None:
        return self.ini.mismatch(target, config, mode) if self.ini else mismatch(target, config, mode)

    def _npu(self, config: str) -> str | None:
        return (self.ini.system_configs[config] if self.ini else SYSTEM_CONFIGS[config]).npu

    def config_reason(self, config: str, targets: Sequence[str]) -> str | None:
        """Why this system config fits none of the chosen targets, or None."""
        reasons = []
        for target in targets:
            if TARGETS[target].npu is not None:
                bad = [reason for mode in self.modes if (reason := self._mismatch(target, config, mode))]
                if bad and len(bad) == len(self.modes):
                    reasons.append(bad[0])
        return _only_if_all(reasons, targets, "targets without an NPU have no system config")

    def mode_reason(self, mode: str, targets: Sequence[str], configs: Sequence[str]) -> str | None:
        """Why this memory mode fits none of the chosen targets with any chosen system config, or None."""
        reasons = []
        for target in targets:
            npu = TARGETS[target].npu
            if npu is None:
                continue
            own = [c for c in configs if self._npu(c) in (None, npu)] or [c for c in [self._defaults(target)[0]] if c]
            bad = [reason for config in own if (reason := self._mismatch(target, config, mode))]
            if own and len(bad) == len(own):
                reasons.append(bad[0])
        return _only_if_all(reasons, targets, "targets without an NPU have no memory mode")

    def worth_saying(self, point: CompilePoint, targets: Sequence[str]) -> bool:
        """A system config meant for another of the chosen targets is no surprise; all else that is left out is said."""
        npu = self._npu(point.system_config) if point.system_config in self.configs else None
        return npu is None or npu == TARGETS[point.target].npu or npu not in {TARGETS[t].npu for t in targets}


def _only_if_all(reasons: list[str], targets: Sequence[str], none: str) -> str | None:
    npus = [target for target in targets if TARGETS[target].npu is not None]
    if targets and not npus:
        return none
    return reasons[0] if npus and len(reasons) == len(npus) else None


class Earlier:
    """How long compiles took before, by what they compiled; made of the index of runs."""

    def __init__(self, rows: Iterable[Listed] = ()) -> None:
        taken: dict[str, list[float]] = {}
        for row in rows:
            if row.kind == "compile" and row.series and row.status == "ok" and row.seconds is not None:
                taken.setdefault(row.series, []).append(row.seconds)
        self._seconds = {series: sorted(times)[len(times) // 2] for series, times in taken.items()}

    def say(self, options: CompileOptions, points: Sequence[CompilePoint]) -> str:
        """What the same jobs took; empty where none of them ever ran."""
        if not self._seconds or len(points) > MOST_ESTIMATED:
            return ""
        found = [
            seconds
            for point in points
            if (seconds := self._seconds.get(of_compile(equivalent_command(options, [point])))) is not None
        ]
        if not found:
            return ""
        took = format_seconds(sum(found))
        if len(points) == 1:
            return f"it took {took} before"
        every = "all" if len(found) == len(points) else f"{len(found)} of them"
        return f"{every} ran before, in {took}"


def said_of_run(usual: Usual, runs: int) -> str:
    """How long a run of the same files took, and what that makes for so many runs."""
    times = f" (median of {usual.runs})" if usual.runs > 1 else ""
    once = f"the same files took {format_seconds(usual.seconds)} before{times}"
    return once if runs < 2 else f"{once}, so {runs} runs about {format_seconds(runs * usual.seconds)}"
