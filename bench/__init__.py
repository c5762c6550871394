"""Measurements. `python -m bench [part ...]` runs them and writes bench/results.json and docs/benchmarks.md."""
