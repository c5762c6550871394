"""How a pool is made up, and what has happened in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mobilegym.phone.browser import BrowserOptions
from mobilegym.phone.image import Picture
from mobilegym.phone.phone import Viewport


@dataclass(frozen=True, kw_only=True)
class PoolOptions:
    """`phones` over `browsers` processes (about one browser a core is best).

    A browser is replaced after `recycle_episodes` episodes, or when it holds more than `phone_megabytes` a phone.
    """

    phones: int
    browsers: int = 1
    browser: BrowserOptions = field(default_factory=BrowserOptions)
    picture: Picture = field(default_factory=Picture)
    viewport: Viewport = field(default_factory=Viewport)
    collect_episodes: int = 5  # a garbage collection every so many episodes of a phone
    recycle_episodes: int = 5000
    phone_megabytes: float = 100.0

    def __post_init__(self) -> None:
        if not 1 <= self.browsers <= self.phones:
            raise ValueError(f"{self.phones} phones in {self.browsers} browsers: give 1 <= browsers <= phones")


@dataclass
class PoolCounts:
    """What happened so far."""

    episodes: int = 0
    pages_lost: int = 0
    browsers_lost: int = 0
    browsers_recycled: int = 0
