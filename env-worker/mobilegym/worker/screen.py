"""What screen a run's phones have: resolution and picture by the model that looks at them."""

from __future__ import annotations

from mobilegym.phone.browser import BrowserOptions
from mobilegym.phone.image import POCKET, Picture
from mobilegym.phone.pool import PoolOptions
from mobilegym.run.manifest import MobileGymRun

COMPACT = "compact"


def picture_for(dialect: str, scale: float) -> tuple[Picture, float]:
    """The picture, and the device pixels per CSS px that it needs. A scale below 1 is captured at 1 and halved."""
    if dialect == COMPACT and scale == 0.5:
        return POCKET, 1.0
    if scale == 0.5:
        return Picture(scale=0.5, multiple=32), 1.0
    if scale < 1:
        raise ValueError(f"imageScale {scale:g} is none of the phone's: use 0.5, or 1 and more")
    return Picture(multiple=32), scale


def pool_options(run: MobileGymRun) -> PoolOptions:
    workers, model = run.spec.workers, run.spec.model
    picture, device_scale = picture_for(model.dialect_name, model.scale)
    return PoolOptions(
        phones=workers.phones_per_worker,
        browsers=workers.browsers_per_worker,
        browser=BrowserOptions(device_scale=device_scale),
        picture=picture,
        recycle_episodes=workers.episodes_per_browser,
    )
