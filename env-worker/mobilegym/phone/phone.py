"""One phone: reset, act, observe, snapshot, restore."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from mobilegym.phone.action import AnyAction
from mobilegym.phone.browser import Browser
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.cdp import Session
from mobilegym.phone.errors import BadState, KernelError, PhoneError
from mobilegym.phone.frames import BeginFrame, CaptureScreenshot, Frames, FrameSource
from mobilegym.phone.gesture import NONE, Told, parts
from mobilegym.phone.image import Picture
from mobilegym.phone.observation import Observation, Snapshot


@dataclass(frozen=True, kw_only=True)
class Viewport:
    """The screen in CSS px."""

    width: int = 360
    height: int = 800


class Phone:
    """A page that holds one phone. Every call raises `Gone` once the page or its browser has died.

    A call also raises KernelError where the phone's own code threw since the last call.
    """

    def __init__(
        self, browser: Browser, session: Session, build: PhoneBuild, picture: Picture, viewport: Viewport
    ) -> None:
        self.browser = browser
        self.session = session
        self.viewport = viewport
        self.picture = picture
        self.step_number = 0
        self._build = build
        self._fault = ""
        self._frames = _frame_source(browser, session, picture)
        scale = browser.options.device_scale
        self._screen = round(viewport.width * scale), round(viewport.height * scale)
        session.on("Runtime.exceptionThrown", self._threw)

    @classmethod
    async def open(
        cls,
        browser: Browser,
        url: str,
        build: PhoneBuild,
        picture: Picture | None = None,
        viewport: Viewport | None = None,
    ) -> Phone:
        """Opens a page of the build served at `url`. It shows nothing of use before the first reset."""
        size = viewport or Viewport()
        session = await browser.open(url, size.width, size.height)
        phone = cls(browser, session, build, picture or Picture(), size)
        loaded = await phone._run("phone.build")
        if loaded != build.hash:
            raise KernelError(f"the page runs phone build {loaded}, expected {build.hash}: run `make phone` again")
        return phone

    @property
    def error(self) -> PhoneError | None:
        """Why the phone can no longer be used; None while it lives."""
        return self.session.error

    async def reset(self, state: dict[str, Any], *, tree: bool = False, image: bool = True) -> Observation:
        """Puts the phone into `state`, at step 0. Raises BadState and changes nothing where it does not fit."""
        self._build.schema.check(state)
        await self._restore(orjson.dumps(state).decode())
        return await self.observe(tree=tree, image=image)

    async def restore(self, snapshot: Snapshot, *, tree: bool = False, image: bool = True) -> Observation:
        """Puts the phone into an earlier state, of this phone or another one; otherwise like `reset`."""
        await self._restore(snapshot.json)
        return await self.observe(tree=tree, image=image)

    async def act(self, action: AnyAction) -> None:
        """Makes the whole gesture, until the phone has settled. Finish does nothing, Answer lets a step pass."""
        for part in parts(action, self.viewport.width, self.viewport.height):
            if isinstance(part, Told):
                await self._tell(part)
            else:
                await self.session.all(part.commands)
        self._check()

    async def idle(self) -> None:
        """Lets a step pass without a gesture: what an unreadable action does."""
        await self._tell(NONE)
        self._check()

    async def step(self, action: AnyAction) -> Observation:
        """`act`, then `observe`."""
        await self.act(action)
        return await self.observe()

    async def observe(self, *, tree: bool = False, state: bool = False, image: bool = True) -> Observation:
        """The phone as it is now."""
        documents = await self._documents(tree=tree, state=state)
        shown = await self._image() if image else b""
        self._check()
        return Observation(
            image=shown,
            format=self.picture.format,
            size=self.picture.size(*self._screen),
            step=self.step_number,
            tree=documents["tree"],
            state=documents["state"],
        )

    async def tree(self) -> dict[str, Any]:
        """The accessibility tree: what is visible, with boxes in CSS px."""
        tree: dict[str, Any] = (await self._documents(tree=True, state=False))["tree"]
        return tree

    async def snapshot(self) -> Snapshot:
        return Snapshot(await self._run("phone.snapshot()"))

    async def events(self, since: int = 0) -> list[dict[str, Any]]:
        """The events from sequence number `since` on, as `PhoneEvent` of apps/kernel/types.ts."""
        events: list[dict[str, Any]] = orjson.loads(await self._run(f"phone.events({since})"))
        return events

    async def collect_garbage(self) -> None:
        await self.session.send("HeapProfiler.collectGarbage")

    async def close(self) -> None:
        await self.browser.close_page(self.session)

    async def _restore(self, state: str) -> None:
        self._fault = ""
        literal = orjson.dumps(state).decode()
        answer = await self._run(
            f"(async () => {{ try {{ phone.restore({literal}) }} catch (e) {{ return String(e?.message ?? e) }}"
            " await phone.settled(); return '' })()"
        )
        if answer:
            path, _, reason = answer.partition(": ")
            raise BadState(*((path, reason) if path.startswith("/") else ("", answer)))
        self.step_number = 0

    async def _tell(self, told: Told) -> None:
        literal = orjson.dumps(orjson.dumps(told.gesture).decode()).decode()
        if told.gesture["kind"] == "hold":
            await self._run(f"phone.input({literal})")
            return
        answer = await self._run(
            f"(async () => {{ const r = phone.input({literal}); await phone.settled(); return r }})()"
        )
        self.step_number = orjson.loads(answer)["step"]

    async def _documents(self, *, tree: bool, state: bool) -> dict[str, Any]:
        if not tree and not state:
            return {"tree": None, "state": None}
        wanted = "phone.tree()" if tree else "'null'", "phone.snapshot()" if state else "'null'"
        text = await self._run(f"""'{{"tree":' + {wanted[0]} + ',"state":' + {wanted[1]} + '}}'""")
        documents: dict[str, Any] = orjson.loads(text)
        return documents

    async def _image(self) -> bytes:
        return self.picture.render(await self._frames.frame(), *self._screen)

    async def _run(self, expression: str) -> str:
        """Evaluates in the page. Raises KernelError for what it throws."""
        parameters = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = await self.session.send("Runtime.evaluate", parameters)
        if "exceptionDetails" in answer:
            raise KernelError(_thrown(answer["exceptionDetails"]))
        value: str = answer["result"].get("value", "")
        return value

    def _threw(self, params: dict[str, Any]) -> None:
        self._fault = self._fault or _thrown(params["exceptionDetails"])

    def _check(self) -> None:
        if self._fault:
            fault, self._fault = self._fault, ""
            raise KernelError(f"step {self.step_number}: {fault}")


def _frame_source(browser: Browser, session: Session, picture: Picture) -> FrameSource:
    if browser.frames is Frames.BEGIN_FRAME:
        return BeginFrame(session, browser.gate, picture.encoding)
    return CaptureScreenshot(session, picture.encoding)


def _thrown(details: dict[str, Any]) -> str:
    text: str = details.get("exception", {}).get("description") or details.get("text", "")
    return text[:2000]
