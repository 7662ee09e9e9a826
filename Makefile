# `make demo` and `make test` do all the set-up on a machine that has Python 3.10+, make and pip access.
# Nothing is installed outside .venv, but for tmux (and python3-venv), which the tests take from the system's packages.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# As an installation that is not editable does: without bytecode each start would compile the sources anew.
COMPILED := $(BIN)/python -m compileall -q analysis runners tui
PIP    := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo test lint types contracts pytest bench clean system
.DEFAULT_GOAL := demo

demo: $(VENV)/.compile
	$(BIN)/ethosu-tui demo

test: system $(VENV)/.dev lint types contracts pytest

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Python 3.10 or later is needed (set PYTHON=...)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || tests/install_packages python3-venv
	$(PYTHON) -m venv $(VENV)

$(VENV)/.compile: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet 'torch==2.13.0'
	$(PIP) install --quiet -e '.[compile]'
	@$(COMPILED)
	@touch $@

$(VENV)/.dev: $(VENV)/.compile
	$(PIP) install --quiet -e '.[compile,dev,serial]'
	@$(COMPILED)
	@touch $@

system:
	@tests/install_packages tmux

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	@mkdir -p build/types && ln -sfn ../.. build/types/ethosu_tui
	$(BIN)/mypy

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

# How many processes, and the order, which is the one they begin modules in: tests/conftest.py.  Whole modules are handed
# out, so that a module's fixtures are made once.
pytest: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --maxprocesses 5 --dist loadfile --no-loadscope-reorder

bench: $(VENV)/.dev
	@for script in benchmarks/[!_]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) build *.egg-info
