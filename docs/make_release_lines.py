"""Where each release of ExecuTorch prints what: makes `analysis/release_lines_*.py` from a git clone of ExecuTorch.

A log prefix names a source file and a line (`arm_executor_runner.cpp:603`).  This walks the history of the files that
print on targets, takes the line of every log and check macro, and writes facts only: file, line, the first characters
of the text, and in which versions of the file they stand.  Run it again when ExecuTorch is released:

    python docs/make_release_lines.py /path/to/executorch.git [commit of main]
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

HEAD_LENGTH = 20
RUNNER_FILES = [
    "examples/arm/executor_runner/arm_executor_runner.cpp",
    "examples/arm/executor_runner/arm_perf_monitor.cpp",
    "examples/arm/executor_runner/arm_memory_allocator.cpp",
    "backends/arm/runtime/EthosUBackend.cpp",
    "backends/arm/runtime/EthosUBackend_Cortex_A.cpp",
    "backends/arm/runtime/EthosUBackend_Cortex_M.cpp",
    "backends/arm/runtime/ArmBackendEthosU.cpp",
    "backends/arm/runtime/VelaBinStream.cpp",
]
PORT_FILES = [
    "examples/arm/zephyr/src/arm_executor_runner.cpp",
    "zephyr/samples/hello-executorch/src/arm_executor_runner.cpp",
    "zephyr/samples/mv2-ethosu/src/main.cpp",
    "examples/portable/executor_runner/executor_runner.cpp",
    "examples/espressif/executor_runner/esp_executor_runner.cpp",
    "examples/espressif/executor_runner/esp_perf_monitor.cpp",
    "devtools/bundled_program/bundled_program.cpp",
    "devtools/etdump/etdump_flatcc.cpp",
    "extension/runner_util/inputs.cpp",
    "extension/runner_util/inputs_portable.cpp",
    "extension/data_loader/buffer_data_loader.h",
    "extension/data_loader/file_data_loader.cpp",
]
CORE_FILES = [
    "runtime/executor/program.cpp",
    "runtime/executor/program_validation.cpp",
    "runtime/executor/method_meta.cpp",
    "runtime/executor/pte_data_map.cpp",
    "runtime/executor/tensor_parser_exec_aten.cpp",
    "runtime/executor/tensor_parser_portable.cpp",
    "runtime/core/memory_allocator.h",
    "runtime/core/hierarchical_allocator.h",
    "runtime/core/result.h",
    "runtime/core/portable_type/tensor_impl.cpp",
    "runtime/kernel/operator_registry.cpp",
]
RELEASED_ONLY = ["runtime/executor/method.cpp", "runtime/core/evalue.h", "runtime/core/exec_aten/util/tensor_util.h"]
"""Files that change so often that only their released versions are kept."""

_MACRO = re.compile(
    r"\b(ET_LOG|ET_CHECK_MSG|ET_CHECK_OR_RETURN_ERROR|ET_CHECK_OR_LOG_ERROR|ET_CHECK|ET_ASSERT_UNREACHABLE_MSG"
    r"|ET_ASSERT_UNREACHABLE|ET_LOG_MSG_AND_RETURN_IF_FALSE|ET_LOG_AND_RETURN_IF_FALSE|ET_LOG_TENSOR_META)\s*\("
)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)
_FIXED = {
    "ET_ASSERT_UNREACHABLE": "Execution should not",
    "ET_ASSERT_UNREACHABLE_MSG": "Execution should not",
    "ET_LOG_TENSOR_META": "dtype:",
    "ET_LOG_AND_RETURN_IF_FALSE": "",
}

Row = tuple[int, str]
Version = tuple[str, set[str], frozenset[Row]]
"""First day on main, releases that have it, and its lines."""


def _arguments(text: str, start: int) -> str:
    depth, quoted, at = 1, False, start
    while at < len(text) and depth:
        character = text[at]
        if quoted:
            if character == "\\":
                at += 1
            quoted = character != '"'
        elif character == '"':
            quoted = True
        else:
            depth += (character == "(") - (character == ")")
        at += 1
    return text[start : at - 1]


def _head(macro: str, arguments: str) -> str:
    if macro in _FIXED:
        return _FIXED[macro]
    if macro == "ET_CHECK":
        return " ".join(arguments.split()).replace("|", " ")[:HEAD_LENGTH].strip()
    if macro == "ET_LOG":
        _level, _, rest = arguments.partition(",")
        found = _STRING.match(rest.strip())
    else:
        found = _STRING.search(arguments)
    text = found.group(1) if found is not None else ""
    return text.split("%", 1)[0].split("\\")[0].replace("|", " ").strip()[:HEAD_LENGTH].strip()


def rows(source: str) -> Iterator[Row]:
    """Line and first characters of everything that this source file may log."""
    source = _COMMENT.sub(
        lambda m: m.group() if m.group()[0] == '"' else re.sub(r"[^\n]", " ", m.group()),
        source,
    )
    for match in _MACRO.finditer(source):
        start = source.rfind("\n", 0, match.start()) + 1
        line = source[start:].split("\n", 1)[0]
        if not line.lstrip().startswith("#define") and not line.rstrip().endswith("\\"):
            yield source.count("\n", 0, match.start()) + 1, _head(match.group(1), _arguments(source, match.end()))


class Clone:
    """The clone that is asked; `main` is the newest commit that counts."""

    def __init__(self, folder: str, main: str) -> None:
        self.folder, self.main = folder, main
        tags = re.findall(r"^v(\d+\.\d+\.\d+)$", self.git("tag"), re.M)
        self.releases = sorted(tags, key=lambda tag: [int(part) for part in tag.split(".")])

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", "-C", self.folder, *arguments], capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")

    def day(self, revision: str) -> str:
        """The day on which this revision left main."""
        base = self.git("merge-base", revision, self.main).strip()
        return self.git("log", "-1", "--format=%cs", base).strip().replace("-", "")

    def versions(self, path: str, history: bool) -> list[Version]:
        """All versions of a file on main and in releases, oldest first, where its lines differ."""
        found: list[tuple[str, str, set[str]]] = []
        if history:
            for entry in self.git("log", "--first-parent", "--reverse", "--format=%H %cs", self.main, "--", path).split(
                "\n"
            ):
                if entry:
                    commit, day = entry.split()
                    blob = self.git("rev-parse", "-q", "--verify", f"{commit}:{path}").strip()
                    found.append((day.replace("-", ""), blob, set()))
        for release in [*self.releases, "main"]:
            revision = self.main if release == "main" else f"v{release}"
            blob = self.git("rev-parse", "-q", "--verify", f"{revision}:{path}").strip()
            known = next((version for version in reversed(found) if version[1] == blob), None)
            if blob and known is not None:
                known[2].add(release)
            elif blob:
                found.append((self.day(revision), blob, {release}))
        found.sort(key=lambda version: version[0])
        merged: list[Version] = []
        for day, blob, releases in found:
            lines = frozenset(rows(self.git("cat-file", "blob", blob))) if blob else frozenset()
            if merged and merged[-1][2] == lines:
                merged[-1] = (merged[-1][0], merged[-1][1] | releases, lines)
            else:
                merged.append((day, set(releases), lines))
        return merged

    def first_runner(self) -> list[Version]:
        """The runner of 0.1, which came as a patch to another repository."""
        path = "applications/executorch_tests/runner.cpp"
        folder = "examples/arm/ethos-u-setup/core_platform/patches"
        with tempfile.TemporaryDirectory() as place:
            for name in sorted(self.git("ls-tree", "--name-only", f"v0.1.0:{folder}").split()):
                patch = self.git("show", f"v0.1.0:{folder}/{name}")
                command = ["git", "apply", f"--include={path}", "-"]
                subprocess.run(command, cwd=place, input=patch.encode(), capture_output=True, check=False)
            lines = frozenset(rows((Path(place) / path).read_text("utf-8")))
        return [(self.day("v0.1.0"), {"0.1.0"}, lines), ("20240215", set(), frozenset())]


def _spans(numbers: list[int]) -> str:
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return "+".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def entry(name: str, versions: list[Version]) -> str:
    """One file as text: its versions on the first line, then a line per text."""
    texts: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, (_day, _releases, lines) in enumerate(versions):
        for line, head in lines:
            texts[head][line].append(number)
    head_line = " ".join(f"{day}={','.join(sorted(releases))}" for day, releases, _ in versions)
    body = [
        f"{head}|" + " ".join(f"{line}:{_spans(n)}" for line, n in sorted(places.items(), key=lambda p: (p[1], p[0])))
        for head, places in sorted(texts.items())
    ]
    text = "\n".join([head_line, *body])
    assert "\\" not in text and '"""' not in text, name
    return f'    "{name}": """\\\n{text}""",\n'


def main(folder: str, commit: str = "main") -> None:
    """Write both modules."""
    clone = Clone(folder, commit)
    out = Path(__file__).resolve().parent.parent / "analysis"
    groups = {"runner": RUNNER_FILES, "ports": PORT_FILES, "core": CORE_FILES + RELEASED_ONLY}
    for group, paths in groups.items():
        text, known, taken = "", "", set()
        for path in paths:
            name = path.rsplit("/", 1)[1]
            while name in taken:  # files of one name are told apart by the text around their lines
                name += "'"
            taken.add(name)
            text += entry(name, clone.versions(path, path not in RELEASED_ONLY))
        if group == "ports":
            text += entry("runner.cpp", clone.first_runner())
        if group == "runner":
            cuts = {release: clone.day(f"v{release}") for release in clone.releases}
            known = f"RELEASES = {{\n{''.join(f'    {r!r}: {int(d)},{chr(10)}' for r, d in cuts.items())}}}\n".replace(
                "'", '"'
            )
            known += '"""Releases, oldest first, and the day on which each left main."""\n'
            known += f'MAIN = "{clone.git("rev-parse", commit)[:8]}"\n"""The newest commit that was looked at."""\n'
            known += f"MAIN_DAY = {int(clone.day(commit))}\n\n"
        subject = {
            "runner": "the bare-metal runner and the Ethos-U backend",
            "ports": "other runners and the libraries around the core",
            "core": "the core runtime",
        }
        (out / f"release_lines_{group}.py").write_text(
            f'"""Source lines of {subject[group]} by version: data, made by `docs/make_release_lines.py`.\n\n'
            "Per file: its versions (first day on main = releases), then `text|line:versions ...`.\n"
            '"""\n\nfrom __future__ import annotations\n\n' + known + f"LINES: dict[str, str] = {{\n{text}}}\n",
            "utf-8",
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
