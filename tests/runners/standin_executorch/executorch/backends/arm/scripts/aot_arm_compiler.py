"""Stands in for ExecuTorch's script: the same functions around a "compile" that runs the model file."""

import json
import runpy
import sys
from types import SimpleNamespace

import torch.export
from executorch.backends.arm.ethosu import backend
from executorch.exir import EdgeProgramManager

print("imported")


def tabulate(*_, **__):
    return "table"


class Program:
    buffer = b"program"


class Configured:
    """A program that holds its configuration; a model that wants it sets `Program` to one."""

    @property
    def buffer(self):
        specs = {one.key: one.value.decode() for one in _get_compile_spec(_get_args())._to_list()}
        return json.dumps([[specs, blob.decode()] for blob in made]).encode()


made = []


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
            spec = _get_compile_spec(_get_args())
            made.append(backend.EthosUBackend._compile_tosa_flatbuffer(tosa, spec))
    return EdgeProgramManager()


graphs = [b"tosa"]


def _get_args():
    return dict(argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument)


def _get_compile_spec(given):
    flags = [given["--target"], given["--memory_mode"]]
    specs = {"target": flags[0], "compile_flags": " ".join(flags), "tosa_spec": "u85" if "u85" in flags[0] else "u55"}
    specs = [SimpleNamespace(key=key, value=value.encode()) for key, value in specs.items()]
    return SimpleNamespace(flags=flags, _get_pass_pipeline_config=lambda: None, _to_list=lambda: specs)


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
