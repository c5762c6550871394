"""One browser process: launched and watched by Playwright, driven over an own DevTools connection."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Playwright

from mobilegym.phone import chromium
from mobilegym.phone.cdp import Connection, Session
from mobilegym.phone.errors import BrowserGone, PageCrashed, PhoneError, PhoneTimeout, SetupError
from mobilegym.phone.frames import FrameGate, Frames
from mobilegym.phone.memory import pss_megabytes, tree


@dataclass(frozen=True, kw_only=True)
class BrowserOptions:
    """How browsers of a fleet are launched.

    `device_scale` is the device pixel ratio of every page. `timeout` is in seconds, of one command: what takes longer
    counts as lost. `binary`: None searches for one.
    """

    binary: Path | None = None
    isolation: chromium.Isolation = chromium.Isolation.SHARED
    frames: Frames | None = None  # None: begin-frame where the binary can
    device_scale: float = 1.0
    timeout: float = 30.0


class Browser:
    """Opens pages; ends all of them at once when the process dies."""

    def __init__(
        self, handle: PlaywrightBrowser, connection: Connection, pid: int, frames: Frames, options: BrowserOptions
    ) -> None:
        self._handle = handle
        self._connection = connection
        self._context: str | None = None  # the one that shared pages live in
        self._pages: dict[str, str] = {}  # target -> context
        self.pid = pid
        self.frames = frames
        self.options = options
        self._opening = asyncio.Lock()
        self.gate = FrameGate(connection)
        handle.on("disconnected", lambda _: connection.fail(BrowserGone(f"browser process {pid} ended")))

    @classmethod
    async def launch(cls, playwright: Playwright, options: BrowserOptions) -> Browser:
        """Raises MissingChromium, or SetupError with the browser's own words where it does not start."""
        binary = options.binary or chromium.find_chromium()
        frames = options.frames or (Frames.BEGIN_FRAME if chromium.can_begin_frame(binary) else Frames.SCREENSHOT)
        arguments = chromium.flags(options.isolation, frames is Frames.BEGIN_FRAME, options.device_scale)
        try:
            handle = await playwright.chromium.launch(
                executable_path=binary, args=arguments, chromium_sandbox=chromium.sandbox(), headless=True
            )
        except PlaywrightError as error:
            raise SetupError(_not_started(binary, error.message)) from None
        try:
            pid, url = await _endpoint(handle)
            connection = Connection(options.timeout)
            await connection.connect(url)
        except BaseException:
            await handle.close()
            raise
        return cls(handle, connection, pid, frames, options)

    @property
    def error(self) -> PhoneError | None:
        """Why the browser can no longer be used; None while it lives."""
        return self._connection.root.error

    def on_gone(self, callback: Callable[[], None]) -> None:
        self._connection.root.on_gone(callback)

    async def open(self, url: str, width: int, height: int) -> Session:
        """A loaded page of width x height CSS px."""
        root, begin = self._connection.root, self.frames is Frames.BEGIN_FRAME
        context = await self._context_for_page()
        target = await root.send(
            "Target.createTarget",
            {
                "url": "about:blank",
                "browserContextId": context,
                "width": width,
                "height": height,
                "enableBeginFrameControl": begin,
            },
        )
        self._pages[target["targetId"]] = context
        session = await self._connection.attach(target["targetId"])
        session.on_gone(lambda: self._page_ended(session))
        metrics = {"width": width, "height": height, "deviceScaleFactor": 0, "mobile": False}  # 0: the browser's own
        await session.all(
            [
                ("Inspector.enable", {}),
                ("Runtime.enable", {}),
                ("Page.enable", {}),
                ("Emulation.setDeviceMetricsOverride", metrics),
                ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
            ]
        )
        await session.event("Page.loadEventFired", cause=("Page.navigate", {"url": url}))
        await session.send("Page.disable")
        return session

    async def close_page(self, session: Session) -> None:
        """Closes a page, also a crashed one, with its context where it has one of its own."""
        root = self._connection.root
        if self.error is None and session.target in self._pages:
            context = self._pages.pop(session.target)
            await root.send("Target.closeTarget", {"targetId": session.target})
            if context != self._context:
                await root.send("Target.disposeBrowserContext", {"browserContextId": context})

    async def close(self) -> None:
        """Ends the process and waits for it."""
        await self._connection.close()
        try:
            async with asyncio.timeout(self.options.timeout):
                await self._handle.close()
        except (TimeoutError, PlaywrightError):
            for process in tree(self.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def pss(self) -> float:
        """Memory of the browser with all its processes, MB of proportional set size."""
        return pss_megabytes(self.pid)

    def _page_ended(self, session: Session) -> None:
        """What happens to a shared renderer happens to all its pages: they end now, not when each one notices."""
        if self.options.isolation is not chromium.Isolation.SHARED:
            return
        if isinstance(session.error, PageCrashed):
            self._connection.fail_pages(session.error)
        elif isinstance(session.error, PhoneTimeout):
            self._connection.fail(BrowserGone(f"the shared renderer hangs ({session.error})"))

    async def _context_for_page(self) -> str:
        shared = self.options.isolation is chromium.Isolation.SHARED
        async with self._opening:
            if shared and self._context is not None:
                return self._context
            created = await self._connection.root.send("Target.createBrowserContext", {"disposeOnDetach": True})
            context: str = created["browserContextId"]
            if shared:
                self._context = context
            return context


def _not_started(binary: Path, words: str) -> str:
    """`words` are Playwright's: the command line, what the browser wrote, then all of it once more."""
    written = [line for line in words.partition("Call log:")[0].splitlines() if "[err]" in line or "did exit" in line]
    said = "\n".join(written) or words
    hint = ""
    if chromium.sandbox() and ("sandbox" in said.lower() or "zygote" in said.lower()):
        hint = (
            " Its sandbox needs user namespaces: allow them in the container's seccomp profile, or set "
            f"{chromium.SANDBOX_VARIABLE}=off."
        )
    return f"{binary} did not start.{hint} It said: {said[:2000]}"


async def _endpoint(handle: PlaywrightBrowser) -> tuple[int, str]:
    """The browser's process id and the address of its DevTools socket, from the profile that Playwright made for it."""
    session = await handle.new_browser_cdp_session()
    info = await session.send("SystemInfo.getProcessInfo")
    pid: int = next(process["id"] for process in info["processInfo"] if process["type"] == "browser")
    arguments = (await asyncio.to_thread(Path(f"/proc/{pid}/cmdline").read_text)).split("\0")
    profile = next(argument.split("=", 1)[1] for argument in arguments if argument.startswith("--user-data-dir="))
    port, path = (await asyncio.to_thread((Path(profile) / "DevToolsActivePort").read_text)).split()
    return pid, f"ws://127.0.0.1:{port}{path}"
