"""A language model's HTTP endpoint on loopback, OpenAI-shaped, that answers as scripted: well, badly, or not at all."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["_Handler"], None]


class FaultServer:
    """Give it a script of replies; each request takes the next one. Requests are kept as they arrived."""

    def __init__(self) -> None:
        self.script: deque[Reply] = deque()
        self.requests: list[dict[str, Any]] = []
        self.released = threading.Event()
        """Set when the server closes, so that a reply that hangs does not outlive its test."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.owner = self  # type: ignore[attr-defined]
        self._lock = threading.Lock()

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def will(self, *replies: Reply) -> None:
        self.script.extend(replies)

    def take(self, request: dict[str, Any]) -> Reply:
        with self._lock:
            self.requests.append(request)
            return self.script.popleft() if self.script else status(599, "The script of this test has ended.")

    @property
    def user_texts(self) -> list[str]:
        return [request["body"]["messages"][1]["content"] for request in self.requests]

    @contextmanager
    def running(self) -> Iterator[FaultServer]:
        thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.released.set()
            self._http.shutdown()
            self._http.server_close()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        owner: FaultServer = self.server.owner  # type: ignore[attr-defined]
        owner.take({"body": json.loads(body), "headers": dict(self.headers), "path": self.path})(self)

    def send(self, code: int, body: bytes, headers: Iterable[tuple[str, str]] = ()) -> None:
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: what arrived is in FaultServer.requests."""


USAGE = {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200}


def message(
    content: str | None,
    *,
    finish_reason: str = "stop",
    usage: dict[str, Any] | None = USAGE,
    **fields: Any,
) -> Reply:
    """A well-formed completion. ``fields`` go into the message: tool_calls, refusal."""
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": content} | fields}
    return completion([choice], usage)


def completion(choices: list[dict[str, Any]], usage: dict[str, Any] | None = USAGE) -> Reply:
    body: dict[str, Any] = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    return raw(200, json.dumps(body | ({} if usage is None else {"usage": usage})))


def raw(code: int, text: str, *headers: tuple[str, str]) -> Reply:
    return lambda handler: handler.send(code, text.encode(), headers)


def status(code: int, text: str, *headers: tuple[str, str], error_type: str = "server_error") -> Reply:
    """An error in the vendor's own shape."""
    return raw(code, json.dumps({"error": {"message": text, "type": error_type, "code": error_type}}), *headers)


def echo_authorization(code: int = 401) -> Reply:
    """A careless vendor that puts the key it was given into the error it returns."""

    def reply(handler: _Handler) -> None:
        given = handler.headers.get("authorization", "")
        handler.send(code, json.dumps({"error": {"message": f"Incorrect API key provided: {given}"}}).encode())

    return reply


def hang(handler: _Handler) -> None:
    """Never answers; the caller has to lose patience."""
    handler.server.owner.released.wait()  # type: ignore[attr-defined]


def drop_connection(handler: _Handler) -> None:
    """Hangs up in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "c1", "cho')
    handler.close_connection = True
