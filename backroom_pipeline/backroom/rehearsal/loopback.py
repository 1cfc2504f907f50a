"""A server on the loopback address that answers as the official API does, with what it is given to say."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Self

Says = Callable[[str], "Answer"]
"""From an endpoint such as ``event/3/live/`` to what the server answers."""


@dataclass(frozen=True)
class Answer:
    """A response; a payload that is None was not found."""

    payload: bytes | None
    status: HTTPStatus = HTTPStatus.OK
    headers: dict[str, str] = field(default_factory=dict)


class LoopbackApi:
    """Serves ``says`` on a free port while it is entered; counts what it answered by status."""

    def __init__(self, says: Says) -> None:
        self.says = says
        self.answered: Counter[int] = Counter()
        self.asked: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/api/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Headers and body leave in two writes; waiting to join them costs 40 ms an answer.
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                endpoint = self.path.removeprefix("/api/")
                api.asked.append(endpoint)
                answer = api.says(endpoint)
                payload, status = answer.payload, answer.status
                if payload is None:
                    payload, status = b'{"detail": "Not found."}', HTTPStatus.NOT_FOUND
                etag = f'"{hashlib.sha256(payload).hexdigest()[:32]}"'
                if status is HTTPStatus.OK and self.headers.get("If-None-Match") == etag:
                    payload, status = b"", HTTPStatus.NOT_MODIFIED
                api.answered[status] += 1
                self.send_response(status)
                self.send_header("ETag", etag)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if status is not HTTPStatus.NOT_MODIFIED:
                    self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, format: str, *args: object) -> None:
                """Requests are counted, not printed."""

        return Handler
