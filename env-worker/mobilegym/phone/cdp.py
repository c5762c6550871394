"""A thin DevTools connection for the hot path: one websocket, flattened sessions, a future per command.

A browser never answers the commands that were in flight when a page crashed, so this connection ends them itself:
with PageGone for a page, with BrowserGone for everything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal

import aiohttp
import orjson

from mobilegym.phone.errors import BrowserGone, KernelError, PageCrashed, PageGone, PhoneError, PhoneTimeout

Json = dict[str, Any]
Listener = Callable[[Json], None]
Socket = aiohttp.ClientWebSocketResponse[Literal[False]]  # text frames stay bytes: orjson reads them so


class Session:
    """Commands and events of one target; the root session (id None) is the browser's."""

    def __init__(self, connection: Connection, session_id: str | None, target: str, timeout: float) -> None:
        self._connection = connection
        self.id = session_id
        self.target = target
        self.timeout = timeout
        self.error: PhoneError | None = None
        self._pending: dict[int, asyncio.Future[Json]] = {}
        self._listeners: dict[str, Listener] = {}
        self._on_gone: list[Callable[[], None]] = []

    async def post(self, method: str, params: Json | None = None) -> asyncio.Future[Json]:
        """Sends without waiting for the answer, so that several commands travel in one round trip."""
        if self.error is not None:
            raise self.error
        number, future = self._connection.next_id(), asyncio.get_running_loop().create_future()
        self._pending[number] = future
        message: Json = {"id": number, "method": method, "params": params or {}}
        if self.id is not None:
            message["sessionId"] = self.id
        await self._connection.write(message)
        return future

    async def send(self, method: str, params: Json | None = None, timeout: float | None = None) -> Json:
        """Sends and awaits the answer. Raises PageGone, BrowserGone, PhoneTimeout, or KernelError for a refusal."""
        return await self.result(await self.post(method, params), method, timeout)

    async def result(self, future: asyncio.Future[Json], what: str, timeout: float | None = None) -> Json:
        limit = timeout or self.timeout
        try:
            async with asyncio.timeout(limit):
                return await future
        except TimeoutError:
            error = PhoneTimeout(what, limit)
            self.end(error)
            raise error from None

    async def all(self, commands: list[tuple[str, Json]]) -> list[Json]:
        """Several commands, in order, in one round trip."""
        futures = [await self.post(method, params) for method, params in commands]
        return [await self.result(future, method) for future, (method, _) in zip(futures, commands, strict=True)]

    def on(self, event: str, listener: Listener) -> None:
        self._listeners[event] = listener

    async def event(self, name: str, cause: tuple[str, Json]) -> Json:
        """Sends the command `cause` and awaits the event that follows from it."""
        arrived: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._pending[-id(arrived)] = arrived
        self.on(name, lambda params: None if arrived.done() else arrived.set_result(params))
        try:
            await self.send(*cause)
            return await self.result(arrived, name)
        finally:
            self._pending.pop(-id(arrived), None)
            self._listeners.pop(name, None)

    def on_gone(self, callback: Callable[[], None]) -> None:
        """Calls back once, at once, when this session can no longer be used."""
        self._on_gone.append(callback)

    def end(self, error: PhoneError) -> None:
        """Fails what is in flight and all that comes later."""
        if self.error is not None:
            return
        self.error = error
        pending, self._pending = self._pending, {}
        for future in pending.values():
            if not future.done():
                future.set_exception(error)
                future.exception()  # somebody may have stopped waiting for it
        callbacks, self._on_gone = self._on_gone, []
        for callback in callbacks:
            callback()

    def answer(self, message: Json) -> None:
        future = self._pending.pop(message["id"], None)
        if future is None or future.done():
            return
        if "error" in message:
            future.set_exception(KernelError(f"the browser refused: {message['error'].get('message')}"))
            future.exception()
        else:
            future.set_result(message["result"])

    def notice(self, event: str, params: Json) -> None:
        if event == "Inspector.targetCrashed":
            self.end(PageCrashed("the page's renderer crashed"))
            return
        listener = self._listeners.get(event)
        if listener is not None:
            listener(params)


class Connection:
    """The websocket, its reader task and its sessions."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._last_id = 0
        self._http: aiohttp.ClientSession | None = None
        self._socket: Socket | None = None
        self._reader: asyncio.Task[None] | None = None
        self._sessions: dict[str, Session] = {}
        self.root = Session(self, None, "", timeout)
        self.root.on("Target.detachedFromTarget", self._detached)

    async def connect(self, url: str) -> None:
        self._http = aiohttp.ClientSession()
        self._socket = await self._http.ws_connect(url, max_msg_size=0, compress=0, decode_text=False)
        self._reader = asyncio.create_task(self._read(self._socket), name="cdp-reader")

    async def close(self) -> None:
        self.fail(BrowserGone("the browser was closed"))
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()
        if self._http is not None:
            await self._http.close()

    async def attach(self, target: str) -> Session:
        attached = await self.root.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        session = Session(self, attached["sessionId"], target, self._timeout)
        self._sessions[attached["sessionId"]] = session
        return session

    def next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    async def write(self, message: Json) -> None:
        assert self._socket is not None
        try:
            await self._socket.send_frame(orjson.dumps(message), aiohttp.WSMsgType.TEXT)
        except (ConnectionError, aiohttp.ClientError) as error:
            self.fail(BrowserGone(f"the browser's connection broke: {error}"))
            raise self.root.error or error from None

    def fail(self, error: PhoneError) -> None:
        """Ends every session: the browser is gone."""
        self.fail_pages(error)
        self.root.end(error)

    def fail_pages(self, error: PhoneError) -> None:
        """Ends the session of every page."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            session.end(error)

    async def _read(self, socket: Socket) -> None:
        async for frame in socket:
            if frame.type is not aiohttp.WSMsgType.TEXT:
                break
            message = orjson.loads(frame.data)
            session = self._sessions.get(message["sessionId"]) if "sessionId" in message else self.root
            if session is None:
                continue
            if "id" in message:
                session.answer(message)
            else:
                session.notice(message["method"], message["params"])
        self.fail(BrowserGone("the browser's connection closed"))

    def _detached(self, params: Json) -> None:
        session = self._sessions.pop(params["sessionId"], None)
        if session is not None:
            session.end(PageGone("the page was closed or replaced"))
