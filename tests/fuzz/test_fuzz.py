"""Any bytes give a report that keeps its promises: by hypothesis, by fuzzing for a moment, and what fuzzing has found."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis.lines import LINE_LIMIT_BYTES
from ethosu_tui.analysis.patterns import PATTERNS
from ethosu_tui.analysis.splitter import LineSplitter

from .properties import check, check_repeated

FUZZ_RUNS = 200
"""With a fixed seed, so that a change finds what it found; the target itself is for looking further."""
HERE = Path(__file__).resolve().parent
SAMPLES = [sample.encode() for pattern in PATTERNS for sample in pattern.samples]
PREFIXES = [b"", b"I [executorch:arm_executor_runner.cpp:603 main()] ", b"E [executorch:method.cpp:85 init()] ", b"F executorch:a.cpp:1] ",
            b"[12:00:01.123] ", b"board-a  | ", b"board-b  | ", b"\x1b[2J"]  # fmt: skip
ENDS = [b"\n", b"\r\n", b"\r\r\n", b"\r", b"", b"\0"]
LOG_LINES = st.builds(
    lambda before, text, end: before + text + end,
    st.sampled_from(PREFIXES),
    st.one_of(st.sampled_from(SAMPLES), st.binary(max_size=40)),
    st.sampled_from(ENDS),
)
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=200, deadline=None, suppress_health_check=SLOW)
@given(st.binary(max_size=600))
def test_any_bytes_give_a_report(data: bytes) -> None:
    check(data)


@settings(max_examples=200, deadline=None, suppress_health_check=SLOW)
@given(st.lists(LOG_LINES, max_size=40))
def test_any_mixture_of_real_lines_gives_a_report(lines: list[bytes]) -> None:
    check(b"".join(lines))


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_a_damaged_sample_gives_a_report(samples: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(path.name for path in samples.glob("*.log"))))
    log = bytearray((samples / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(log)))
        end = min(len(log), start + data.draw(st.integers(0, 300)))
        what = data.draw(st.sampled_from(["lose", "double", "change", "end"]))
        if what == "lose":
            del log[start:end]
        elif what == "double":
            log[start:start] = log[start:end]
        elif what == "change":
            log[start:end] = data.draw(st.binary(max_size=40))
        else:
            del log[start:]
    check(bytes(log))


@pytest.mark.parametrize("piece", [b"x", b"\0", b"\xff", b"\xe2\x80", b"\x1b]", b"\x1b[", b"1", b"A", b"\r", b" "])
def test_one_line_of_any_length_is_bounded(piece: bytes) -> None:
    splitter = LineSplitter()
    block = piece * ((1 << 20) // len(piece))
    lines = [line for _ in range(12) for line in splitter.feed(block)]
    kept = sum(len(line.text) for line in lines + splitter.finish())
    assert kept <= LINE_LIMIT_BYTES


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="needs atheris")
def test_fuzzing_for_a_moment_finds_nothing(samples: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    command = [sys.executable, str(HERE / "fuzz_capture.py"), str(corpus), str(samples), f"-runs={FUZZ_RUNS}",
               "-seed=1", "-timeout=120", "-rss_limit_mb=2048", "-max_len=8192", f"-artifact_prefix={tmp_path}/", "-verbosity=0"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
    left = [path.name for path in tmp_path.iterdir() if path != corpus]
    assert done.returncode == 0, (left, done.stderr[-3000:])


RUN = b"PTE @ 0x70000000 [----ET12]\nProgram complete, exiting.\n"
FOUND: dict[str, bytes] = {
    "what is said of the whole capture knows the runs that the scanner has handed over": (
        b"fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com\n" + RUN + RUN + RUN
    ),
    "a log of the evaluation kit ends where the next block begins": (
        b"INFO - Profile for Inference:\nINFO - NPU ACTIVE: 4 cycles\nINFO - NPU TOTAL: 9 cycles\n" * 2
        + b"INFO - Profile for Inference:\n"
    ),
    "a first line is computed with while nobody looks for a place to put it": (
        b"Wait for inferences\nSend capabilities request\nmacs_per_cc:8\nCreate network\nInference status: success\n"
        + b"macs_per_cc:8\nInference status: success\n" * 3
    ),
    "what a run before has printed has no place among the lines of the next": (
        b"Running o.elf for cortex-m55 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs: timeout:600\n"
        b"I [executorch:arm_executor_runner.cpp:677 runner_init()] PTE Model data loaded. SEXIT\r\n\xff\xff\xff\r\n"
        b"I [executorch:arm_executor_runner.cpp:714 runner_init()] Setup Method allocator pool. Size: 2048 bytes.\r\n"
        b"Info: FVP_MPS3_Corstone_SSE_300: Creating Ethos-U55 with config H128\n"
        b"$ VHT_Corstone_SSE-300_Ethos-U55 ../a.axf -f cfg.txt\n"
        b"board-a  | Memory allocation failed: 3920B requested (adjusted for alignment), 2048B available\r"
    ),
    "a tab in bytes that Python printed is a blank": (
        b"b'I [executorch:arm_executor_runner.cpp:1 main()]\\tPTE\\t@ 0x70000000 [----ET12]\\r\\n'\n" * 3
    ),
    "a cause before the first run stays before it": b"CMake Error at CMakeLists.txt:232 (message):\nModel in 0x70000000 $\n",
}
"""Inputs that broke a promise once, made short."""


@pytest.mark.parametrize("name", FOUND)
def test_what_fuzzing_found_stays_mended(name: str) -> None:
    check(FOUND[name])
    check_repeated(FOUND[name], 10)


def test_a_sample_over_and_over_is_read_by_layouts(samples: Path) -> None:
    assert sum(check_repeated((samples / name).read_bytes(), 101) for name in ("host_softmax.log", "mnist_q.log")) > 1
