"""What a Dask worker does for a batch: one job from the model, or Vela for one configuration of a job that is done.

The only functions of ours that a scheduler's workers are asked for.  Plain data comes in and goes out (dicts, bytes,
str): a job gets its model's content and gives the files of its run folder.  A worker that does not have what the batch
was planned with does nothing and says why.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import platform
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..aot.lines import SignedLines
from ..aot.process import scratch_directory
from ..interpreters import Interpreter, find_interpreter
from ..job import JobError
from .processes import compile_in, vela_in

_SAME = ("aot", "vela", "fleet")
"""Our folders that both sides must have alike."""
_FACTS_SECONDS = 30
_NOT_THERE = ("ModuleNotFoundError", "ImportError", "FileNotFoundError")


def facts(interpreter: Interpreter) -> dict[str, str | None]:
    """All that a program depends on, besides the model: the same facts give the same bytes."""
    digest = hashlib.sha256()
    rooms = Path(__file__).parent.parent
    for path in sorted(path for room in _SAME for path in (rooms / room).glob("*.py")):
        digest.update(f"{path.parent.name}/{path.name}".encode() + b"\0" + path.read_bytes())
    return {
        "ethosu-tui": f"{interpreter.record()['ethosu-tui']} ({digest.hexdigest()[:12]})",
        **interpreter.versions,
        "python": interpreter.python.rpartition(".")[0],
        "machine": platform.machine(),
    }


def difference(here: Mapping[str, Any], there: Mapping[str, Any]) -> str | None:
    """What another side has otherwise, by name; None where all is the same."""
    for name, value in here.items():
        if there.get(name) != value:
            return f"it has {name} {there.get(name)}, and here is {value}"
    return None


async def introduce(python: str | None) -> dict[str, Any]:
    """What this worker can compile with: its `facts`, or a `problem`."""

    def look() -> dict[str, Any]:
        try:
            return {"facts": facts(_interpreter(python))}
        except JobError as error:
            return {"problem": error.message}

    return await asyncio.to_thread(look)


def compile_job(task: Mapping[str, Any]) -> dict[str, Any]:
    """One job from its model: what `processes.Compiler.run` gives, with `files`; or `refused` with the reason."""
    here = _here()
    found = _fit(task)
    if isinstance(found, str):
        return {"refused": found, **here}
    with _directory() as directory:
        out, empty = directory / "out", directory / "empty"
        out.mkdir()
        empty.mkdir()
        model, copied = _model(task, directory)
        lines = SignedLines(task["token"])

        def heard(data: bytes) -> None:
            for message in lines.feed(data):
                if message["event"] == "stage":
                    _note(task, str(message.get("stage")))

        spec = {
            "argv": [_moved(argument, task, model, out) for argument in task["argv"]],
            "model": model,
            "tmp": str(directory / "tmp"),
            "token": task["token"],
            "vela": str(out / "vela"),
            "delegation": str(out / task["delegation"]),
            "pte": str(out / task["pte"]),
            "inputs": str(out / task["inputs"]),
            "vela_flags": task["vela_flags"],
            "numeric": None,
            "vela_config": _vela_config(task, directory),
            "cwd": task["cwd"] if os.path.isdir(task["cwd"]) else str(empty),
        }
        try:
            outcome = compile_in(found.path, spec, _wanted, heard)
        except JobError as error:
            return {"refused": error.message, **here}
        outcome["scratch"] = os.path.isdir(directory / "tmp")
        files = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        if copied:
            outcome["events"] = _explained(outcome["events"], task, str(here["worker"]))
            _rename(str(model), task["model"], outcome, files)
        return {**outcome, **here, "files": files, "copied": copied}


def derive_job(task: Mapping[str, Any]) -> dict[str, Any]:
    """Vela on the `graphs` of another job: `partitions` with digests, and `files` of each; or `error`, or `refused`."""
    here = _here()
    found = _fit(task)
    if isinstance(found, str):
        return {"refused": found, **here}
    with _directory() as directory:
        partitions = []
        for number, graph in enumerate(task["graphs"]):
            tosa = directory / f"{number}.tosa"
            tosa.write_bytes(graph)
            out = directory / f"out-{number}"
            partitions.append({"tosa": str(tosa), "sha256": hashlib.sha256(graph).hexdigest(), "out": str(out)})
        request = {"job": 0, "flags": task["flags"], "scratch": str(directory / "vela"), "partitions": partitions}
        request["vela_config"] = _vela_config(task, directory)
        try:
            answer = vela_in(found.path, str(found.executorch), request, _wanted)
        except JobError as error:
            return {"refused": error.message, **here}
        if "error" in answer:
            return {"error": str(answer["error"]), **here}
        outs = [Path(partition["out"]) for partition in partitions]
        files = [{path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} for out in outs]
        return {"partitions": answer["partitions"], "files": files, **here}


def _here() -> dict[str, Any]:
    with suppress(ImportError, ValueError):
        from distributed import get_worker

        worker = get_worker()
        return {"worker": str(worker.address)}
    return {"worker": platform.node()}


def _wanted() -> bool:
    """Whether somebody still waits for the task of this thread: Dask itself lets what runs run on."""
    with suppress(ImportError, ValueError, KeyError, AttributeError):
        from distributed import get_worker

        worker = get_worker()
        return worker.state.tasks[worker.get_current_task()].state not in ("cancelled", "released", "forgotten")
    return True


def _note(task: Mapping[str, Any], stage: str) -> None:
    """Tell how far the job is, while it runs."""
    with suppress(ImportError, ValueError):
        from distributed import get_worker

        get_worker().log_event(task["topic"], {"job": task["job"], "stage": stage})


def _interpreter(python: str | None) -> Interpreter:
    return _looked_up(python, int(time.monotonic() / _FACTS_SECONDS))


@lru_cache(4)
def _looked_up(python: str | None, _: int) -> Interpreter:
    return find_interpreter(python)


def _fit(task: Mapping[str, Any]) -> Interpreter | str:
    """What compiles here, or why it must not."""
    try:
        interpreter = _interpreter(task["python"])
    except JobError as error:
        return error.message
    return difference(task["facts"], facts(interpreter)) or interpreter


@contextmanager
def _directory() -> Iterator[Path]:
    """A new directory without blanks in its path; among those of Dask, which removes what killed workers leave."""
    place = Path(scratch_directory())
    with suppress(ImportError, ValueError):
        from distributed import get_worker

        local = get_worker().local_directory
        if not any(c.isspace() for c in local):
            place = Path(local).absolute() / f"ethosu-tui-{secrets.token_hex(8)}"
    place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _model(task: Mapping[str, Any], directory: Path) -> tuple[str | None, bool]:
    """The model's file as this worker sees it, or else a copy; and whether it is a copy."""
    path, content = task["model"], task["content"]
    if path is None:
        return None, False
    with suppress(OSError):
        if Path(path).read_bytes() == content:
            return str(path), False
    copy = directory / "model" / os.path.basename(path)
    copy.parent.mkdir()
    copy.write_bytes(content)
    return str(copy), True


def _vela_config(task: Mapping[str, Any], directory: Path) -> dict[str, str] | None:
    """The user's vela.ini, as a file of this machine."""
    config = task["vela_config"]
    if config is None:
        return None
    file = directory / "vela.ini"
    file.write_bytes(config["content"])
    return {"flag": config["flag"], "file": str(file)}


def _moved(argument: str, task: Mapping[str, Any], model: str | None, out: Path) -> str:
    """An argument of the script with the places of this worker."""
    name, mark, value = argument.partition("=")
    if name == "--model_name" and value == task["model"]:
        return f"{name}={model}"
    if name == "--output":
        return f"{name}{mark}{out / os.path.basename(value)}"
    return argument


def _explained(events: bytes, task: Mapping[str, Any], worker: str) -> bytes:
    """What a copy lacks is what lay beside the original: say so where something was not found."""
    beside = os.path.dirname(task["model"])
    mark = task["token"].encode() + b" "
    lines = events.split(b"\n")
    for place, line in enumerate(lines):
        start, found, text = line.rpartition(mark)
        with suppress(ValueError, AttributeError):
            message = json.loads(text) if found else None
            if message and message.get("event") == "error" and message.get("error") in _NOT_THERE:
                message["message"] = (
                    f"{message.get('message')} (Dask worker {worker} had a copy of the model's file alone, because it does "
                    f"not see the same file at {task['model']}: what it needs from {beside} must be there too)"
                )
                lines[place] = start + found + json.dumps(message).encode()
    return b"\n".join(lines)


def _rename(copy: str, original: str, outcome: dict[str, Any], files: dict[str, bytes]) -> None:
    """Let all that names the copy, or what was looked for beside it, name the user's files."""
    copy, original = (os.path.join(os.path.dirname(path), "") for path in (copy, original))

    def quoted(path: str) -> bytes:
        return json.dumps(path)[1:-1].encode()

    def plain(data: bytes) -> bytes:
        return data.replace(os.fsencode(copy), os.fsencode(original))

    outcome["console"] = plain(outcome["console"])
    outcome["events"] = outcome["events"].replace(quoted(copy), quoted(original))
    for name, data in files.items():
        if name.endswith(".json"):
            files[name] = data.replace(quoted(copy), quoted(original))
        elif name.endswith((".txt", ".log")):
            files[name] = plain(data)
