# Commands for people and CI alike. Each works as the first one on a fresh clone.
#   make quickstart   a small model on this machine: table and radar in some minutes
#   make test         the tests that need no model
#   make check        everything that must hold before a change lands
#   make engines      all tests of engines: servers, Ray and kills take some minutes more
# Another Python: make PYTHON=python3.12 quickstart

PYTHON ?= python3
VENV := .venv
ENGINES := .venv-engines
BIN := $(VENV)/bin
SETUP := .ci/setup.py
INPUTS := pyproject.toml $(SETUP)
PARALLEL := -n auto --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help quickstart test check format lint types coverage packaging smoke one-engine engines clean

help:
	@sed -n 's/^#   //p' Makefile

quickstart: $(ENGINES)/.ready
	$(ENGINES)/bin/teval run -c quickstart -s engine.kind=$$(cat $(ENGINES)/engine)

test: $(VENV)/.test
	$(BIN)/python -m pytest -q $(PARALLEL)

# The engines are set up beside what keeps one core busy.
check:
	+$(MAKE) --no-print-directory -j 2 lint types packaging smoke $(ENGINES)/.ready
	+$(MAKE) --no-print-directory coverage one-engine

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy
	$(BIN)/mypy $(SETUP)

coverage: $(VENV)/.dev
	$(BIN)/python -m pytest -q $(PARALLEL) --cov --cov-fail-under=90

packaging: $(VENV)/.dev
	$(BIN)/python -m pytest -q -m packaging

smoke: $(VENV)/.dev
	rm -rf build/smoke
	$(BIN)/teval run -c smoke -s out=build/smoke

one-engine: $(ENGINES)/.ready
	$(ENGINES)/bin/python -m pytest -q -m "engine and not long" tests/engines

engines: $(ENGINES)/.ready
	$(ENGINES)/bin/python -m pytest -q -m engine tests/engines

clean:
	rm -rf $(VENV) $(ENGINES) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage dist build

$(VENV)/.test: $(INPUTS)
	@$(PYTHON) $(SETUP) tools $(VENV) test
	@touch $@

$(VENV)/.dev: $(INPUTS)
	@$(PYTHON) $(SETUP) tools $(VENV) dev
	@touch $@ $(VENV)/.test

$(ENGINES)/.ready: $(INPUTS) .ci/constraints-cpu.txt
	@$(PYTHON) $(SETUP) engines $(ENGINES)
	@touch $@
