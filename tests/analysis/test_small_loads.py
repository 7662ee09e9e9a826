"""What loads on small boards say: the ESP32's runner, and the example for the Pico 2, which is built without ExecuTorch's own messages: all that a log has is what it prints itself."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import lines, only

MODEL = "Loading model data (23456 bytes)...\n"
LOADED = "\u2705 Program loaded successfully\n\U0001f4ca Program info:\n   Method count: 1\n   Method 0 name: forward\n\U0001f504 Loading method 'forward'...\n"
FAILED = "\u274c Failed to load {}: error {}\n   \u2192 told\nFailed to load and prepare model\n"


@pytest.mark.parametrize(
    ("log", "stage", "rule"),
    [
        (MODEL + FAILED.format("model", 35), "load", "program-load-failed"),
        (MODEL + LOADED + FAILED.format("method", 20), "plan", "missing-operator"),
        (MODEL + LOADED + FAILED.format("method", 33), "plan", "method-pool-too-small"),
        (MODEL + LOADED + FAILED.replace("\u274c ", "").format("method", 20), "plan", "missing-operator"),
    ],
)
def test_a_load_that_failed_is_told_by_its_own_words(log: str, stage: str, rule: str) -> None:
    capture = read_capture("x", log.encode())
    (run,) = capture.runs
    assert (run.status, run.stage, run.runner.kind, run.target.platform) == ("failed", stage, "other", "board")
    assert run.model.pte_bytes == 23456
    assert capture.findings[0].rule == rule


def test_its_pools_are_in_its_source() -> None:
    advice = read_capture("x", (MODEL + LOADED + FAILED.format("method", 33)).encode()).findings[0].advice
    assert "in the application's source" in advice and "DET_ARM" not in advice


def test_a_log_that_ends_while_it_loads_says_nothing_of_the_end() -> None:
    capture = read_capture("x", (MODEL + LOADED).encode())
    assert [(run.status, run.stage, run.model.method) for run in capture.runs] == [("truncated", "plan", "forward")]


def test_the_pools_of_the_esp32_have_their_own_names() -> None:
    at = "[executorch:esp_executor_runner.cpp:{} runner_init()] {}\n"
    log = (
        "I [executorch:esp_pal.cpp:60 et_pal_init()] ESP32 ExecuTorch runner initialized. Free heap: 201234 bytes.\n"
        f"I {at.format(564, 'Setup Method allocator pool. Size: 65536 bytes.')}I {at.format(578, 'Setting up planned buffer 0, size 80000.')}"
        "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 80000B requested (adjusted for alignment), 65536B available\n"
        f"F {at.format(586, 'In function runner_init(), assert failed (buffer != nullptr): Could not allocate memory for memory planned buffer size 80000')}"
    )
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "method-pool-too-small"
    assert "-DET_ESP_METHOD_ALLOCATOR_POOL_SIZE=" in finding.advice and "BAREMETAL" not in finding.advice


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "F [executorch:esp_executor_runner.cpp:340 load_file_from_fs()] Could not open file /spiffs/model.pte (errno: 2)\n",
            "input-file-missing",
        ),
        (
            "E [executorch:esp_executor_runner.cpp:383 init_spiffs()] SPIFFS partition not found\n",
            "storage-not-mounted",
        ),
    ],
)
def test_a_model_that_is_not_in_its_partition_is_told(said: str, rule: str) -> None:
    log = f"I [executorch:esp_pal.cpp:60 et_pal_init()] ESP32 ExecuTorch runner initialized. Free heap: 201234 bytes.\n{said}"
    log += "F [executorch:esp_executor_runner.cpp:1024 et_runner_init()] Failed to load model from filesystem.\n"
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == rule and "label storage" in finding.advice


def test_a_loader_that_got_no_file_says_so_by_its_status() -> None:
    log = "F 00:00:00.000482 executorch:executor_runner.cpp:372] In function main(), assert failed (file_loader.ok()): FileDataLoader::from() failed: 0x22\n"
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "input-file-missing" and "--model_path" in finding.advice


def test_the_runner_of_the_esp32_says_where_its_program_lies_behind_the_inputs() -> None:
    ready = (
        "I [executorch:esp_pal.cpp:25 et_pal_init()] ESP32 ExecuTorch runner initialized. Free heap: 287000 bytes.\n"
    )
    esp = "I [executorch:esp_executor_runner.cpp:514 runner_init()] "
    load = lines(
        esp, "PTE Model data loaded. Size: 960 bytes.", "Model buffer loaded, has 1 methods", "Running method forward"
    )
    plan = lines(
        esp,
        "Setting up planned buffer 0, size 64.",
        "Method 'forward' loaded.",
        "Preparing inputs...",
        "Input prepared.",
    )
    rest = lines(
        esp, "PTE @ 0x3c0a0020 [----ET12]", "Starting running 1 inferences...", "1 inferences finished", "Model run: 1"
    )
    log = f"{ready * 2}Starting executorch runner !\n{ready}{load}{plan}{rest}{lines(esp, 'Program complete.')}"
    run = only(log)
    assert (run.first_line, run.status, run.model.address) == (1, "passed", "0x3c0a0020")
    assert (run.model.pte_bytes, run.memory.planned_buffers) == (960, (64,))
    capture = read_capture("x", (log * 2).encode())
    assert [(run.first_line, run.status) for run in capture.runs] == [(1, "passed"), (17, "passed")]
    assert not capture.findings


def test_an_esp32_that_boots_again_and_again_begins_a_run_each_time() -> None:
    rom = "ESP-ROM:esp32s3-20210327\nrst:0x1 (POWERON),boot:0x8 (SPI_FAST_FLASH_BOOT)\n"
    ready = (
        "I [executorch:esp_pal.cpp:25 et_pal_init()] ESP32 ExecuTorch runner initialized. Free heap: 287000 bytes.\n"
    )
    for boot in (rom + ready, rom + ready * 3, rom + ready + "Starting executorch runner !\n" + ready):
        capture = read_capture("x", (boot * 3).encode())
        length = boot.count("\n")
        assert [run.first_line for run in capture.runs] == [3, 3 + length, 3 + 2 * length]
        assert [f.rule for f in capture.findings] == ["board-reset", "board-reset", "truncated-log"]
