"""A process of our own Python that has this very package, however it came here: installed, a checkout, a test's path."""

from __future__ import annotations

import os
import sys

_START = """
import sys
sys.path[:] = sys.argv[1].split("\\n")
import types
package = types.ModuleType(sys.argv[2])
package.__path__ = [sys.argv[3]]
sys.modules[sys.argv[2]] = package
import importlib
importlib.import_module(sys.argv[2] + sys.argv[4]).main(*sys.argv[5:])
"""


def own_python(module: str, *arguments: str) -> list[str]:
    """The argv that calls `main(*arguments)` of our module (`.runners.reading.background_child`)."""
    package = __name__.partition(".")[0]
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [sys.executable, "-c", _START, "\n".join(sys.path), package, home, module, *arguments]
