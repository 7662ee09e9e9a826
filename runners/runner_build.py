"""What it takes to build a runner with the user's ExecuTorch checkout: checked before anything is started.

ExecuTorch's own `backends/arm/scripts/build_executor_runner.sh` builds; we give it the options of one configuration and
a folder of its own, and remember of what the result was made, so that the same runner is built once.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from .artefacts import identify, sha256
from .compile.points import CompilePoint, plan
from .job import InputError, MissingTool, UsageError
from .simulator import CHECKOUT_VARIABLE, EULA_VARIABLE, checkouts
from .storage import WORKSPACE_VARIABLE

SCRIPT = "backends/arm/scripts/build_executor_runner.sh"
SETUP_PATH = "examples/arm/arm-scratch/setup_path.sh"
RUNNER = "arm_executor_runner"
FORMAT = 1
_GIT_SECONDS = 60.0
_DIFF_BYTES = 64 << 20
_OPERATOR = re.compile(r"[A-Za-z_][\w.]*::[\w.]+\Z")


@dataclass(frozen=True, slots=True)
class RunnerOptions:
    """One configuration of the runner."""

    target: str
    memory_mode: str | None = None
    system_config: str | None = None
    pte: str | None = None
    """A program to put into the ELF."""
    address: str | None = None
    """Where the runner looks for a program that is not part of it."""
    semihosting: bool = False
    bundleio: bool = False
    etdump: bool = False
    build_type: str = "Release"
    operators: tuple[str, ...] = ()
    """Portable kernels to link; none are chosen where the program is part of the ELF, whose own are taken."""
    flags: tuple[str, ...] = ()
    """More definitions for CMake, as `-DNAME=VALUE`."""


@dataclass(frozen=True, slots=True)
class RunnerBuild:
    """A build that can be started."""

    options: RunnerOptions
    checkout: Path
    argv: tuple[str, ...]
    folder: Path
    """Where the build lives, one for each configuration."""
    made_of: str | None
    """Digest of all that the ELF is made of; None where the sources' state is not known (no git)."""

    @property
    def output(self) -> Path:
        """CMake's build folder."""
        return self.folder / "cmake-out"

    @property
    def elf(self) -> Path:
        """The result."""
        return self.folder / f"{RUNNER}.elf"

    @property
    def facts(self) -> Path:
        """What the result was made of."""
        return self.folder / "build.json"

    def known(self) -> str | None:
        """The digest of a result that was made of the very same and is whole; None where it has to be built."""
        try:
            facts = json.loads(self.facts.read_bytes())
            good = self.made_of is not None and facts["format"] == FORMAT and facts["made_of"] == self.made_of
            digest = str(facts["sha256"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return digest if good and self.elf.is_file() and sha256(str(self.elf)) == digest else None


def plan_build(options: RunnerOptions, builds: Path, executorch: str | None = None) -> RunnerBuild:
    """Check the options and the checkout.

    Raises:
        JobError: a combination that cannot be built, a program that is none, or a checkout that is missing or not set up.
    """
    point = _point(options)
    _check_program(options)
    checkout = _checkout(executorch)
    for path, what in ((checkout, "the checkout"), (builds, "the workspace")):
        if any(character.isspace() for character in str(path)):
            hint = f"move it, or set {WORKSPACE_VARIABLE}" if path is builds else "move it to a path without one"
            raise UsageError(f"ExecuTorch's build script breaks on the blank in the path of {what}: {path}", hint)
    folder = builds / _name(options, point, checkout)
    argv = (str(checkout / SCRIPT), *_arguments(options, point, folder / "cmake-out"))
    return RunnerBuild(options, checkout, argv, folder, _made_of(options, point, checkout))


def _point(options: RunnerOptions) -> CompilePoint:
    configs = (options.system_config,) if options.system_config else ()
    modes = (options.memory_mode,) if options.memory_mode else ()
    points, _ = plan([options.target], configs, modes)
    if options.target == "none":
        raise UsageError("a runner needs a target", "add --target, as ethos-u55-128 or cortex-m55")
    return points[0]


def _check_program(options: RunnerOptions) -> None:
    ways = [options.pte is not None, options.address is not None, options.semihosting]
    if sum(ways) != 1:
        raise UsageError(
            "where is the program to come from?",
            "give a .pte to put into the ELF, or --address 0x70000000 for one in memory, or --semihosting for one in a file",
        )
    if options.address is not None and re.fullmatch("0x[0-9a-fA-F]{1,16}", options.address) is None:
        raise UsageError(f"{options.address} is not an address", "write it like 0x70000000")
    for name in options.operators:
        if _OPERATOR.match(name) is None:
            raise UsageError(f"{name} is no name of an operator", "write it like aten::add.out")
    for flag in options.flags:
        if re.fullmatch(r"-D\w+(:\w+)?=\S*", flag) is None:
            raise UsageError(f"{flag} is no definition for CMake", "write it like --flag=-DNAME=VALUE, without blanks")
    if options.pte is None:
        return
    artefact = identify(options.pte)
    if artefact.kind not in ("pte", "bpte"):
        raise InputError(f"{options.pte} is no program ({artefact.description})", "give a .pte or .bpte")
    if artefact.kind == "bpte" and not options.bundleio:
        raise UsageError(f"{options.pte} is a bundled program", "add --bundleio, or give the .pte in it")
    if any(character.isspace() for character in os.path.abspath(options.pte)):
        raise UsageError(
            f"ExecuTorch's build script breaks on the blank in {os.path.abspath(options.pte)}",
            "copy it to a path without one",
        )


def _checkout(named: str | None) -> Path:
    candidates = [Path(os.path.expanduser(named)).absolute()] if named is not None else checkouts()
    usable = [path for path in candidates if (path / SCRIPT).is_file()]
    if not usable:
        where = f"{named} has no {SCRIPT}" if named is not None else f"no ExecuTorch checkout with {SCRIPT} was found"
        raise MissingTool(
            where,
            "git clone --recurse-submodules https://github.com/pytorch/executorch, and name it with --executorch "
            f"or {CHECKOUT_VARIABLE}",
        )
    checkout = next((path for path in usable if (path / SETUP_PATH).is_file()), usable[0])
    if not (checkout / SETUP_PATH).is_file():
        raise MissingTool(
            f"{checkout} was not set up: it has no {SETUP_PATH}",
            f"read Arm's licence (EULA); if you agree to it, set {EULA_VARIABLE}=True yourself and run "
            f"{shlex.quote(str(checkout / 'examples/arm/setup.sh'))}",
        )
    return checkout


def _arguments(options: RunnerOptions, point: CompilePoint, output: Path) -> list[str]:
    program = options.address or ("semihosting" if options.semihosting else os.path.abspath(str(options.pte)))
    words = [
        f"--pte={program}",
        f"--target={options.target}",
        f"--build_type={options.build_type}",
        f"--output={output}",
    ]
    if point.is_npu:
        words += [f"--system_config={point.system_config}", f"--memory_mode={point.memory_mode}"]
    if options.bundleio:
        words.append("--bundleio")
    if options.etdump:
        words.append("--etdump")
    if options.operators:
        words.append(f"--select_ops_list={','.join(options.operators)}")
    if options.flags:
        words.append(f"--extra_build_flags={' '.join(options.flags)}")
    return words


def _name(options: RunnerOptions, point: CompilePoint, checkout: Path) -> str:
    """Short, readable, and another one for every configuration and checkout; the program in an ELF is one of its options."""
    key = json.dumps([asdict(options), asdict(point), str(checkout)], sort_keys=True)
    return f"{options.target}-{hashlib.sha256(key.encode()).hexdigest()[:10]}"


def _made_of(options: RunnerOptions, point: CompilePoint, checkout: Path) -> str | None:
    sources = [
        _git(checkout, "rev-parse", "HEAD"),
        _git(checkout, "diff", "HEAD", "--submodule=diff"),
        _untracked(checkout),
    ]
    if any(one is None for one in sources):
        return None
    program = sha256(options.pte) if options.pte is not None else None
    setup = sha256(str(checkout / SETUP_PATH))
    digests = [hashlib.sha256(one or b"").hexdigest() for one in sources]
    facts = [FORMAT, digests, program, setup, asdict(options), asdict(point)]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _untracked(checkout: Path) -> bytes | None:
    """Names, sizes and times of files that git does not follow and was not told to ignore."""
    names = _git(checkout, "ls-files", "--others", "--exclude-standard", "-z")
    if names is None:
        return None
    found = []
    for name in sorted(os.fsdecode(one) for one in names.split(b"\0") if one):
        try:
            facts = os.lstat(checkout / name)
        except OSError:
            continue
        found.append(f"{name!r} {facts.st_size} {facts.st_mtime_ns}")
    return "\n".join(found).encode("utf-8", "surrogateescape")


def _git(checkout: Path, *words: str) -> bytes | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(checkout), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_SECONDS,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and len(done.stdout) <= _DIFF_BYTES else None
