"""What can be said of the images without building them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.images.dockerfile import Dockerfile

REPO = Path(__file__).parents[2]
FILES = {name: Dockerfile.read(REPO / name) for name in ("Dockerfile.worker", "Dockerfile.learner")}
TARGETS = [("Dockerfile.worker", "worker"), ("Dockerfile.worker", "operator"), ("Dockerfile.learner", "learner")]
COPIES = [
    (name, source)
    for name, file in FILES.items()
    for stage in file.stages.values()
    for step in stage.steps
    if step.word == "COPY" and "--from=" not in step.rest
    for source in step.rest.split()[:-1]
]


@pytest.mark.parametrize(("file", "target"), TARGETS)
def test_an_image_runs_as_an_ordinary_user_under_an_init(file: str, target: str) -> None:
    steps = FILES[file].steps(target)
    said = {step.word: step.rest for step in steps}  # the last of each word holds
    assert said["USER"] == "10001:10001"
    assert said["ENTRYPOINT"] == '["/usr/bin/tini", "--"]'
    assert said["STOPSIGNAL"] == "SIGTERM"
    assert said["CMD"].startswith('["python", ')
    assert any("--uid 10001" in step.rest and "--gid 10001" in step.rest for step in steps)


@pytest.mark.parametrize(("file", "target"), TARGETS)
def test_an_image_says_what_it_is(file: str, target: str) -> None:
    labels = " ".join(step.rest for step in FILES[file].steps(target) if step.word == "LABEL")
    assert f'org.opencontainers.image.title="mobilegym-{target}"' in labels
    for label in ("description", "licenses", "version", "revision"):
        assert f"org.opencontainers.image.{label}=" in labels


@pytest.mark.parametrize(("file", "target"), TARGETS)
def test_no_compiler_and_no_installer_is_in_an_image(file: str, target: str) -> None:
    runs = " ".join(step.rest for step in FILES[file].steps(target) if step.word == "RUN")
    assert not re.search(r"\b(g\+\+|gcc|build-essential|python3-dev|python3-venv|python3-pip|nodejs|npm)\b", runs)


@pytest.mark.parametrize("file", FILES)
def test_bases_are_arguments_with_a_tag_that_is_not_latest(file: str) -> None:
    dockerfile = FILES[file]
    for stage in dockerfile.stages.values():
        if stage.base not in dockerfile.stages:
            default = dockerfile.arguments[stage.base.removeprefix("${").removesuffix("}")]
            assert re.fullmatch(r"docker\.io/library/[a-z]+:[a-z0-9.-]+", default)
            assert not default.endswith(":latest")


@pytest.mark.parametrize("file", FILES)
def test_no_secret_stands_in_a_dockerfile(file: str) -> None:
    text = (REPO / file).read_text()
    assert not re.search(r"(?i)(password|passwd|api_?key|token)\s*=|://[^/\s]+@", text)
    assert not [step for stage in FILES[file].stages.values() for step in stage.steps if step.word == "ADD"]
    for stage in FILES[file].stages.values():
        for step in stage.steps:
            settings = "id=npm" if "npm ci" in step.rest else "id=pip"
            if "npm ci" in step.rest or "$PIP install" in step.rest:
                assert f"--mount=type=secret,{settings}," in step.rest


@pytest.mark.parametrize("file", FILES)
def test_lists_of_packages_leave_with_the_step_that_fetched_them(file: str) -> None:
    for stage in FILES[file].stages.values():
        for step in stage.steps:
            if "apt-get install" in step.rest:
                assert "--no-install-recommends" in step.rest
                assert "rm -rf /var/lib/apt/lists/*" in step.rest


@pytest.mark.parametrize(("file", "source"), COPIES)
def test_what_is_copied_exists_and_is_part_of_the_context(file: str, source: str) -> None:
    assert (REPO / source).exists()
    allowed = [line[1:] for line in (REPO / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert any(source == name or source.startswith(f"{name}/") for name in allowed)


def test_the_context_holds_only_what_images_copy() -> None:
    lines = [line for line in (REPO / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert lines[0] == "*"
    for name in (line[1:] for line in lines if line.startswith("!")):
        assert any(source == name or source.startswith(f"{name}/") for _, source in COPIES)
    assert {"apps/dist", "apps/node_modules", "**/__pycache__"} <= set(lines)


def test_every_import_root_is_copied() -> None:
    roots = tomllib.loads((REPO / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["dev-mode-dirs"]
    for file in FILES:
        assert set(roots) <= {source for name, source in COPIES if name == file}


def test_what_the_two_files_share_is_the_same() -> None:
    worker, learner = (FILES[name].stages["base"] for name in ("Dockerfile.worker", "Dockerfile.learner"))
    assert worker.base == learner.base
    for word in ("RUN", "ENTRYPOINT", "WORKDIR", "STOPSIGNAL"):
        assert [s for s in worker.steps if s.word == word] == [s for s in learner.steps if s.word == word]


@pytest.mark.parametrize("extra", ["worker", "operator", "learner"])
def test_the_packages_of_an_image_are_those_of_its_extra(extra: str) -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    printed = subprocess.run(
        [sys.executable, REPO / "tools" / "requirements", extra], capture_output=True, text=True, check=True
    )
    assert set(printed.stdout.splitlines()) == {*project["dependencies"], *project["optional-dependencies"][extra]}


def test_an_unknown_extra_is_refused() -> None:
    refused = subprocess.run(
        [sys.executable, REPO / "tools" / "requirements", "workers"], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert "no extra workers" in refused.stderr
