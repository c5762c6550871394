"""What is not watched is compared before it is written, and looked at again now and then."""

from __future__ import annotations

from tests.operator.machine import child, eventually, manifest
from tools.kube.controlplane import ControlPlane

from mobilegym.operator.api import Api
from mobilegym.operator.byname import BELIEVED_SECONDS, ByName
from mobilegym.operator.errors import NotFound
from mobilegym.operator.kinds import RUN, SECRET
from mobilegym.operator.observed import Observed
from mobilegym.operator.store import Key


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_a_secret_is_written_once_and_again_where_it_has_gone(
    served: ControlPlane, namespace: str, admin: Api
) -> None:
    run = await admin.create(RUN, namespace, manifest(namespace, "one"))
    wanted = child(Observed(run=run), SECRET, "one-redis", stringData={"worker": "redis://x"})
    key, clock = Key(namespace, "one"), Clock()
    secrets = ByName(admin, clock)
    await secrets.apply(key, wanted)
    first = await admin.get(SECRET, namespace, "one-redis")
    await ByName(admin, clock).apply(key, wanted)
    again = await admin.get(SECRET, namespace, "one-redis")
    assert again["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"], "a new process wrote nothing"
    await admin.delete(SECRET, namespace, "one-redis", uid=first["metadata"]["uid"])

    async def gone() -> bool:
        try:
            await admin.get(SECRET, namespace, "one-redis")
        except NotFound:
            return True
        return False

    await eventually(gone, "the deletion")
    await secrets.apply(key, wanted)
    assert await gone(), "it is believed to be there"
    clock.now += 2 * BELIEVED_SECONDS
    await secrets.apply(key, wanted)
    assert not await gone()
