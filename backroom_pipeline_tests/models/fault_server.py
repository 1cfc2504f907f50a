"""A language model's HTTP endpoint on loopback, OpenAI-shaped, that answers as told: well, badly, or not at all.

What it says to a request is a reply: a function that is given the open connection. The replies that need nothing but
HTTP are here; faults.py names those that a season has to survive.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Connection"], None]
Request = dict[str, Any]
"""``body`` as JSON and as ``bytes``, ``headers`` and ``path``, as they arrived."""

USAGE = {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200}


class FaultServer:
    """Each request takes the next reply of the script, or is given to ``otherwise``. Requests are kept."""

    def __init__(self, otherwise: Callable[[Request], Reply] | None = None) -> None:
        self.script: deque[Reply] = deque()
        self.otherwise = otherwise or (lambda _: status(599, "The script of this test has ended."))
        self.requests: list[Request] = []
        self.keeps_requests = True
        self.answered = 0
        self.report: Callable[[str], dict[str, Any]] = lambda path: {}
        """What else it has to tell whoever asks how it was used (GET, any path)."""
        self.released = threading.Event()
        """Set when the server closes, so that a reply that hangs does not outlive its test."""
        self.leaks = ""
        """Put into every message and page it sends, and into a header: a vendor that echoes a key."""
        self._http = _LoopbackServer(("127.0.0.1", 0), Connection)
        self._http.owner = self
        self._lock = threading.Lock()

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def will(self, *replies: Reply) -> None:
        self.script.extend(replies)

    def take(self, request: Request) -> Reply:
        with self._lock:
            self.answered += 1
            if self.keeps_requests:
                self.requests.append(request)
            reply = self.script.popleft() if self.script else None
        if reply is not None:
            return reply
        try:
            return self.otherwise(request)
        except Exception as error:
            # A mistake of the test's and the same every time: 400, so that nobody tries again.
            return status(400, f"The server of this test failed: {type(error).__name__}: {error}")

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


class _LoopbackServer(ThreadingHTTPServer):
    owner: FaultServer
    daemon_threads = True
    block_on_close = False
    """A caller that keeps its connection open must not keep the server from closing."""
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Quiet: a caller that lost patience has hung up, which is what the test is about."""


class Connection(BaseHTTPRequestHandler):
    """One open connection; a reply writes to it."""

    protocol_version = "HTTP/1.1"
    # Headers and body leave in two writes; waiting to join them costs 40 ms an answer.
    disable_nagle_algorithm = True

    @property
    def owner(self) -> FaultServer:
        server = self.server
        assert isinstance(server, _LoopbackServer)
        return server.owner

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        request = {"body": json.loads(body), "bytes": body, "headers": dict(self.headers), "path": self.path}
        self.owner.take(request)(self)

    def do_GET(self) -> None:
        self.send(200, json.dumps({"requests": self.owner.answered} | self.owner.report(self.path)).encode())

    def send(
        self, code: int, body: bytes, headers: Iterable[tuple[str, str]] = (), content_type: str = "application/json"
    ) -> None:
        for place in ('"message": "', '"error": "', "<body>"):
            body = body.replace(place.encode(), (place + json.dumps(self.owner.leaks)[1:-1]).encode())
        self.start(code, content_type, ("content-length", str(len(body))), *headers)
        self.wfile.write(body)

    def start(self, code: int, content_type: str, *headers: tuple[str, str]) -> None:
        """Status and headers, with the body to follow."""
        self.send_response(code)
        self.send_header("content-type", content_type)
        for name, value in (*headers, ("x-sent-authorization", self.owner.leaks)):
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: what arrived is in FaultServer.requests."""


def message(
    content: Any,
    *,
    finish_reason: Any = "stop",
    usage: Any = USAGE,
    **fields: Any,
) -> Reply:
    """A well-formed completion. ``fields`` go into the message: tool_calls, refusal."""
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": content} | fields}
    return completion([choice], usage)


def completion(choices: Any, usage: Any = USAGE) -> Reply:
    return raw(200, completion_text(choices, usage))


def completion_text(choices: Any, usage: Any = USAGE) -> str:
    body: dict[str, Any] = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    return json.dumps(body | ({} if usage is None else {"usage": usage}))


def answer_text(content: str) -> str:
    """The body of a good completion."""
    return completion_text(
        [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}]
    )


def raw(code: int, text: str, *headers: tuple[str, str], content_type: str = "application/json") -> Reply:
    return lambda connection: connection.send(code, text.encode(), headers, content_type)


def zipped(text: str) -> Reply:
    return lambda connection: connection.send(200, gzip.compress(text.encode()), [("content-encoding", "gzip")])


def status(code: int, text: str, *headers: tuple[str, str], error_type: str = "server_error") -> Reply:
    """An error in the vendor's own shape."""
    return raw(code, json.dumps({"error": {"message": text, "type": error_type, "code": error_type}}), *headers)


def tool_call(arguments: Any) -> Reply:
    """The answer as a call of a tool that nobody offered."""
    call = {"id": "t1", "type": "function", "function": {"name": "json", "arguments": arguments}}
    return message(None, finish_reason="tool_calls", tool_calls=[call])


def streamed(content: str) -> Reply:
    """Server-sent events, though no stream was asked for."""

    def reply(connection: Connection) -> None:
        connection.close_connection = True
        connection.start(200, "text/event-stream", ("connection", "close"))
        for piece in (content[:40], content[40:]):
            chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
            event = chunk | {"choices": [{"index": 0, "delta": {"content": piece}}]}
            connection.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        connection.wfile.write(b"data: [DONE]\n\n")

    return reply


def echo_authorization(code: int = 401) -> Reply:
    """A careless vendor that puts the key it was given into the error it returns."""

    def reply(connection: Connection) -> None:
        given = connection.headers.get("authorization", "")
        connection.send(code, json.dumps({"error": {"message": f"Incorrect API key provided: {given}"}}).encode())

    return reply


def hang(connection: Connection) -> None:
    """Never answers; the caller has to lose patience."""
    connection.owner.released.wait()
    connection.close_connection = True


def trickle(text: str, seconds_between: float = 0.1) -> Reply:
    """Sends one byte at a time, never silent for long and never done in time."""

    def reply(connection: Connection) -> None:
        connection.close_connection = True
        connection.start(200, "application/json", ("content-length", str(len(text.encode()))))
        for byte in text.encode():
            connection.wfile.write(bytes([byte]))
            if connection.owner.released.wait(seconds_between):
                return

    return reply


def close_before_answer(connection: Connection) -> None:
    """Hangs up without a word."""
    connection.close_connection = True


def drop_connection(connection: Connection) -> None:
    """Hangs up in the middle of the answer."""
    connection.close_connection = True
    connection.start(200, "application/json", ("content-length", "1000"))
    connection.wfile.write(b'{"id": "c1", "cho')


def reset_connection(connection: Connection) -> None:
    """Breaks the connection in the middle of the answer, as a gateway does that is restarted."""
    drop_connection(connection)
    connection.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
