"""Executes a `.pte` on this machine with ExecuTorch's portable kernels and prints what a runner prints.

A script of its own, run by path under the interpreter that has ExecuTorch, so it imports nothing of ours.  The runtime's
own messages (missing kernels, unknown backends) go to stderr unchanged; what this file adds has the log prefix
`[ethosu-tui:host]`, and follows the words of ExecuTorch's `executor_runner`.
"""

from __future__ import annotations

import argparse
import os
import re
import struct
import sys
import tempfile
import time
from typing import Any, NamedTuple

SHOWN_VALUES = 1024
"""Values of one output that are printed; a runner prints all, which for an image is a megabyte of log."""

_STATUS = re.compile(r"error: 0x:?([0-9a-fA-F]+)")
_INTERNAL = 0x01
_INVALID_ARGUMENT = 0x12
_INVALID_PROGRAM = 0x23
_NAMES = {
    "torch.float32": "float",
    "torch.float64": "double",
    "torch.float16": "half",
    "torch.bfloat16": "bfloat16",
    "torch.int8": "char",
    "torch.uint8": "byte",
    "torch.int16": "short",
    "torch.int32": "int",
    "torch.int64": "long",
}
# Numbers of executorch's ScalarType, in the order of that enumeration.
_TYPES = {0: "uint8", 1: "int8", 2: "int16", 3: "int32", 4: "int64", 5: "float16", 6: "float32", 7: "float64"}
_TYPES.update({11: "bool", 15: "bfloat16"})


class Failed(Exception):
    """The run failed; the line that says so is the message."""


def main() -> int:
    """Run one program; 0 when it executed, 1 when it did not."""
    here = os.path.dirname(os.path.abspath(__file__))
    # Our own modules lie beside this script; none of them may stand in for one that ExecuTorch imports.
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    options = _options()
    try:
        _run(options)
    except Failed as failure:
        log("E", str(failure))
        return 1
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Execute a .pte on the host.")
    parser.add_argument("pte")
    parser.add_argument("--input", action="append", default=[], help="raw or .npy file of an input, in order")
    parser.add_argument("--iterations", type=int, default=1)
    parser.add_argument("--etdump", help="where to keep the ETDump")
    return parser.parse_args()


def log(level: str, message: str) -> None:
    """One line, on its way before the runtime can print its next one."""
    print(f"{level} [ethosu-tui:host] {message}", flush=True)


def _run(options: argparse.Namespace) -> None:
    runtime = _runtime()
    path, began = options.pte, time.perf_counter()
    try:
        program = runtime._load_program(path, enable_etdump=True)
        names = [program.get_method_name(index) for index in range(program.num_methods())]
    except RuntimeError as error:
        raise Failed(f"Program loading failed @ file: 0x{_status(error, _INVALID_PROGRAM):08x}") from error
    log("I", f"Model file {path} is loaded.")
    if not names:
        raise Failed(f"Program loading failed @ file: 0x{_INVALID_PROGRAM:08x}")
    name = "forward" if "forward" in names else min(names)
    log("I", f"Using method {name}")
    try:
        method = program.load_method(name)
    except RuntimeError as error:
        raise Failed(f"Loading of method {name} failed with status 0x{_status(error, _INTERNAL):x}") from error
    inputs = _inputs(method.method_meta(), options.input)
    log("I", f"Model loaded in {1000 * (time.perf_counter() - began):.6f} ms.")

    outputs: list[Any] = []
    total = 0.0
    for iteration in range(1, options.iterations + 1):
        start = time.perf_counter()
        try:
            outputs = list(method.call(tuple(inputs)))
        except RuntimeError as error:
            raise Failed(f"Execution of method {name} failed with status 0x{_status(error, _INTERNAL):x}") from error
        milliseconds = 1000 * (time.perf_counter() - start)
        total += milliseconds
        log("I", f"Iteration {iteration} of {options.iterations}: {milliseconds:.6f} ms")
    for instruction, operator, nanoseconds in _operator_times(program, options.etdump):
        log("I", f"Operator[{instruction}] {operator}: {nanoseconds} ns")
    log("I", f"Model executed successfully {options.iterations} time(s) in {total:.6f} ms.")
    log("I", f"{len(outputs)} outputs:")
    for index, output in enumerate(outputs):
        _print_output(index, output)


def _runtime() -> Any:
    from importlib.metadata import version

    import torch

    log("I", f"ExecuTorch {version('executorch')}, torch {torch.__version__}, Python {sys.version.split()[0]}")
    try:
        # The extension itself: the public module imports the whole exporter first, several seconds of it.
        from executorch.extension.pybindings import _C as runtime
    except ImportError:
        from executorch.extension.pybindings import portable_lib as runtime
    return runtime


def _status(error: BaseException, unknown: int) -> int:
    match = _STATUS.search(str(error))
    return int(match[1], 16) if match else unknown


def _inputs(meta: Any, files: list[str]) -> list[Any]:
    import torch

    count = meta.num_inputs()
    if files and len(files) != count:
        raise Failed(f"Failed to prepare inputs 0x{_INVALID_ARGUMENT:x}: {len(files)} files for {count} inputs")
    tensors = []
    for index in range(count):
        try:
            info = meta.input_tensor_meta(index)
            dtype = getattr(torch, _TYPES[info.dtype()])
        except (RuntimeError, KeyError) as error:
            raise Failed(
                f"Failed to prepare inputs 0x{_INVALID_ARGUMENT:x}: input {index} is not a tensor that can be filled"
            ) from error
        if files:
            tensors.append(_from_file(files[index], tuple(info.sizes()), dtype))
        else:
            tensors.append(torch.ones(tuple(info.sizes()), dtype=dtype))
            sizes = ", ".join(map(str, info.sizes()))
            log("I", f"Input {index}: ones, sizes=[{sizes}], {_NAMES.get(str(dtype), 'bool')}")
    return tensors


def _from_file(path: str, sizes: tuple[int, ...], dtype: Any) -> Any:
    import numpy
    import torch

    try:
        if path.endswith(".npy"):
            array = numpy.load(path, allow_pickle=False)
            data = numpy.ascontiguousarray(array).tobytes()
        else:
            with open(path, "rb") as stream:
                data = stream.read()
    except (OSError, ValueError) as error:
        raise Failed(
            f"Could not open file {path} (errno: {getattr(error, 'errno', 0)}) for reading, exiting!"
        ) from error
    expected = torch.empty(sizes, dtype=dtype).nbytes
    if len(data) != expected:
        log("E", f"input size ({len(data)}) and tensor size ({expected}) mismatch!")
        raise Failed(f"Failed to prepare inputs 0x{_INVALID_ARGUMENT:x}")
    if not expected:
        return torch.empty(sizes, dtype=dtype)
    return torch.frombuffer(bytearray(data), dtype=dtype).reshape(sizes)


def _print_output(index: int, output: Any) -> None:
    dtype = getattr(output, "dtype", None)
    if dtype is None:
        print(f"Output[{index}]: Not Tensor")
        return
    values = output.flatten()[:SHOWN_VALUES].tolist()
    name = _NAMES.get(str(dtype))
    for position, value in enumerate(values):
        if name is None:
            print(f"Output[{index}][{position}]: (bool) {'true' if value else 'false'} (0x{int(bool(value)):x})")
        else:
            text = f"{value:f}" if isinstance(value, float) else str(value)
            print(f"Output[{index}][{position}]: ({name}) {text}")
    if output.numel() > SHOWN_VALUES:
        print("...(Skipped)")
    sys.stdout.flush()


def _operator_times(program: Any, keep: str | None) -> list[tuple[int, str, int]]:
    """Instruction, kernel and nanoseconds of each operator call of the last inference."""
    if not program.has_etdump():
        log("I", "This ExecuTorch was built without event tracing: no time per operator")
        return []
    with tempfile.TemporaryDirectory() as directory:
        path = keep or os.path.join(directory, "etdump.etdp")
        program.write_etdump_result_to_file(path)
        with open(path, "rb") as stream:
            return operator_times(stream.read())


class _Event(NamedTuple):
    name: str
    instruction: int
    start: int
    end: int


def operator_times(etdump: bytes) -> list[tuple[int, str, int]]:
    """The kernel calls of the last run in an ETDump (a FlatBuffer with the identifier ED00)."""
    for skip in (0, 4):  # 4 where a size stands in front
        if etdump[skip + 4 : skip + 8] == b"ED00":
            break
    else:
        raise Failed("The runtime wrote an ETDump of an unknown format")
    runs = _Table(etdump[skip:], struct.unpack_from("<I", etdump, skip)[0]).tables(1)
    times: list[tuple[int, str, int]] = []
    for run in runs:
        calls: list[_Event] = []
        kernels: list[_Event] = []
        for entry in run.tables(3):
            event = entry.table(0)
            if event is None:
                continue
            name, instruction = event.text(0), event.integer(2, "<i", -1)
            made = _Event(name, instruction, event.integer(6, "<Q", 0), event.integer(7, "<Q", 0))
            if name == "OPERATOR_CALL":
                calls.append(made)
            elif name.startswith("native_call_"):
                kernels.append(made)
        if kernels:
            times = [_timed(kernel, calls) for kernel in kernels]
    return times


def _timed(kernel: _Event, calls: list[_Event]) -> tuple[int, str, int]:
    instruction = kernel.instruction
    if instruction < 0:
        around = (call.instruction for call in calls if call.start <= kernel.start and kernel.end <= call.end)
        instruction = next(around, -1)
    return instruction, kernel.name[len("native_call_") :], kernel.end - kernel.start


class _Table:
    """One table of a FlatBuffer: fields by their number in the schema."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data = data
        self._position = position
        self._fields = position - struct.unpack_from("<i", data, position)[0]

    def _at(self, field: int) -> int:
        offset = 4 + 2 * field
        if offset >= struct.unpack_from("<H", self._data, self._fields)[0]:
            return 0
        relative: int = struct.unpack_from("<H", self._data, self._fields + offset)[0]
        return self._position + relative if relative else 0

    def _follow(self, position: int) -> int:
        return position + int(struct.unpack_from("<I", self._data, position)[0])

    def integer(self, field: int, form: str, absent: int) -> int:
        at = self._at(field)
        return int(struct.unpack_from(form, self._data, at)[0]) if at else absent

    def text(self, field: int) -> str:
        at = self._at(field)
        if not at:
            return ""
        start = self._follow(at)
        length = struct.unpack_from("<I", self._data, start)[0]
        return self._data[start + 4 : start + 4 + length].decode("utf-8", "replace")

    def table(self, field: int) -> _Table | None:
        at = self._at(field)
        return _Table(self._data, self._follow(at)) if at else None

    def tables(self, field: int) -> list[_Table]:
        at = self._at(field)
        if not at:
            return []
        start = self._follow(at)
        count = struct.unpack_from("<I", self._data, start)[0]
        return [_Table(self._data, self._follow(start + 4 + 4 * number)) for number in range(count)]


if __name__ == "__main__":
    sys.exit(main())
