"""One distribution over five import roots."""

import importlib
import operator
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REPO = Path(__file__).parent.parent
ROOTS = ("core", "tasks", "env-worker", "learner", "operator")


@pytest.mark.parametrize("root", ROOTS)
def test_mobilegym_is_a_namespace_package(root: str) -> None:
    assert (REPO / root / "mobilegym").is_dir()
    assert not (REPO / root / "mobilegym" / "__init__.py").exists()


def test_the_operator_folder_hides_no_module_of_the_standard_library() -> None:
    assert not list((REPO / "operator").glob("*.py"))
    assert REPO not in Path(operator.__file__ or "").parents


def test_every_root_is_installed_from_pyproject() -> None:
    build = tomllib.loads((REPO / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert tuple(build["dev-mode-dirs"]) == ROOTS
    assert tuple(build["targets"]["wheel"]["packages"]) == tuple(f"{root}/mobilegym" for root in ROOTS)


@pytest.mark.parametrize(
    "module",
    [f"mobilegym.{room}" for room in ("protocol", "run", "tasks", "phone", "worker", "learner", "operator")],
)
def test_rooms_import_together(module: str) -> None:
    assert importlib.import_module(module).__doc__


def test_help_starts_without_heavy_imports() -> None:
    heavy = "('torch', 'playwright', 'transformers')"
    code = f"import sys, mobilegym.cli.main; sys.exit(any(m in sys.modules for m in {heavy}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
