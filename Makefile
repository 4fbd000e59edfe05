# The two commands: `make demo` shows the whole job on this machine, `make test` runs what CI runs.
# Both create .venv and install pinned versions on first use, and again only when what is to be installed has changed.

PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock
WANTED := pyproject.toml requirements.lock

.PHONY: help demo test lint types layers tests mutations conformance fuzz hostile kills chaos redactions image lock clean

help: ## list what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 10

demo: $(VENV)/.demo ## a collector, an agent, its trace tree, a query, a graded suite
	@$(BIN)/tracegrade demo

test: lint types layers tests ## everything that CI runs

lint: $(VENV)/.dev ## style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## static types
	$(BIN)/ty check collector grader tests

layers: $(VENV)/.dev ## import rules
	$(BIN)/lint-imports

tests: $(VENV)/.dev ## the tests; ARGS="-k name" to choose
	$(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal $(ARGS)

mutations: $(VENV)/.dev ## break the code of each rule, one by one: a test must notice (some minutes)
	@$(BIN)/python -m tests.mutations $(ARGS)

conformance: $(VENV)/.dev ## every item of OTLP's checklist against our collector; ARGS=URL for another endpoint (minutes)
	@$(BIN)/python -m tests.conformance $(ARGS)

fuzz: $(VENV)/.dev ## spoilt requests to a real collector, then (with the extra `fuzz`) to its readers, led by coverage (an hour)
	@$(BIN)/python -m tests.fuzz $(ARGS)
	@! $(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python -m tests.fuzz.guided $(ARGS)

chaos: $(VENV)/.dev ## maltreat a collector, twenty rounds of each kind (some 25 minutes; as root also a disk that is really full)
	@$(BIN)/python -m tests.chaos $(ARGS)

hostile: $(VENV)/.dev ## hostile SQL against a collector that takes 5,000 spans/s (two minutes)
	@$(BIN)/python -m tests.bench.hostile $(ARGS)

kills: $(VENV)/.dev ## die at every step of a rewrite of the store (a minute)
	@TRACEGRADE_EVERY_STEP=1 $(BIN)/pytest tests/store/care/test_rewrite.py

redactions: $(VENV)/.dev ## take every attribute of every span of the recorded traces out, one by one (some minutes)
	@TAKEN_OUT_ALL=1 REMOVAL_EXAMPLES=2000 $(BIN)/pytest tests/grader/test_taken_out.py

image: $(VENV)/.dev ## the Dockerfile's steps without Docker: build, start, health, end (a minute)
	@$(BIN)/python -m tests.docker.steps

lock: $(VENV)/.dev ## pin the newest versions that pyproject.toml allows
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --upgrade --universal --all-extras --python-version 3.11 --quiet --no-header \
		--no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml --output-file requirements.lock

clean: ## remove the environment and what tools left
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .fuzz .import_linter_cache examples/typescript/node_modules

# Debian splits ensurepip off, and then `python3 -m venv` leaves half an environment behind: look before, say what to install.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "tracegrade needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Choose another: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		package=$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
		echo "$(PYTHON) cannot create virtual environments here. Install the package $$package (apt install $$package), then try again." >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) -V)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.demo: $(BIN)/python $(WANTED)
	@echo "Installing tracegrade and its demo into $(VENV) (once; about a minute)"
	@$(PIP) --editable '.[demo]'
	@touch $@

$(VENV)/.dev: $(BIN)/python $(WANTED)
	@echo "Installing tracegrade and its development tools into $(VENV) (once; about a minute)"
	@$(PIP) --editable '.[dev]'
	@touch $(VENV)/.demo $@
