"""What a shell, a compiler, the C library or Windows says in another language is read as the same in English."""

from __future__ import annotations

import random

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.line_forms.other_languages import SAID, in_english
from ethosu_tui.analysis.patterns import TABLE
from tests.analysis.test_scan import agree, made

SAME = (
    ("bash: vela: 未找到命令", "bash: vela: command not found"),
    ("bash: vela：找不到指令", "bash: vela: command not found"),
    ("bash: vela: コマンドが見つかりません", "bash: vela: command not found"),
    ("bash: vela: 명령어를 찾을 수 없음", "bash: vela: command not found"),
    ("bash: vela: Kommando nicht gefunden.", "bash: vela: command not found"),
    ("bash: vela : commande introuvable", "bash: vela: command not found"),
    ("bash: vela: orden no encontrada", "bash: vela: command not found"),
    ("'vela' 不是内部或外部命令，也不是可运行的程序", "'vela' is not recognized as an internal or external command,"),
    ("'vela' は、内部コマンドまたは外部コマンド、", "'vela' is not recognized as an internal or external command,"),
    ('Der Befehl "vela" ist entweder falsch geschrieben oder', "'vela' is not recognized as an internal or external command,"),
    ("bash: examples/arm/run.sh: 没有那个文件或目录", "bash: examples/arm/run.sh: No such file or directory"),
    ("bash: examples/arm/run.sh: Datei oder Verzeichnis nicht gefunden", "bash: examples/arm/run.sh: No such file or directory"),
    ("bash: examples/arm/setup.sh: 权限不够", "bash: examples/arm/setup.sh: Permission denied"),
    ("bash: examples/arm/setup.sh: 許可がありません", "bash: examples/arm/setup.sh: Permission denied"),
    ("OSError: [Errno 28] No queda espacio en el dispositivo: 'mv2.pte'", "OSError: [Errno 28] No space left on device: 'mv2.pte'"),
    ("a.cpp:1:10: error fatal: a.h: No existe el fichero o el directorio", "a.cpp:1:10: fatal error: a.h: No such file or directory"),
    ("OSError: [Errno 28] 设备上没有空间: 'mv2.pte'", "OSError: [Errno 28] No space left on device: 'mv2.pte'"),
    ("a.cpp:1:10: 致命错误：executorch/runtime/core/error.h：没有那个文件或目录",
     "a.cpp:1:10: fatal error: executorch/runtime/core/error.h: No such file or directory"),
    ("a.cpp:1:10: schwerwiegender Fehler: executorch/runtime/core/error.h: Datei oder Verzeichnis nicht gefunden",
     "a.cpp:1:10: fatal error: executorch/runtime/core/error.h: No such file or directory"),
    ("a.cpp:(.text+0x10): 对‘ethosu_init’未定义的引用", "a.cpp:(.text+0x10): undefined reference to `ethosu_init'"),
    ("a.cpp:(.text+0x10): Nicht definierter Verweis auf »ethosu_init«", "a.cpp:(.text+0x10): undefined reference to `ethosu_init'"),
    ("collect2: 错误：ld 返回 1", "collect2: error: ld returned 1 exit status"),
    ("fatal: 无法访问 'https://example.com/a/': Could not resolve host: example.com",
     "fatal: unable to access 'https://example.com/a/': Could not resolve host: example.com"),
)  # fmt: skip


def told(log: str) -> list[tuple[str, str, str]]:
    return [(finding.rule, finding.title, finding.advice) for finding in read_capture("x", log.encode()).findings]


@pytest.mark.parametrize(("other", "english"), SAME)
def test_a_sentence_in_another_language_is_told_as_the_english_one(other: str, english: str) -> None:
    assert told(english + "\n") and told(other + "\n") == told(english + "\n")


def test_every_phrase_is_looked_for() -> None:
    for english, others in SAID.items():
        for other in others.split("|"):
            assert in_english(f"bash: vela: {other}") == f"bash: vela: {english}", other
            assert not TABLE.foreign(f"ls: vela: {other}"), other


def test_a_log_is_quoted_as_it_is() -> None:
    for said in ("bash: vela: 未找到命令", "bash: examples/arm/setup.sh: Keine Berechtigung"):
        (finding,) = read_capture("x", f"{said}\n".encode()).findings
        assert finding.detail == f"The log says: {said}."


def test_a_runner_that_crashed_before_its_first_word_is_one_in_any_language() -> None:
    command = "./executor_runner --model_path=a.pte\n"
    english = told(command + "Segmentation fault (core dumped)\n")
    assert english[0][0] == "runner-crashed"
    for other in (
        "段错误 (核心已转储)",
        "Speicherzugriffsfehler (Speicherabzug geschrieben)",
        "Erreur de segmentation (core dumped)",
    ):
        assert told(command + other + "\n") == english, other


@pytest.mark.parametrize(
    "message",
    [
        "I [executorch:arm_executor_runner.cpp:512] Model in 0x70000000",
        "Downloading ━━━━━━━━ 12.0/12.0 MB • 0:00:01",
        "推理完成，结果正确",
        "Das Modell wurde nicht geladen",
        "모델을 불러왔습니다",
        "Température : 21 °C",
        "未找到命令" * 500,
    ],
)
def test_other_text_stays_as_it_is(message: str) -> None:
    assert in_english(message) is message


RUN = (
    "I [executorch:arm_executor_runner.cpp:412 main()] Model in 0x70000000\n"
    "I [executorch:arm_executor_runner.cpp:430 main()] Starting running 1 inferences...\n"
    "I [executorch:arm_executor_runner.cpp:460 main()] 1 inferences finished\n"
    "I [executorch:arm_executor_runner.cpp:503 main()] Program complete, exiting.\n"
)


@pytest.mark.parametrize(
    "beside",
    ["bash: foo: 未找到命令", "ls: 无法访问 'a': 没有那个文件或目录", "推理完成", "Das Modell wurde nicht geladen"],
)
def test_what_others_say_beside_a_run_does_not_change_it(beside: str) -> None:
    (alone,) = read_capture("x", RUN.encode()).runs
    (run,) = read_capture("x", f"{beside}\n{RUN}{beside}\n".encode()).runs
    assert (run.status, run.target, run.memory) == (alone.status, alone.target, alone.memory)


@pytest.mark.parametrize("era", ["classic", "current"])
def test_the_scanner_reads_them_alike(era: str) -> None:
    choice = random.Random(5)
    said = [other for other, _ in SAME] + ["段错误 (核心已转储)", "推理完成，结果正确", "已杀死"]
    rows = []
    for row in made("dense", era, 60_000, 2).splitlines(keepends=True):
        rows.append(row)
        if choice.random() < 0.01:
            rows.append(choice.choice(said).encode() + b"\n")
    agree(b"".join(rows), 1 << 18, 30_011, both=True)


def test_nested_sentences_end() -> None:
    log = "a:1: 错误：" * 240 + "\n" + "对‘" * 900 + "\n" + "区域 " * 900 + "\n"
    assert not read_capture("x", log.encode()).runs
