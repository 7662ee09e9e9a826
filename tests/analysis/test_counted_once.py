"""What a screen broke counts once, what runs together is the same in any pieces, and a sentence of any program is no run."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import CaptureReader, read_capture
from ethosu_tui.analysis.carriers.lost_ends import LostEnds
from ethosu_tui.analysis.targets import cut_off

CALLS = (
    "I 00:00:0{at}.004321 executorch:EthosUBackend_Cortex_A.cpp:296] Ethos-U Linux delegate cycle counter: {cycles}\n"
)
WHOLE = "I [executorch:lab.cpp:{line} main()] {said}\n"
RUN = (
    WHOLE.format(line=11, said="Model buffer loaded, has 1 methods")
    + WHOLE.format(line=12, said="Running method forward")
    + "{}"
    + WHOLE.format(line=13, said="Program complete, exiting.")
)


def rows(text: str, columns: int) -> bytes:
    """As a terminal of so many columns shows it, and as it is copied from there."""
    parts = [line[at : at + columns] for line in text.split("\n") for at in range(0, max(len(line), 1), columns)]
    return "\n".join(parts).encode()


def test_a_sum_has_each_broken_line_once() -> None:
    text = "".join(CALLS.format(at=at, cycles=cycles) for at, cycles in enumerate((7100200, 7100300, 7100400)))
    columns = len(text.split("\n")[0]) - 6
    for width in (columns, 100):
        (run,) = read_capture("x", rows(text, width)).runs
        assert run.pmu is not None
        assert (run.pmu.npu_cycles, run.cycles.delegations) == (21300900, 3)


def test_a_call_that_a_screen_broke_is_no_launch_of_its_own() -> None:
    text = (
        "F 00:00:00.031271 executorch:executor_runner.cpp:535] In function main(), assert failed (status == Error::Ok): lab\n"
        "bash: line 1:  4321 Aborted                 (core dumped) ./executor_runner --model_path lab.pte --num_executions 5\n"
    )
    broken = rows(text, 80)
    assert [run.status for run in read_capture("x", broken).runs] == ["failed"]


def test_what_a_test_quotes_stays_quoted_where_a_screen_broke_its_first_line() -> None:
    stamp = "2031-02-03T04:05:06.1234567Z "
    said = f"{stamp}\x1b[1m\x1b[31mE   RuntimeError: Corstone simulation failed. Problems: 1 found:\x1b[0m\n"
    missing = "E [executorch:lab.cpp:25 get()] kernel 'lab::gelu.out' not found.\n"
    call = "cmd: FVP_Corstone_SSE-320 -a lab.elf --timelimit 60\n"
    text = f"{said}{stamp}E   {missing}{stamp}{call}{stamp}{missing}"
    assert "Problems" in said[:100] < said.rstrip()
    whole, broken = read_capture("x", text.encode()), read_capture("x", rows(text, 100))
    assert [run.status for run in broken.runs] == [run.status for run in whole.runs] == ["failed"]


@pytest.mark.parametrize("size", [1, 7, 97])
def test_lines_without_ends_are_the_same_in_any_pieces(size: int) -> None:
    mark, stamp = b"I [executorch:lab.cpp:1 main()] a", b"12:34:56.789 I [executorch:lab.cpp:2] b"
    text = b"".join((mark, b"y" * 140, b".E: Ab ", stamp, b"x" * 200, b".Warning: /x", b"z" * 130, mark, stamp))

    def decoded(step: int) -> str:
        decoder = LostEnds()
        return "".join(decoder.decode(text[at : at + step]) for at in range(0, len(text), step)) + decoder.decode(
            b"", True
        )

    assert decoded(size) == decoded(len(text))


@pytest.mark.parametrize(
    "line",
    [
        "Loading model data (120 bytes)...",
        "[UBSAN] build: ok",
        "Could not open file /lab/settings.txt (errno: 2)",
        "Fault on thread pools and what to do about them",
    ],
)
def test_a_sentence_of_any_program_is_neither_a_run_nor_an_error(line: str) -> None:
    assert not read_capture("x", f"{line}\nand so on\n".encode()).runs
    runs = read_capture("x", RUN.format(f"{line}\n").encode()).runs
    assert [run.status for run in runs] == ["passed"]


@pytest.mark.parametrize(
    "line",
    [
        "1) 404 (3) -> not found",
        "0) 17 (0.812500) -> lab coat",
        "0) (0.812500) -> Detection box: {x=1,y=2,w=3,h=4}",
        "Status of executed job: Success",
    ],
)
def test_what_another_program_found_completes_no_run(line: str) -> None:
    begun = RUN.format("").split("I [executorch:lab.cpp:13")[0]
    assert [run.status for run in read_capture("x", f"{begun}{line}\n".encode()).runs] == ["truncated"]


def test_a_list_that_somebody_wrote_is_no_run() -> None:
    assert not read_capture("x", b"1) 404 (3) -> not found\n2) 200 (17) -> fine\n").runs


def test_a_name_that_runs_on_into_the_next_line_is_no_whole_one() -> None:
    assert cut_off("name", "ethos-u55-128-------Running")
    assert not cut_off("name", "ethos-u55-128")


def test_a_live_run_that_seems_through_stays_so_at_its_next_line() -> None:
    line = "I 00:00:00.000{} executorch:executor_runner.cpp:9] {}\n"
    told = ("Model file lab.pte is loaded.", "Model executed successfully 1 time(s) in 0.5 ms.", "1 outputs: ")
    reader = CaptureReader("x")
    reader.feed("".join(line.format(at, said) for at, said in enumerate(told, 201)).encode())
    reader.feed(b"OutputX 0: tensor(sizes=[2], [0.5, 0.25])\n")
    reader.snapshot()
    assert reader.ended
    reader.feed(line.format(209, "ETDump written to file 'lab.etdump'.").encode())
    assert reader.ended
