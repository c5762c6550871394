"""`mobilegym run` where it cannot start, and the commands it would start."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mobilegym.cli.main import COMMANDS, main
from mobilegym.local.folder import RunFolder
from mobilegym.local.run import services_of
from mobilegym.run.learner import Layout
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.run.weights import POCKET_VARIABLE

EXAMPLES = Path(__file__).parents[2] / "examples"
POCKET = EXAMPLES / "pocket.yaml"


@pytest.fixture(autouse=True)
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has all it needs: weights, a browser, a phone."""
    weights, phone = tmp_path / "weights", tmp_path / "phone"
    weights.mkdir()
    (weights / "model.safetensors").write_bytes(b"0")
    phone.mkdir()
    (phone / "build.json").write_text('{"hash": "0"}')
    (phone / "schema.json").write_text("{}")
    monkeypatch.setenv(POCKET_VARIABLE, str(weights))
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", "/bin/sh")
    monkeypatch.setenv("MOBILEGYM_PHONE_BUILD", str(phone))


def run(tmp_path: Path, *options: str, manifest: Path = POCKET) -> Result:
    return CliRunner().invoke(main, ["run", "-f", str(manifest), "--dir", str(tmp_path / "run"), *options])


def changed(tmp_path: Path, before: str, after: str) -> Path:
    file = tmp_path / "changed.yaml"
    file.write_text(POCKET.read_text().replace(before, after))
    return file


def test_a_wrong_manifest_is_explained(tmp_path: Path) -> None:
    result = run(tmp_path, manifest=changed(tmp_path, "groupSize: 8", "groupSize: 0"))
    assert result.exit_code == 2
    assert "spec.algorithm.groupSize: got 0, must be >= 2 (line" in result.output


def test_a_busy_folder_is_refused(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run"):
        result = run(tmp_path)
    assert result.exit_code == 2
    assert "is in use by process" in result.output


def test_an_earlier_run_is_not_overwritten(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run") as folder:
        folder.prepare("earlier", resume=False)
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "--resume continues it" in result.output
    assert folder.run_file.read_text() == "earlier"


def test_a_resume_of_nothing_is_refused(tmp_path: Path) -> None:
    result = run(tmp_path, "--resume")
    assert result.exit_code == 2
    assert "holds no run" in result.output


def test_a_missing_browser_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", "/nowhere/chromium")
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "/nowhere/chromium is not an executable file" in result.output


def test_a_missing_phone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOBILEGYM_PHONE_BUILD", str(tmp_path / "nowhere"))
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "make phone" in result.output


def test_missing_weights_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(POCKET_VARIABLE, str(tmp_path / "phone"))
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "mobilegym pocket" in result.output


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        manifest = changed(tmp_path, "engine:\n", f"engine:\n    port: {port}\n")
        result = run(tmp_path, manifest=manifest)
    assert result.exit_code == 2
    assert f"port {port} cannot be used" in result.output
    assert "spec.engine.port" in result.output


def test_a_suspended_run_does_not_start(tmp_path: Path) -> None:
    result = run(tmp_path, manifest=changed(tmp_path, "spec:\n", "spec:\n  suspend: true\n"))
    assert result.exit_code == 2
    assert "spec.suspend" in result.output


def commands(run: MobileGymRun, tmp_path: Path) -> dict[str, tuple[str, ...]]:
    services = services_of(run, RunFolder(tmp_path), Path("/models/m"))
    found = [services.redis, services.engine, *services.crew]
    return {command.name: command.argv for command in found if command is not None}


def test_a_laptop_run_starts_everything(tmp_path: Path) -> None:
    argv = commands(load_run(POCKET), tmp_path)
    assert list(argv) == ["redis", "engine", "worker-0", "learner"]
    assert argv["redis"][argv["redis"].index("--maxmemory-policy") :][:2] == ("--maxmemory-policy", "noeviction")
    assert "mobilegym.policy" in argv["engine"]
    assert "mobilegym.worker" in argv["worker-0"]
    assert "mobilegym.learner" in argv["learner"]
    redis = argv["worker-0"][argv["worker-0"].index("--redis") + 1]
    assert redis.startswith("redis://127.0.0.1:")
    assert redis in argv["learner"]


def test_services_run_elsewhere_are_not_started(tmp_path: Path) -> None:
    manifest = changed(tmp_path, "engine:\n", "engine:\n    url: http://engine:8000\n")
    manifest.write_text(manifest.read_text().replace("stream:\n", "stream:\n    redisUrl: redis://redis:6379/0\n"))
    argv = commands(load_run(manifest), tmp_path)
    assert list(argv) == ["worker-0", "learner"]
    assert "http://engine:8000" in argv["worker-0"]
    assert "redis://redis:6379/0" in argv["learner"]


def test_a_split_layout_gives_the_last_gpu_to_the_engine(tmp_path: Path) -> None:
    large = load_run(EXAMPLES / "qwen3-vl-4b.yaml")
    learner = large.spec.learner.model_copy(update={"layout": Layout.SPLIT})
    split = large.model_copy(update={"spec": large.spec.model_copy(update={"learner": learner})})
    services = services_of(split, RunFolder(tmp_path), Path("/models/m"))
    assert services.engine is not None
    assert services.engine.env["CUDA_VISIBLE_DEVICES"] == "2"
    assert services.crew[-1].env["CUDA_VISIBLE_DEVICES"] == "0,1"


def test_help_lists_every_command() -> None:
    output = CliRunner().invoke(main, ["--help"]).output
    assert all(f"  {name} " in output for name in COMMANDS)


def test_an_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["rum"])
    assert result.exit_code == 2
    assert "No such command 'rum'" in result.output
