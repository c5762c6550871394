"""The import rule: which room may know which."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

REPO = Path(__file__).parent.parent
ROOTS = ("core", "tasks", "env-worker", "learner", "operator")

ALLOWED: dict[str, set[str]] = {
    "protocol": set(),
    "run": set(),
    "phone": {"protocol", "run"},
    "judge": {"protocol", "run"},
    "world": {"protocol", "run"},
    "tasks": {"protocol", "run", "phone", "judge", "world"},
    "dialects": {"protocol", "run", "phone"},
    "worker": {"protocol", "run", "phone", "judge", "world", "tasks", "dialects"},
    "policy": {"protocol", "run", "dialects"},
    "learner": {"protocol", "run", "dialects", "policy"},
    "local": {"protocol", "run", "phone"},
    "operator": {"protocol", "run"},
}
FREE = {"cli", "pocket"}  # edges: they wire the others together


def sources() -> Iterator[tuple[str, Path]]:
    for root in ROOTS:
        for file in sorted((REPO / root / "mobilegym").rglob("*.py")):
            yield file.relative_to(REPO / root / "mobilegym").parts[0], file


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_imports_only_the_rooms_it_may(room: str) -> None:
    for owner, file in sources():
        if owner != room:
            continue
        for name in imported(file):
            parts = name.split(".")
            if parts[0] == "mobilegym" and parts[1] != room:
                assert parts[1] in ALLOWED[room], f"{file.relative_to(REPO)} imports mobilegym.{parts[1]}"


def test_every_room_has_a_rule() -> None:
    assert {owner for owner, _ in sources()} <= set(ALLOWED) | FREE


def test_torch_stays_in_the_learner_and_playwright_in_the_phone() -> None:
    for owner, file in sources():
        top = {name.split(".")[0] for name in imported(file)}
        if top & {"torch", "transformers", "deepspeed"}:
            assert file.is_relative_to(REPO / "learner"), f"{file.relative_to(REPO)} imports torch"
        if "playwright" in top:
            assert owner == "phone", f"{file.relative_to(REPO)} imports playwright"
