"""The images, built here from Debian's packages and run as a restricted pod runs them: part of make nightly.

Built without an image registry, on bases that `tools/local-base` makes; run without any network.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import missing
from tests.images.machine import BORROWED, borrowed

REPO = Path(__file__).parents[2]
SECCOMP = REPO / "charts" / "mobilegym" / "files" / "seccomp" / "mobilegym-chromium.json"
RESTRICTED = [
    *("--network", "none"),
    "--read-only",
    *("--security-opt", "no-new-privileges"),
    *("--cap-drop", "all"),
    *("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"),
]
PLAY = ["--agent", "oracle", "--include", "clock.toggle-alarm", "--json"]
STEP = """
import json, torch
from mobilegym.learner.engine import Engine, OptimizerConfig
from mobilegym.policy.model import load_policy
from mobilegym.run.weights import pocket_folder

torch.set_num_threads(1)
zero = {"train_micro_batch_size_per_gpu": 1, "steps_per_print": 2**31 - 1, "zero_optimization": {"stage": 1}}
model = load_policy(pocket_folder(), "cpu").model
engine = Engine(model, OptimizerConfig(lr=1e-2), zero, device="cpu")
parameter = next(p for p in engine.module.parameters() if p.requires_grad)
before = parameter.detach().clone()
engine.accumulate(sum(p.square().sum() for p in engine.module.parameters() if p.requires_grad))
engine.update()
from deepspeed.accelerator import get_accelerator
op = get_accelerator().create_op_builder("ShareMemCommBuilder").load()
print(json.dumps({"moved": not torch.equal(before, parameter), "op": op.__name__}))
engine.close()
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
Build = Callable[[str], str]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds an image and returns its name; the second time, the builder's layers are found again."""
    for tool in ("buildah", "podman", "debootstrap"):
        if shutil.which(tool) is None:
            missing(tool)
    if os.geteuid() != 0:
        missing("root, to make a base image")
    bases = subprocess.run([REPO / "tools" / "local-base"], stdout=subprocess.PIPE, text=True, check=True)
    base, node = bases.stdout.split()
    settings = borrowed(tmp_path_factory.mktemp("settings"))
    environment = os.environ | {"BUILDAH_ISOLATION": "chroot", "IMAGES": "localhost/mobilegym-test"}

    def build_one(name: str) -> str:
        bases = ["--build-arg", f"BASE_IMAGE={base}", "--build-arg", f"NODE_IMAGE={node}"]
        done = subprocess.run(
            [REPO / "tools" / "image", name, *bases, *settings],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-4000:]
        return done.stdout.split()[-1]  # the image's id

    return build_one


@pytest.fixture(scope="session")
def worker(build: Build) -> str:
    return build("worker")


@pytest.fixture(scope="session")
def operator(build: Build) -> str:
    return build("operator")


@pytest.fixture(scope="session")
def learner(build: Build) -> str:
    return build("learner")


def podman(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["podman", *(["--runtime", "runc"] if shutil.which("runc") else []), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def said_by(image: str, *command: str, options: tuple[str, ...] = ()) -> str:
    """What a command in a restricted container of the image prints; it must succeed."""
    done = podman("run", "--rm", *RESTRICTED, *options, image, *command)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize("name", ["worker", "operator", "learner"])
def test_a_container_is_an_ordinary_user_on_a_read_only_disk(name: str, request: pytest.FixtureRequest) -> None:
    image = request.getfixturevalue(name)
    script = (
        "id -u; id -g; cat /proc/1/comm; touch /opt/mark 2>/dev/null || echo read-only;"
        "for tool in gcc g++ cc pip npm node; do command -v $tool; done; grep NoNewPrivs /proc/self/status"
    )
    assert said_by(image, "sh", "-c", script).split() == ["10001", "10001", "tini", "read-only", "NoNewPrivs:", "1"]


@pytest.mark.parametrize("name", ["worker", "operator", "learner"])
def test_nothing_of_the_machine_that_built_it_is_in_an_image(name: str, request: pytest.FixtureRequest) -> None:
    image = request.getfixturevalue(name)
    left = f"find {BORROWED} /root/.npmrc /etc/pip.conf ! -type d -size +0 2>/dev/null; true"
    assert said_by(image, "sh", "-c", left, options=("--user", "0:0", "--read-only-tmpfs=false")) == ""


def test_the_phone_of_the_image_is_that_of_the_sources(worker: str) -> None:
    ours = json.loads((REPO / "apps" / "dist" / "build.json").read_text())
    assert json.loads(said_by(worker, "cat", "/opt/mobilegym/phone/build.json")) == ours


def test_an_episode_is_played_in_the_sandbox_of_chromium(worker: str) -> None:
    """As uid 10001, where Chromium's own sandbox is on; the chart's seccomp profile lets it make its namespaces."""
    options = ("--security-opt", f"seccomp={SECCOMP}")
    scores = json.loads(said_by(worker, "mobilegym", "eval", *PLAY, options=options))
    (score,) = scores["all"]
    assert (score["n"], score["success"], score["failed"]) == (1, 1.0, 0)


def test_a_refused_sandbox_is_named_with_its_remedy(worker: str) -> None:
    """The container runtime's own profile keeps a process without capabilities from changing its root."""
    refused = podman("run", "--rm", *RESTRICTED, worker, "mobilegym", "eval", *PLAY)
    assert refused.returncode != 0
    assert "Its sandbox needs user namespaces: allow them in the container's seccomp profile" in refused.stderr
    assert "sys_chroot" in refused.stderr
    without = json.loads(said_by(worker, "mobilegym", "eval", *PLAY, options=("--env", "MOBILEGYM_SANDBOX=off")))
    assert without["all"][0]["success"] == 1.0


def test_the_worker_starts_from_its_arguments(worker: str) -> None:
    assert "--run-file" in said_by(worker, "python", "-m", "mobilegym.worker", "--help")


def test_the_operator_starts_from_its_arguments(operator: str) -> None:
    assert "--worker-image" in said_by(operator, "python", "-m", "mobilegym.operator", "--help")


@pytest.mark.parametrize("module", ["learner", "policy"])
def test_the_learner_starts_from_its_arguments(learner: str, module: str) -> None:
    assert "--redis" in said_by(learner, "python", "-m", f"mobilegym.{module}", "--help")


def test_the_learner_takes_a_step_without_a_compiler(learner: str) -> None:
    """The pocket policy's weights, and DeepSpeed with its op as it was built into the image."""
    last = json.loads(said_by(learner, "python", "-c", STEP).splitlines()[-1])
    assert last == {"moved": True, "op": "deepspeed.ops.comm.deepspeed_shm_comm_op"}


@pytest.fixture
def serving(learner: str) -> Iterator[str]:
    """A container of the learner's image that serves the pocket policy; its name."""
    name = f"mobilegym-{uuid.uuid4().hex[:8]}"
    script = "from mobilegym.run.weights import pocket_folder as f; print(f())"
    weights = said_by(learner, "python", "-c", script).strip()
    command = ["python", "-m", "mobilegym.policy", "--model", weights, "--port", "8000"]
    started = podman("run", "--detach", "--name", name, *RESTRICTED, learner, *command)
    assert started.returncode == 0, started.stderr
    yield name
    podman("rm", "--force", name)


def test_a_stop_reaches_the_process_through_its_init(serving: str) -> None:
    deadline = time.monotonic() + 120
    while "serving" not in podman("logs", serving).stderr:
        assert time.monotonic() < deadline, podman("logs", serving).stderr
        time.sleep(0.2)
    assert podman("stop", "--time", "60", serving).returncode == 0
    assert podman("inspect", "--format", "{{.State.ExitCode}}", serving).stdout.strip() == "0"
