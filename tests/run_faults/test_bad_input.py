"""What a person meets at the command line when something is wrong: what, where, the next step, and exit code 2."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mobilegym.cli.main import main
from mobilegym.run.weights import POCKET_VARIABLE

EXAMPLE = Path(__file__).parents[2] / "examples" / "pocket.yaml"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refused(*arguments: str | Path) -> str:
    """What is said, without a traceback."""
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.stderr.lstrip().startswith(("Error: ", "Usage: "))
    assert "Traceback" not in result.output
    return result.stderr


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something to start from, and a browser."""
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"0")
    monkeypatch.setenv(POCKET_VARIABLE, str(folder))
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", "/bin/sh")


def manifest(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    text = EXAMPLE.read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    file = tmp_path / "run.yaml"
    file.write_text(text)
    return file


def start(tmp_path: Path, *changes: tuple[str, str]) -> str:
    said = refused("run", "-f", manifest(tmp_path, *changes), "--dir", tmp_path / "run")
    assert not (tmp_path / "run" / "run.yaml").exists()
    return said


@pytest.mark.parametrize("command", [("tasks", "show"), ("check",), ("play", "--no-open")])
def test_a_template_that_does_not_exist(command: tuple[str, ...]) -> None:
    assert "did you mean clock.toggle-alarm" in refused(*command, "clock.togle-alarm")


@pytest.mark.parametrize("command", [("tasks", "show"), ("check",), ("play", "--no-open")])
def test_a_template_like_no_other(command: tuple[str, ...]) -> None:
    assert "mobilegym tasks list" in refused(*command, "zzz")


def test_an_evaluation_of_nothing() -> None:
    assert "mobilegym tasks list" in refused("eval", "--agent", "oracle", "--include", "clok.*")


def test_every_mistake_in_a_manifest_at_once(tmp_path: Path) -> None:
    said = start(
        tmp_path,
        ("loss: grpo", "loss: ppo"),
        ("totalSteps", "totalStep"),
        ('learningRate: "5e-4"', "learningRate: -1"),
        ("phonesPerWorker: 16", "phonesPerWorker: many"),
        ("ranks: 1", "ranks: true"),
    )
    assert "5 problems" in said
    assert "did you mean totalSteps" in said
    for field in ("algorithm.loss", "algorithm.learningRate", "workers.phonesPerWorker", "learner.ranks"):
        assert f"spec.{field}: " in said
    assert said.count("(line ") == 5


def test_a_manifest_that_is_no_yaml(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("spec: [1, 2")
    assert "is no YAML" in refused("run", "-f", file)


@pytest.mark.parametrize("command", ["run", "plan"])
def test_a_manifest_that_is_not_there(tmp_path: Path, command: str) -> None:
    assert "run.yaml" in refused(command, "-f", tmp_path / "run.yaml")


@pytest.mark.usefixtures("weights")
def test_a_run_on_no_task(tmp_path: Path) -> None:
    said = start(tmp_path, ("split: train", "split: train\n    suite: clok"))
    assert "suite clok" in said
    assert "mobilegym tasks list" in said


@pytest.mark.usefixtures("weights")
def test_a_dialect_that_does_not_exist(tmp_path: Path) -> None:
    assert "spec.model: no dialect 'morse'" in start(tmp_path, ("preset: pocket", "preset: pocket\n    dialect: morse"))


@pytest.mark.usefixtures("weights")
def test_an_image_scale_that_no_phone_has(tmp_path: Path) -> None:
    assert "imageScale" in start(tmp_path, ("preset: pocket", "preset: pocket\n    imageScale: 0.7"))


@pytest.mark.parametrize(
    "command", [("check", "clock.toggle-alarm"), ("eval", "--agent", "oracle", "--include", "clock.toggle-alarm")]
)
def test_a_browser_that_is_not_there(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", "/nowhere/chromium")
    said = refused(*command)
    assert "MOBILEGYM_CHROMIUM=/nowhere/chromium" in said
    assert "unset it" in said


def test_a_browser_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", "/bin/false")
    assert "/bin/false did not start" in refused("check", "clock.toggle-alarm", "--seeds", "1")


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        said = refused("play", "clock.toggle-alarm", "--no-open", "--port", str(port))
    assert f"port {port}" in said
    assert "--port" in said


def test_an_endpoint_that_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
    said = refused("eval", "--agent", "openai", "--url", url, "--include", "clock.toggle-alarm")
    assert url in said
    assert "is the engine running" in said


def test_an_endpoint_that_is_no_url() -> None:
    said = refused("eval", "--agent", "openai", "--url", "localhost:8000", "--include", "clock.toggle-alarm")
    assert "http://" in said


def test_a_model_that_speaks_no_known_dialect() -> None:
    said = refused("eval", "--url", "http://127.0.0.1:1", "--dialect", "morse", "--include", "clock.toggle-alarm")
    assert "qwen3-vl" in said


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    assert "give the folder of a run" in refused("view", tmp_path)
    assert "give the folder of a run" in refused("view", tmp_path / "nowhere")


def test_no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", "/bin/sh")
    said = start(tmp_path, ("preset: pocket", f"preset: pocket\n    path: {tmp_path / 'nowhere'}"))
    assert "spec.model.path" in said
