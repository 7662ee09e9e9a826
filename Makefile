# `make demo` and `make test` do all the set-up on a machine that has Python 3.10+, make and pip access.
# Nothing is installed outside .venv, but for tmux, OpenSSH, QEMU, CMake and a C compiler (and python3-venv), which the tests take from the system's packages.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# pip would compile 250 MB of sources, of which less than a third is ever imported: Python does that when it first imports a
# module, unless it is told not to.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
unexport PYTHONDONTWRITEBYTECODE
# As an installation that is not editable does: without bytecode each start would compile the sources anew.
COMPILED := $(BIN)/python -m compileall -q analysis runners tui
TORCH  := torch==2.13.0

.PHONY: demo test lint types contracts pytest bench clean system
.DEFAULT_GOAL := demo

demo: $(VENV)/.compile
	$(BIN)/ethosu-tui demo

test: system $(VENV)/.tools
	@$(MAKE) --no-print-directory lint contracts
	@$(MAKE) --no-print-directory -j2 types $(VENV)/.dev  # types are checked without torch, so while it is installed
	@$(MAKE) --no-print-directory pytest

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Python 3.10 or later is needed (set PYTHON=...)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || tests/install_packages python3-venv
	$(PYTHON) -m venv $(VENV)

$(VENV)/.compile: pyproject.toml | $(VENV)/bin/python
	$(INSTALL) '$(TORCH)' -e '.[compile]'
	@$(COMPILED)
	@touch $@

$(VENV)/.tools: pyproject.toml | $(VENV)/bin/python
	$(INSTALL) -e '.[dev,serial]'
	@$(COMPILED)
	@touch $@

$(VENV)/.dev: $(VENV)/.tools
	$(INSTALL) '$(TORCH)' -e '.[compile,dev,serial]'
	@$(BIN)/python -c 'import executorch.backends.arm.scripts.aot_arm_compiler' 2>/dev/null
	@touch $(VENV)/.compile $@

system:
	@tests/install_packages tmux openssh-client openssh-server qemu-system-arm cmake g++

lint: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tools
	@mkdir -p build/types && ln -sfn ../.. build/types/ethosu_tui
	$(BIN)/mypy

contracts: $(VENV)/.tools
	$(BIN)/lint-imports

# How many processes, and the order, which is the one they begin modules in: tests/conftest.py.  Whole modules are handed
# out, so that a module's fixtures are made once.
pytest: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --maxprocesses 5 --dist loadfile --no-loadscope-reorder

bench: $(VENV)/.dev
	@for script in $(filter-out benchmarks/idle.py benchmarks/captures.py,$(wildcard benchmarks/[!_]*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done
	$(BIN)/python benchmarks/idle.py --seconds 60

clean:
	rm -rf $(VENV) build *.egg-info
