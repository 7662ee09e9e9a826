"""What sets the size of a pool: an option of each runner, or an array in an application's source."""

from __future__ import annotations

from ..draft import Evidence
from ..report import Run
from .releases import surely_before, surely_from

METHOD_POOL = "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"
FAST_POOL = "-DET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE"
_TEMP_POOL = "-DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"
_FAST_SCRATCH_POOL = "-DET_ARM_BAREMETAL_FAST_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"
CMAKE_FILE = "examples/arm/executor_runner/CMakeLists.txt"
"""Of the bare-metal runner: from 0.7 to 1.1 it sets both scratch pools itself, and what is given with -D has no effect."""
_DEFINITIONS = {
    "method": (METHOD_POOL, "CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE"),
    "temp": (_TEMP_POOL, "CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE"),
}
"""What sets the size of a pool, on bare metal and in Zephyr."""
_EARLIER = {
    "method": {
        "0.1": "method_allocator_pool",
        "0.2": "method_allocator_pool",
        "0.3": "METHOD_ALLOCATOR_POOL_SIZE",
        "0.4": "METHOD_ALLOCATOR_POOL_SIZE",
    },
    "temp": {
        "0.4": "temp_allocation_pool_size",
        "0.5": "-DET_ARM_BAREMETAL_TEMP_ALLOCATOR_POOL_SIZE",
        "0.6": "-DET_ARM_BAREMETAL_TEMP_ALLOCATOR_POOL_SIZE",
    },
}
"""What it was in earlier releases: a definition of the build, or a constant or an array in the runner's source."""
_OF_ESP = {"method": "ET_ESP_METHOD_ALLOCATOR_POOL_SIZE", "temp": "ET_ESP_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"}
_OF_SIZE_TEST = {
    "method": "the array method_allocator_pool (1024 bytes) in test/size_test.cpp",
    "temp": "the temp allocator, which test/size_test.cpp does not have",
}
_OF_HIMAX = {"method": "method_allocation_pool_size", "temp": "temp_allocation_pool_size"}
"""Constants of Himax's classifier (cvapp_mb_cls.cpp), which no option of a build changes."""
_OF_KIT = {"method": "-D<use_case>_ACTIVATION_BUF_SZ", "temp": "-DML_FWK_TMP_MEM_SIZE"}


def pool_option(run: Run, seen: Evidence, pool: str, size: int) -> str:
    """How to make the method or the temp pool this large."""
    if tests_operators(seen):
        return f"build the test with -D{pool.upper()}_POOL_KB={(size + 1023) // 1024}"
    if "size_test" in seen.seen:
        return f"make {_OF_SIZE_TEST[pool]} {size} bytes large, or run the program with executor_runner, whose pools are larger"
    if _on_himax(seen):
        return f"set {_OF_HIMAX[pool]} in the application's source to {size} bytes"
    if two_programs(seen) or _of_an_application(run, seen):
        return f"give that program's pool in the application's source {size} bytes"
    earlier = _earlier(run, pool)
    if earlier:
        if earlier.startswith("-D"):
            return f"build the runner with {earlier}={size}{in_brackets(by_script(run))}"
        return f"set {earlier} in the runner's source to {size} bytes"
    bare, zephyr = (f"{name}={size}" for name in _DEFINITIONS[pool])
    if pool == "temp" and run.runner.kind == "arm_executor_runner":
        return _of_scratch(run, _TEMP_POOL, f"={size}", "" if run.runner.executorch_version else f"; Zephyr: {zephyr}")
    if run.runner.kind == "mlek":
        return f"configure the kit with {_OF_KIT[pool]}={size}"
    if _on_esp(seen):
        return f"idf.py build -D{_OF_ESP[pool]}={size} (with PSRAM switched on the pools lie there)"
    if run.runner.kind == "zephyr":
        return f"put {zephyr} into prj.conf (bare metal: {bare})"
    for_zephyr = "" if _before_zephyr(run) else f"Zephyr: {zephyr}"
    return f"build the runner with {bare}{in_brackets(by_script(run), for_zephyr)}"


def pool_names(run: Run, seen: Evidence, pool: str) -> str:
    """What sets the size of the pool, where no size can be given."""
    if tests_operators(seen):
        return f"-D{pool.upper()}_POOL_KB of the test"
    if "size_test" in seen.seen:
        return f"{_OF_SIZE_TEST[pool]}, or run the program with executor_runner, whose pools are larger"
    if run.runner.kind == "mlek":
        return f"{_OF_KIT[pool]} of the kit"
    if two_programs(seen):
        return (
            "kMethodMetadataPoolSize in the application's source"
            if pool == "method"
            else "the temp pools in the application's source"
        )
    if _on_himax(seen):
        return f"{_OF_HIMAX[pool]} in the application's source"
    if _of_an_application(run, seen):
        return f"the {pool} pool in the application's source"
    if _on_esp(seen):
        return f"idf.py build -D{_OF_ESP[pool]}=BYTES"
    earlier = _earlier(run, pool)
    if earlier:
        return earlier if earlier.startswith("-D") else f"{earlier} in the runner's source"
    bare, zephyr = _DEFINITIONS[pool]
    if pool == "temp" and _fixed_in_cmake(run):
        return f"{bare.removeprefix('-D')} in {CMAKE_FILE}"
    if run.runner.kind == "zephyr":
        return f"{zephyr} in prj.conf"
    own = "" if run.runner.kind in ("arm_executor_runner", "zephyr") else ", an array in an application of your own"
    return bare if _before_zephyr(run) else f"{bare} on bare metal, {zephyr} in Zephyr{own}"


def fast_scratch(run: Run, size: str) -> str:
    """How to make the NPU's fast memory larger; `size` is "=BYTES" or words that stand for it."""
    return _of_scratch(run, _FAST_SCRATCH_POOL, size)


def _of_scratch(run: Run, option: str, size: str, other: str = "") -> str:
    """How a pool of the NPU is set, which some releases do not take from the command line; `other` is what else it may be."""
    if option == _FAST_SCRATCH_POOL and run.runner.kind == "arm_executor_runner" and surely_before(run, (0, 7)):
        return f"raise the size of the fast memory that ethosu_init is given{size.replace('=', ' to ')}"
    if _fixed_in_cmake(run):
        name = option.removeprefix("-D")
        return f"set {name} in {CMAKE_FILE} (which overrides -D in that release){size.replace('=', ' to ')}"
    told = f"build the runner with {option}{size}"
    if run.runner.kind != "arm_executor_runner":
        return told
    if surely_from(run, (1, 2)):
        return f"{told}{in_brackets(by_script(run))}"
    return f"{told}{in_brackets(f'0.7 to 1.1: in {CMAKE_FILE}, which overrides -D{other}', by_script(run))}"


def by_script(run: Run) -> str:
    """The same option for builds with ExecuTorch's scripts, which take it since 0.6; "" for other runners and before."""
    if run.runner.kind != "arm_executor_runner" or surely_before(run, (0, 6)):
        return ""
    return "run.sh and build_executor_runner.sh: in --extra_build_flags"


def in_brackets(*said: str) -> str:
    """A further remark about an option, in brackets."""
    told = "; ".join(filter(None, said))
    return f" ({told})" if told else ""


def _fixed_in_cmake(run: Run) -> bool:
    """Whether this is surely one of the releases whose CMake sets the scratch pools by itself."""
    return run.runner.kind == "arm_executor_runner" and surely_from(run, (0, 7)) and surely_before(run, (1, 2))


def _before_zephyr(run: Run) -> bool:
    """Whether this is surely a release without a sample for Zephyr: it came with 1.1."""
    return run.runner.kind == "arm_executor_runner" and surely_before(run, (1, 1))


def _earlier(run: Run, pool: str) -> str:
    """What sets the pool in a release of its own name; empty where it is today's, or the release is not known."""
    release = run.runner.executorch_version or ""
    first, _, last = release.partition("..")
    if run.runner.kind != "arm_executor_runner" or last and not surely_before(run, (0, 7)):
        return ""
    minors = release.split("/") if not last else (f"0.{minor}" for minor in range(int(first[2:3]), int(last[2:3]) + 1))
    names = list(dict.fromkeys(_EARLIER[pool].get(name[:3], "") for name in minors))
    of_source = all(name and not name.startswith("-D") for name in names)
    return " or ".join(names) if len(names) == 1 or of_source else ""


def planned_in_pool(run: Run) -> int:
    """The bytes of the planned buffers, where they lie in the method pool: before 0.4 the bare-metal runner took them from the heap."""
    if run.runner.kind == "arm_executor_runner" and surely_before(run, (0, 4)):
        return 0
    return sum(run.memory.planned_buffers)


def pool_of_heap(run: Run) -> bool:
    """True for the one release whose bare-metal runner asks malloc for the method pool."""
    return run.runner.kind == "arm_executor_runner" and surely_from(run, (0, 3)) and surely_before(run, (0, 4))


def use_line(run: Run, seen: Evidence) -> str:
    """Beginning of the line that says how much of the method pool is used; "" where the program prints none."""
    if tests_operators(seen):
        return "MemReport"
    if "size_test" in seen.seen or _on_himax(seen):
        return ""
    if "pico_started" in seen.seen:
        return "Method allocator"
    if _of_an_application(run, seen):
        return ""
    return "Method memory" if run.runner.kind == "mlek" else "method_allocator_used"


def tests_operators(seen: Evidence) -> bool:
    """True for the test of all operators of a CMSIS pack, which has definitions and pools of its own."""
    return not {"test_started", "test_passed", "test_reported", "test_failed"}.isdisjoint(seen.seen)


def two_programs(seen: Evidence) -> bool:
    """True for the application that runs a program on each of two NPUs: its pools are arrays, and the method has one of its own."""
    return "dual_program" in seen.seen


def _of_an_application(run: Run, seen: Evidence) -> bool:
    """True for applications that know neither runner's options: their pools are arrays, or have sizes of their own as in ExecuTorch's examples."""
    kinds = ("vision_started", "vsi_started", "sketch_started", "pico_started", "nuvoton_size", "alif_started")
    own = "runtime_ready" in seen.seen and run.runner.kind != "zephyr"
    on_corstone_320 = "planned_count" in seen.seen and run.runner.kind != "zephyr"
    return own or on_corstone_320 or any(kind in seen.seen for kind in kinds)


def _on_himax(seen: Evidence) -> bool:
    return "himax_shape" in seen.seen or "himax_step" in seen.seen


def _on_esp(seen: Evidence) -> bool:
    return "esp_ready" in seen.seen or "esp_started" in seen.seen
