# webmcp-e2e: `make help` lists what there is. Every target sets up what it needs, into the project.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
JOBS ?= 2
ARGS ?=
URL ?=
CHROMIUM ?=
RUNTIME ?= both
BUG ?=
REPEAT ?= 1
UNTIL_FAIL ?=

VENV := .venv
BIN := $(VENV)/bin
EXT_SOURCES := $(shell find extensions -path extensions/node_modules -prune -o -path extensions/dist -prune -o -type f \( -name '*.ts' -o -name '*.mjs' -o -name '*.json' -o -name '*.html' -o -name '*.css' -o -name '*.js' \) -print 2>/dev/null)

PYTEST := $(BIN)/python -m pytest
# Chromium 156 itself ends (SIGILL) now and then when a page with native tools is left (docs/debugging.md): once more then.
E2E_FLAGS := --reruns 1 --only-rerun "browser_crashed: Chromium ended by itself .SIGILL." --webmcp-runtime $(RUNTIME) --output test-results/artifacts --junitxml test-results/junit.xml -n $(JOBS) --dist worksteal

.PHONY: help
help: ## show this list
	@echo "usage: make TARGET [NAME=value ...]"; echo
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  ARGS=\"-k relay\"   more pytest arguments      JOBS=2         tests at once"
	@echo "  CHROMIUM=150      page scenarios on 150       RUNTIME=native one runtime instead of both"

# ---- set-up: each stamp stands for one finished step, so a second run does nothing ----

$(VENV)/.python-ready: pyproject.toml e2e/constraints.txt e2e/hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "setup: $(PYTHON) is older than 3.11. Install Python 3.11 or newer, or run make PYTHON=/path/to/python3.11"; exit 3; }
	@echo "setup: Python packages into $(VENV) (pinned by e2e/constraints.txt)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) \
	  || { echo "setup: no venv module. On Debian: apt-get install python3-venv"; exit 3; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c e2e/constraints.txt hatchling editables
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation -c e2e/constraints.txt -e '.[dev]'
	@touch $@

extensions/node_modules/.npm-ready: extensions/package.json extensions/package-lock.json
	@command -v npm >/dev/null || { echo "setup: npm is missing. Install Node.js 20 or newer with npm"; exit 3; }
	@echo "setup: npm packages into extensions/node_modules (pinned by package-lock.json)"
	@cd extensions && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

extensions/dist/BUILT: extensions/node_modules/.npm-ready $(EXT_SOURCES)
	@echo "setup: building the extensions"
	@cd extensions && node build.mjs

.PHONY: setup
setup: $(VENV)/.python-ready extensions/dist/BUILT ## install and build what is missing, into the project
	@$(BIN)/python -m webmcp_e2e.setup_browser

.PHONY: browsers
browsers: $(VENV)/.python-ready ## fetch Chromium 150 beside the system's, pinned by hash
	@$(BIN)/python -m webmcp_e2e.setup_browser --second

# ---- running ----

.PHONY: e2e
e2e: setup ## run the scenarios headless; print the requirement coverage; results in test-results/
	@$(BIN)/python -m webmcp_e2e.setup_browser --second --optional
ifeq ($(CHROMIUM),)
	@$(PYTEST) e2e/scenarios $(E2E_FLAGS) $(ARGS)
else
	@$(PYTEST) e2e/scenarios/page $(E2E_FLAGS) --webmcp-chromium "$$($(BIN)/python -m webmcp_e2e.setup_browser --path $(CHROMIUM))" $(ARGS)
endif

.PHONY: check
check: $(VENV)/.python-ready extensions/node_modules/.npm-ready ## lint and types, Python and TypeScript; no network
	@$(MAKE) --no-print-directory -j2 -Otarget check-python check-typescript

.PHONY: check-python check-typescript
check-python:
	@$(BIN)/ruff check e2e tests
	@$(BIN)/ruff format --check e2e tests
	@$(BIN)/mypy
	@$(BIN)/mypy e2e/bench
	@$(BIN)/mypy e2e/mutants
	@$(BIN)/mypy e2e/gallery
	@$(BIN)/mypy e2e/stranger

check-typescript:
	@cd extensions && npx --no-install tsc --noEmit && npx --no-install tsc -p agent-chat-core && npx --no-install tsc -p tests/agent-chat-core \
	  && npx --no-install tsc -p ../html_app/jsconfig.json
	@cd extensions && npx --no-install biome check --error-on-warnings --config-path=biome.json . ../html_app/js ../html_app/style.css ../e2e/webmcp_e2e/lumo/templates ../e2e/webmcp_e2e/hops/*.js ../e2e/webmcp_e2e/hops/*.css ../e2e/webmcp_e2e/html_report/*.js ../e2e/webmcp_e2e/html_report/*.css ../docs/example-provider

.PHONY: test
test: check setup ## check, unit tests (Python and TypeScript), then e2e
	@cd extensions && npx --no-install vitest run --silent
	@$(PYTEST) tests -q -n $(JOBS) --output test-results/unit --ignore tests/relay
	@# Apart: the relay's tests run on an event loop, which a process with synchronous Playwright in it cannot start.
	@$(PYTEST) tests/relay -q -n $(JOBS) --output test-results/unit
	@$(MAKE) --no-print-directory e2e

.PHONY: bench
bench: setup ## measure against the peers; a table, and test-results/bench.jsonl
	@$(BIN)/python e2e/bench $(ARGS)

.PHONY: repro
repro: setup ## one reported bug with everything recorded [BUG=B09 REPEAT=20 UNTIL_FAIL=1]
	@$(BIN)/webmcp-e2e repro $(BUG) --repeat $(REPEAT) --jobs $(JOBS) $(if $(UNTIL_FAIL),--until-fail)

.PHONY: mutants
mutants: setup ## plant each known fault; show which scenario sees it [ARGS="-k WORD"]
	@$(BIN)/python e2e/mutants $(ARGS)

.PHONY: gallery
gallery: setup ## plant the fault of each reported bug, and picture what its timeline shows, into docs/gallery
	@$(BIN)/python e2e/mutants -k bug- --bundles .cache/gallery
	@$(BIN)/python e2e/gallery .cache/gallery

.PHONY: baselines
baselines: setup ## hold foreign subjects (relay, page library) against what any must do; what is known to fail is in e2e/baselines
	@$(BIN)/webmcp-e2e conformance page html_app/own-global.html --own-server --baseline e2e/baselines/mcp-b-global.txt $(ARGS)
	@mkdir -p .cache/npm-relay
	@$(BIN)/webmcp-e2e conformance relay "env HOME=$(CURDIR)/.cache/npm-relay node $(CURDIR)/extensions/node_modules/@mcp-b/webmcp-local-relay/dist/cli.js" \
	  --baseline e2e/baselines/mcp-b-local-relay.txt

.PHONY: screenshots
screenshots: setup ## picture each tab of the panel, both languages and themes, into docs/screenshots
	@$(PYTEST) e2e/scenarios/side_panel/screenshots.py -q -o webmcp_requirements= --output test-results/artifacts

.PHONY: soak
soak: setup ## the slow scenarios: full-length waits and repeated recycling
	@$(PYTEST) e2e/scenarios $(E2E_FLAGS) -m soak $(ARGS)

.PHONY: open
open: setup ## a headed browser with the extension, page app and relay connected [URL=...]
	@$(BIN)/webmcp-e2e open $(URL)

.PHONY: dist
dist: setup ## wheel and sdist into dist/, with the built extensions inside
	@$(BIN)/python -m build --no-isolation --outdir dist . >/dev/null && ls dist

.PHONY: wheel-check
wheel-check: dist ## install the wheel into an empty folder, and run the files that README shows there
	@$(BIN)/python e2e/stranger

.PHONY: clean
clean: ## remove what set-up and runs made
	rm -rf $(VENV) .cache extensions/node_modules extensions/dist dist test-results
