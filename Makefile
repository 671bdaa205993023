# Two commands for a fresh machine with Python 3.11+, make and git: `make run` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORLD ?= larkspur
WORLDS ?= larkspur
TASK ?=
RUNS ?= runs
PORT ?=
# One worker more than there are cores: browsers, servers and the disk are waited for.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
SUITE := -m "not fuzz and not frameworks and not release and not generate and not journeys" -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations 10

# The suite starts Python hundreds of times: compiled files are kept, also where the shell says otherwise.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run demo qa test check release-check bench bench-serve bench-background bench-studio bench-readers bench-realism seeds fuzz generate frameworks frameworks-latest journeys page-pictures vendor format clean

run: $(VENV)/installed
	@port=$$($(BIN)/python -m brownout.cli.ports $(PORT)) || exit 2; \
	echo "The studio will be on http://127.0.0.1:$$port, when the world is built and played."; \
	$(MAKE) --no-print-directory demo && $(BIN)/brownout studio --port $$port --runs $(RUNS)

demo: $(VENV)/installed
	$(BIN)/brownout build $(WORLD)
	$(BIN)/brownout demo $(WORLD) --task "$(TASK)" --out $(RUNS)

qa: $(VENV)/installed
	$(BIN)/brownout qa tiny
	$(BIN)/brownout qa larkspur

test: $(VENV)/installed
	$(BIN)/python -m pytest $(SUITE)

check: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest $(SUITE)

release-check: $(VENV)/installed
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	BROWNOUT_WHEEL=$$(ls dist/*.whl) $(BIN)/python -m pytest tests/wheel
	@ls -l dist

bench: $(VENV)/installed
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.store
	$(BIN)/python -m benchmarks.git
	$(BIN)/python -m benchmarks.sessions

bench-serve: $(VENV)/installed
	$(BIN)/python -m benchmarks.serving

bench-background: $(VENV)/installed
	$(BIN)/python -m benchmarks.background

bench-studio: $(VENV)/installed
	$(BIN)/python -m benchmarks.studio

seeds: $(VENV)/installed
	$(BIN)/python -m benchmarks.seeds

bench-readers: $(VENV)/installed
	$(BIN)/python -m benchmarks.readers

bench-realism: $(VENV)/installed
	$(BIN)/python -m benchmarks.realism $(WORLDS) $(if $(BACKGROUND),--background $(BACKGROUND)) $(if $(OTHER_SEED),--other-seed $(OTHER_SEED))

fuzz: $(VENV)/installed
	$(BIN)/python -m pytest -m fuzz tests/store tests/store_git tests/functional/test_any_arguments.py tests/worlds/editing

generate: $(VENV)/installed
	$(BIN)/python -m pytest -m generate tests/generators tests/authoring

frameworks: $(VENV)/installed
	$(BIN)/python -m pytest -m frameworks tests/frameworks

frameworks-latest: $(VENV)/installed
	$(BIN)/python -m tests.frameworks.latest

journeys: $(VENV)/installed
	$(BIN)/python -m pytest -m journeys tests/browser

# Pictures of every page in its states, and what axe-core finds in them; it fails where that is serious. It needs chromium, and npm for axe-core.
page-pictures: $(VENV)/installed
	cd studio/vendor && npm ci
	$(BIN)/python -m benchmarks.page_pictures --axe studio/vendor/node_modules/axe-core/axe.min.js

vendor:
	cd studio/vendor && npm ci && npm run build

format: $(VENV)/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev,studio,llm,serve]"
	touch $@

clean:
	rm -rf $(VENV) $(RUNS) dist build
