# Every target makes its own set-up: a virtual environment in .venv, nothing outside the checkout.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Warnings are errors. One thread of linear algebra: the recipes are small.
SPHINX := OMP_NUM_THREADS=1 $(BIN)/sphinx-build -W --keep-going -q

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz simulations coverage bench docs linkcheck tables panel figures study clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

demo: $(VENV)/.demo ## compare clusterings under four random models, on built-in data
	@$(BIN)/python -m fuzzyrand

test: $(VENV)/.dev ## lint, types, layers, tests and doctests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto -m "not simulation"

fuzz: $(VENV)/.dev ## the property tests with random examples, several times as many
	HYPOTHESIS_PROFILE=random $(BIN)/python -m pytest -n auto -m hypothesis tests

simulations: $(VENV)/.dev ## whether p-values are uniform and intervals cover, by many samples
	$(BIN)/python -m pytest -n auto -m simulation tests

coverage: $(VENV)/.dev ## the tests once more, with the lines that none of them runs
	$(BIN)/python -m pytest -n auto -m "not simulation" --cov --cov-report=term

bench: $(VENV)/.bench ## measure the speed against peers; rewrites benchmarks/RESULTS.md
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/.docs ## build the documentation into docs/_build/html, running every example
	$(BIN)/python -m pytest -q -p no:cacheprovider README.md docs
	$(SPHINX) -b html docs docs/_build/html
	@echo "Open docs/_build/html/index.html in a browser."

linkcheck: $(VENV)/.docs ## ask every web page that the documentation links to whether it is there
	$(SPHINX) -b linkcheck docs docs/_build/linkcheck

tables: $(VENV)/.dev ## write the tables of what is exact and what each model is for into the pages
	$(BIN)/python -m fuzzyrand._api.catalogue docs/guide/accuracy.md
	$(BIN)/python tools/advice_tables.py

panel: $(VENV)/.dev ## what pure noise scores, into pages of docs/evidence
	$(BIN)/python tools/noise_panel.py docs/evidence
	$(BIN)/python tools/random_labellings.py docs/evidence

figures: $(VENV)/.dev ## draw the figures of the documentation that are not recipes
	$(BIN)/python tools/start_figure.py docs
	$(BIN)/python tools/null_figure.py docs/guide
	$(BIN)/python tools/stability_figure.py docs/guide
	$(BIN)/python tools/recurrence_figure.py docs/guide
	$(BIN)/python tools/disagreement_figures.py docs/guide
	$(BIN)/python tools/model_pictures.py docs/guide/choosing
	$(BIN)/python -m tools.explore_figure docs/guide
	$(BIN)/python tools/rand_or_information_figure.py docs/guide
	$(BIN)/python tools/growth_figure.py docs/evidence

study: $(VENV)/.dev ## rerun a selection of the paper's factorial, into study-quick/
	$(BIN)/python -m study factorial --quick --out study-quick

clean: ## remove the virtual environment and what the tools left
	rm -rf $(VENV) docs/_build docs/auto_recipes docs/reference/generated docs/reference/used .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .coverage

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("fuzzyrand needs Python 3.11 or newer; try make PYTHON=python3.12 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[demo]"
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[dev]"
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[dev,docs]"
	@touch $@

$(VENV)/.bench: pyproject.toml benchmarks/requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[parallel,demo]" -r benchmarks/requirements.txt
	@touch $@
