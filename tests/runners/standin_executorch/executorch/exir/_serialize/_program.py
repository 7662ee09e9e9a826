"""Programs as JSON: one delegate for each partition."""

import json
import os
import sys
from types import SimpleNamespace


def deserialize_pte_binary(data):
    stored = json.loads(data)
    delegates, blobs = [], []
    for place, (specs, blob) in enumerate(stored):
        specs = [SimpleNamespace(key=key, value=value.encode()) for key, value in specs.items()]
        processed = SimpleNamespace(index=place)
        delegates.append(SimpleNamespace(id="EthosUBackend", processed=processed, compile_specs=specs))
        blobs.append(SimpleNamespace(data=blob.encode()))
    return SimpleNamespace(execution_plan=[SimpleNamespace(delegates=delegates)], backend_delegate_data=blobs)


def serialize_pte_binary(program):
    if "STANDIN_FULL" in os.environ:
        (output,) = [word.partition("=")[2] for word in sys.argv if word.startswith("--output=")]
        if not os.path.lexists(output):
            os.symlink("/dev/full", output)
    stored = []
    for delegate in program.execution_plan[0].delegates:
        specs = {spec.key: spec.value.decode() for spec in delegate.compile_specs}
        stored.append([specs, program.backend_delegate_data[delegate.processed.index].data.decode()])
    return json.dumps(stored).encode()
