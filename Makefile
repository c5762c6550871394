# Two commands are all a newcomer needs: `make train` and `make test`.
.DEFAULT_GOAL := help
PY := .venv/bin/python
GYM := .venv/bin/mobilegym
export PYTHONHASHSEED := 0
export PATH := $(CURDIR)/.venv/bin:$(PATH)

help: ## what there is to make
	@grep -E '^[a-z-]+:.*## ' Makefile | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: ## prepare this checkout: system packages, .venv, the phone
	@tools/setup

train: setup ## train the pocket policy on this machine and show success before and after
	@$(GYM) run -f examples/pocket.yaml

test: setup ## lint, types, and every test
	@tools/test

phone: setup ## build the phone into apps/dist
	@cd apps && node build.mjs --force

pocket: setup ## make the pocket policy's weights from nothing (about 12 minutes)
	@$(GYM) pocket

check: setup ## certify every task template
	@$(GYM) check

crd: setup ## write the CustomResourceDefinition and docs/manifest.md from the manifest's models
	@$(PY) -m mobilegym.operator.crd --out charts/mobilegym/files/crd.yaml --reference docs/manifest.md

cluster: setup ## a Kubernetes cluster on this machine with the chart installed (docs/cluster-testing.md)
	@$(PY) -m tools.kube

dashboards: ## write the chart's dashboards and alert rules, and the tables of docs/monitoring.md
	@$(PY) -m tools.dashboards

images: ## build the images mobilegym/worker, mobilegym/operator, mobilegym/learner (docs/images.md)
	@for name in worker operator learner; do tools/image $$name $(BUILD) || exit 1; done

bench: setup ## measure; writes bench/results.json and docs/benchmarks.md
	@$(PY) -m bench

nightly: setup ## the tests that take longer; their figures go to docs/benchmarks.md
	@$(PY) -m pytest -m slow --junitxml=.cache/nightly.xml
	@$(PY) -m bench nightly

clean: ## remove what was built (not .venv)
	rm -rf apps/dist .cache .mypy_cache .ruff_cache .pytest_cache

.PHONY: help setup train test phone pocket check cluster crd dashboards images bench nightly clean
