"""What went through the memories of a run, and as what share of what they can move."""

from __future__ import annotations

from .facts import Facts


def external_beats(facts: Facts) -> tuple[int, tuple[str, ...]] | None:
    """Beats of the external port, where it is known to be one; AXI1 is external in every mode but Sram_Only."""
    beats = facts.beats("ext_read", "ext_write")
    names: tuple[str, ...] = ("ext_read", "ext_write")
    if beats is None and facts.memory_mode is not None and facts.memory_mode.value != "Sram_Only":
        names = ("axi1_read",)
        beats = facts.beats(*names)
    if beats is None:
        return None
    return beats, tuple(path.source for path in facts.paths if path.name in names)


def sram_beats(facts: Facts) -> tuple[int, tuple[str, ...]] | None:
    """Beats of the SRAM port: of both directions, which Vela counts against one peak.

    Where they are more than that peak together, the memory has a channel for each direction, and the busier one counts.
    """
    for side in ("sram", "axi0"):
        paths = [path for path in facts.paths if path.name in (f"{side}_read", f"{side}_write")]
        if len(paths) == 2:
            both, sources = sum(path.beats for path in paths), tuple(path.source for path in paths)
            use = _share_percent(facts, both, external=False)
            return both if use is None or use <= 100 else max(path.beats for path in paths), sources
    return None


def peak_use_percent(facts: Facts, *, external: bool) -> tuple[float, tuple[str, ...]] | None:
    """Traffic as a share of what the memory can move by the system config, at that config's ratio of clocks."""
    found = external_beats(facts) if external else sram_beats(facts)
    use = _share_percent(facts, found[0], external=external) if found is not None else None
    if found is None or use is None or facts.beat_bytes is None:
        return None
    return use, (*found[1], facts.beat_bytes.source, "pmu.npu_cycles", facts.system_config_source)


def _share_percent(facts: Facts, beats: int, *, external: bool) -> float | None:
    config, width = facts.system_config, facts.beat_bytes
    if config is None or width is None or (facts.npu is not None and config.npu != facts.npu.value):
        return None
    peak = config.peak_axi1_bytes_per_s if external else config.peak_sram_bytes_per_s
    return 100 * beats * width.value * config.clock_hz / (facts.cycles * peak)
