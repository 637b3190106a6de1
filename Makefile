# Everything happens in .venv, which the targets make by themselves. Only pip's own cache lies outside this folder.
#   make run                     show your sessions in the browser
#   make run ARGS="--root DIR"   ... those below another folder
#   make test                    lint, types and all tests
#   make check                   lint and types alone
#   make docs                    the site of docs/, in .make/docs
#   make dist                    wheel and sdist, in dist
#   make bench                   speed, as ratios to reading the same lines (docs/performance.md)

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
JOBS ?= 2
ARGS ?=
PYTEST_ARGS ?=

.PHONY: run test check bench docs dist lock clean
.DEFAULT_GOAL := run

run: $(VENV)/run.stamp
	@echo "waterglass serve $(ARGS)"
	@exec $(PY) -m waterglass serve $(ARGS)

test: check
	@echo "pytest (tests in $(JOBS) processes)"
	@$(PY) -m pytest -n $(JOBS) --dist loadgroup $(PYTEST_ARGS)

check: $(VENV)/dev.stamp
	@echo "ruff check"
	@$(PY) -m ruff check src tests tools
	@echo "mypy"
	@$(PY) -m mypy

bench: $(VENV)/run.stamp
	@echo "python tools/bench.py $(ARGS) (load files below .make/bench)"
	@$(PY) tools/bench.py $(ARGS)

docs: $(VENV)/docs.stamp
	@echo "sphinx-build docs .make/docs"
	@$(PY) -m sphinx --quiet --fail-on-warning --keep-going -d .make/doctrees docs .make/docs

dist: $(VENV)/dev.stamp
	@echo "python -m build (dist)"
	@$(PY) -m build --no-isolation --outdir dist

# The newest interpreter that is 3.11 or later is asked for by running it: a name on the path may be a stub.
$(VENV)/run.stamp: pyproject.toml requirements/run.txt src/waterglass/version.py
	@echo "Making $(VENV): the checkout and what requirements/run.txt pins"
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then echo "Python 3.11 or newer is needed. Try: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; exit 1; fi; \
	$$found -m venv $(VENV) || { echo "Python has no venv. Try (Debian, Ubuntu): sudo apt-get install python3-venv" >&2; exit 1; }
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp requirements/dev.txt
	@echo "Adding the tools that requirements/dev.txt pins"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/docs.stamp: $(VENV)/run.stamp requirements/docs.txt
	@echo "Adding what requirements/docs.txt pins"
	@$(PIP) install --require-hashes -r requirements/docs.txt
	@touch $@

# For a change of pyproject.toml: writes anew what the three files pin.
LOCK := $(PY) -m uv pip compile --quiet pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --extra prices
lock: $(VENV)/run.stamp
	@echo "Pinning requirements/run.txt, requirements/dev.txt and requirements/docs.txt"
	@$(PIP) install uv
	@$(LOCK) --group install --output-file requirements/run.txt
	@$(LOCK) --group dev --constraints requirements/run.txt --output-file requirements/dev.txt
	@$(LOCK) --group docs --constraints requirements/run.txt --output-file requirements/docs.txt

clean:
	@echo "Removing $(VENV), .make, dist and caches"
	@rm -rf $(VENV) .make dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
