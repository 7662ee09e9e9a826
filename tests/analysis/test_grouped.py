"""What a group of runs with one root cause is told: nothing of one run alone, and the same in every order."""

from __future__ import annotations

import random
from itertools import permutations

from ethosu_tui.analysis.post_mortem.summary import advice_of, causes_table
from ethosu_tui.analysis.rows.grouped import MOST_NAMES, joined_title, told
from ethosu_tui.analysis.rows.store import RunStore
from ethosu_tui.analysis.scan import Scanner

PREFIX = "E [executorch:a.cpp:1 f()] "
START = "I [executorch:arm_executor_runner.cpp:70 main()] Model buffer loaded, has 1 methods\n"


def log(*messages: str) -> bytes:
    return (START + "".join(f"{PREFIX}{message}\n" for message in messages)).encode()


def pool(size: int) -> bytes:
    return log(f"Could not allocate memory for memory planned buffer size {size}")


def group(runs: list[bytes]) -> tuple[str, str]:
    store = RunStore()
    for number, data in enumerate(runs):
        scanner = Scanner(f"{number}.log")
        scanner.feed(data)
        scanner.finish()
        part = RunStore()
        part.add(scanner.rows())
        store.merge(part)
    ((title, count, *_),) = causes_table(store).rows
    assert count.value == len(runs)
    ((advice,),) = advice_of(store).values()
    return title.text, advice


def test_a_group_of_pools_gives_a_range_and_the_largest_need() -> None:
    runs = [pool(4096), pool(752640), pool(6144000)]
    told = {group(list(order)) for order in permutations(runs)}
    assert len(told) == 1
    title, advice = told.pop()
    assert "4.0 KiB to 5.9 MiB did not fit" in title
    alone = group([pool(6144000)])[1]
    assert advice.startswith(alone)
    assert "largest need" in advice


def test_a_group_of_missing_operators_names_them_all() -> None:
    runs = [
        log("Missing operator: [0] aten::relu.out"),
        log("Missing operator: [0] aten::add.out", "Missing operator: [1] aten::mul.out"),
        log("Missing operator: [0] aten::relu.out", "Missing operator: [1] aten::exp.out"),
    ]
    told = {group(list(order)) for order in permutations(runs)}
    assert len(told) == 1
    title, advice = told.pop()
    assert 'SELECT_OPS_LIST="aten::add.out,aten::exp.out,aten::mul.out,aten::relu.out"' in advice
    assert title == "The runner has no kernel for 2 operators / aten::relu.out"


def test_operators_of_a_group_are_bounded_and_do_not_depend_on_the_order() -> None:
    runs = [log(f"Missing operator: [0] aten::op{number}.out") for number in range(MOST_NAMES + 40)]
    one = group(runs)
    random.Random(1).shuffle(runs)
    assert group(runs) == one
    assert one[1].count("aten::") == MOST_NAMES


def test_alike_runs_keep_their_own_words() -> None:
    assert group([pool(4096)] * 3) == group([pool(4096)])


def test_titles() -> None:
    assert joined_title(["a 5 B b", "a 1.0 KiB b"]) == "a 5 B or 1.0 KiB b"
    for order in permutations(["a 5 B b", "a 1.0 KiB b", "a 7 B b", "a 6 B b"]):
        assert joined_title(order) == "a 5 B to 1.0 KiB b"
    assert joined_title(["Bus fault on the target", "Hard fault on the target"]) == "Bus / Hard fault on the target"
    assert joined_title(f"ends at {stage}, early" for stage in "abcde") == "ends at a / b / c / 2 others, early"
    assert joined_title(["ethos-u55-128 and 0x21", "ethos-u55-256 and 0x21"]) == "ethos-u55-128 / 256 and 0x21"


def test_titles_that_share_few_words_stay_sentences() -> None:
    small = "The pool is too small"
    assert joined_title(
        [f"{small}: 48 B did not fit", small, f"{small}: 1.0 KiB did not fit", f"{small}: a buffer was refused"]
    ) == (f"{small}: 48 B or 1.0 KiB did not fit; a buffer was refused")
    ends = [f"The output ends at stage {stage}, before the run does" for stage in ("load", "plan")]
    assert joined_title([*ends, "The program ended early"]) == (
        "The output ends at stage load / plan, before the run does; The program ended early"
    )
    kernels = ["ADD, LOGISTIC", "LOGISTIC"]
    assert joined_title(f"The application has no kernel for {names}" for names in kernels) == (
        "The application has no kernel for ADD, LOGISTIC / LOGISTIC"
    )
    places = ["/home/a/et/srcs.cmake", "/w/srcs.cmake"]
    assert joined_title(f"The lists could not be made: {place}" for place in places) == (
        "The lists could not be made: /home/a/et/srcs.cmake / /w/srcs.cmake"
    )
    long = [f"It does not compile: {letter * 200}" for letter in "abcd"]
    assert len(joined_title(long)) < 400 and joined_title(long).endswith("; 1 other")
    deep = [": ".join(f"{(seed * place) % 5}w" * 9 for place in range(1, 30)) for seed in range(200)]
    assert len(joined_title(f"{title}{seed}x" for seed, title in enumerate(deep))) <= 600
    words = [": ".join("abcde"[(seed // 5**place) % 5] * 30 for place in range(5)) for seed in range(900)]
    assert len(joined_title(words)) <= 600


def test_the_fix_of_a_few_runs_is_not_said_of_all() -> None:
    plan = (
        START.encode() + b"I [executorch:arm_executor_runner.cpp:90 main()] Setting up planned buffer 0, size 1024.\n"
    )
    runs = [plan] * 5 + [plan + b"##[error]The operation was canceled.\n"]
    store = RunStore()
    for number, data in enumerate(runs):
        scanner = Scanner(f"{number}.log")
        scanner.feed(data)
        scanner.finish()
        store.add(scanner.rows())
    assert [row.cause for row in store] == ["truncated-log"] * 6
    most, few = advice_of(store)["truncated-log"]
    assert most.startswith("5 of 6: ") and few.startswith("1 of 6: ") and "concurrency" in few


def test_advice_that_differs_in_amounts_is_one_and_rare_advice_is_counted() -> None:
    assert told({"Wait 5 s.": 1, "Wait 10 s.": 2}) == [
        "Wait 10 s. Other runs with this cause are told other values: see each."
    ]
    kinds = {f"Look at {letter}.": number for number, letter in enumerate("abcde", 1)}
    assert told(kinds) == [
        "5 of 15: Look at e.", "4 of 15: Look at d.", "3 of 15: Look at c.", "3 of 15: something else; see each.",
    ]  # fmt: skip
    for order in permutations(kinds.items()):
        assert told(dict(order)) == told(kinds)
