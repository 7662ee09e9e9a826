"""A stand-in for an ExecuTorch checkout: its build script is as strict about arguments and set-up as the real one, and
runs a real CMake with a real compiler, but on a program of one line for this machine (there is no cross compiler here).

`write(...)` makes a git repository of it; files named in it steer how its build goes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

SCRIPT = r"""#!/usr/bin/env bash
set -eu
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
pte="" target="" output="" config="" mode="" type="" ops="" flags=""
for arg in "$@"; do
    case $arg in
        --pte=*) pte="${arg#*=}";;
        --target=*) target="${arg#*=}";;
        --build_type=*) type="${arg#*=}";;
        --output=*) output="${arg#*=}";;
        --system_config=*) config="${arg#*=}";;
        --memory_mode=*) mode="${arg#*=}";;
        --select_ops_list=*) ops="${arg#*=}";;
        --extra_build_flags=*) flags="${arg#*=}";;
        --bundleio|--etdump) ;;
        *) echo "unknown option ${arg}"; exit 2;;
    esac
done
source ${root}/examples/arm/arm-scratch/setup_path.sh
[[ -n "${THE_TOOLCHAIN_OF_THIS_CHECKOUT:-}" ]] || { echo "setup_path.sh was not sourced"; exit 2; }
[[ ${pte} == semihosting || ${pte} =~ ^0x[0-9a-fA-F]{1,16}$ || -f ${pte} ]] || { echo "no program ${pte}"; exit 2; }
[[ -n ${target} && -n ${output} ]] || { echo "no target"; exit 2; }
echo "Build Arm executor_runner for ${target} PTE: ${pte} using ${config} ${mode} ${flags} to '${output}'"
mkdir -p ${output}
if [[ -f ${root}/overflow ]]; then
    echo "ld: region \`ITCM' overflowed by 1,234 bytes"
    echo "make: *** [all] Error 1"
    exit 1
fi
if [[ -f ${root}/slow ]]; then sleep 60; fi
cmake -S ${root}/runner -B ${output} -DCMAKE_BUILD_TYPE=${type} ${flags}
[[ -f ${root}/nothing ]] && exit 0
cmake --build ${output} -- arm_executor_runner
"""


def write(folder: Path) -> Path:
    """Make the checkout."""
    for name, text in {
        "backends/arm/scripts/build_executor_runner.sh": SCRIPT,
        "examples/arm/arm-scratch/setup_path.sh": "export THE_TOOLCHAIN_OF_THIS_CHECKOUT=1\n",
        "examples/arm/setup.sh": "exit 1\n",
        "runner/CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(runner C)\nadd_executable(arm_executor_runner main.c)\n",
        "runner/main.c": "int main(void) { return 0; }\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    commit(folder, "init", "-q")
    return folder


def commit(folder: Path, *first: str) -> None:
    """Commit all that is there."""
    git = ["git", "-C", str(folder), "-c", "user.name=test", "-c", "user.email=test@example.com"]
    if first:
        subprocess.run([*git, *first], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "all of it"], check=True)
