"""Which images this machine stands in for, and what they run."""

from __future__ import annotations

from dataclasses import dataclass, field

# An image of ours has an init as its entry point: what runs is given by the pod. Others have a default command.
KNOWN: dict[str, tuple[str, ...]] = {
    "mobilegym/": (),
    "docker.io/mobilegym/": (),
    "redis": ("redis-server",),
    "docker.io/library/redis": ("redis-server",),
}


@dataclass(frozen=True, kw_only=True)
class Images:
    """Known image prefixes with their default commands; every other image cannot be pulled."""

    known: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(KNOWN))

    def command(self, image: str) -> tuple[str, ...] | None:
        """The default command, or None for an image that cannot be pulled."""
        for prefix, command in self.known.items():
            if image.startswith(prefix) and (prefix.endswith("/") or image[len(prefix) :][:1] in ("", ":", "@")):
                return command
        return None
