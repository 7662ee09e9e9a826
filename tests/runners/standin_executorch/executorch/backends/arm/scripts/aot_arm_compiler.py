"""Stands in for ExecuTorch's script: the same functions around a "compile" that runs the model file."""

import runpy
import sys

import torch.export
from executorch.backends.arm.ethosu import backend
from executorch.exir import EdgeProgramManager

print("imported")


def tabulate(*_, **__):
    return "table"


class Program:
    buffer = b"program"


class Configured:
    """The program that a test has put together for the configuration; a model that wants it sets `Program` to one."""

    def __init__(self, directory):
        self.directory = directory

    @property
    def buffer(self):
        with open(f"{self.directory}/{_get_args()['--target']}.pte", "rb") as file:
            return file.read()


class Breakdown:
    delegated, non_delegated = 3, 1


class Info:
    num_delegated_subgraphs, num_delegated_nodes, num_non_delegated_nodes = 1, 3, 1
    delegation_by_operator = {"aten_odd_default": Breakdown}

    def get_summary(self):
        return "summary"

    def get_operator_delegation_dataframe(self):
        return []


def get_model_and_inputs_from_name(name, _):
    return runpy.run_path(name)


def quantize(model):
    return model


def to_edge_transform_and_lower(model):
    if "--delegate" in sys.argv:
        for tosa in graphs:
            backend.EthosUBackend._compile_tosa_flatbuffer(tosa, flags(_get_args()))
    return EdgeProgramManager()


graphs = [b"tosa"]


def _get_args():
    return dict(argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument)


def flags(given):
    target, config, mode = (given.get(option) for option in ("--target", "--system_config", "--memory_mode"))
    return [
        f"--accelerator-config={target}",
        "--output-format=raw",
        f"--system-config={config}",
        f"--memory-mode={mode}",
    ]


def get_delegation_info(_):
    return Info()


def save_pte_program(program, path):
    with open(path, "wb") as file:
        file.write(program.buffer)
    return path


def main():
    given = _get_args()
    model = get_model_and_inputs_from_name(given["--model_name"], None)
    model.get("during", lambda _: None)(given)
    torch.export.export(model)
    edge = to_edge_transform_and_lower(quantize(model))
    get_delegation_info(edge)
    edge.to_executorch()
    save_pte_program(Program, given["--output"])
    print("PTE file saved as", given["--output"])
