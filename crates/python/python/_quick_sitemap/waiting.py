"""The opener of fetch.urllib(), which waits for a complete response no longer than its timeout."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from io import BufferedReader, RawIOBase
from socket import socket
from ssl import SSLContext
from time import monotonic
from typing import Any
from urllib import request as client


class _Wait:
    """The time that is left for a response. Time in which nobody reads it does not count, because pages are used while
    their sitemap is being read."""

    def __init__(self, seconds: float) -> None:
        self.seconds = self.left = seconds

    def read(self, source: socket, read: Callable[[], Any]) -> Any:
        if self.left <= 0:
            raise self._over()
        # Each read has what is left, or a byte now and then would be enough for ever.
        source.settimeout(self.left)
        began = monotonic()
        try:
            return read()
        except TimeoutError:
            raise self._over() from None
        finally:
            self.left -= monotonic() - began

    def _over(self) -> TimeoutError:
        return TimeoutError(f"the response was not complete after waiting for {self.seconds:g} seconds")


class _Waiting(RawIOBase):
    """Reads from a socket as long as there is time left."""

    def __init__(self, raw: RawIOBase, source: socket, wait: _Wait) -> None:
        self._raw = raw
        self._source = source
        self._wait = wait

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        return self._wait.read(self._source, partial(self._raw.readinto, buffer))

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    def __init__(self, wait: _Wait, sock: socket, *arguments: Any, **named: Any) -> None:
        super().__init__(sock, *arguments, **named)
        self.fp: Any = BufferedReader(_Waiting(self.fp.detach(), sock, wait))


def _connection(kind: type[HTTPConnection], host: str, *, timeout: float, **named: Any) -> HTTPConnection:
    connection = kind(host, timeout=timeout, **named)
    # Also that of a proxy to the request for a tunnel.
    connection.response_class = partial(_Response, _Wait(timeout))  # type: ignore[assignment]
    return connection


class _Http(client.HTTPHandler):
    def do_open(self, http_class: Any, req: Any, **named: Any) -> Any:
        # The type asks for a default of `timeout`, which `do_open` always passes.
        connection: Any = partial(_connection, http_class)
        return super().do_open(connection, req, **named)


class _Https(client.HTTPSHandler):
    def do_open(self, http_class: Any, req: Any, **named: Any) -> Any:
        # The type asks for a default of `timeout`, which `do_open` always passes.
        connection: Any = partial(_connection, http_class)
        return super().do_open(connection, req, **named)


def opener(context: SSLContext | None) -> client.OpenerDirector:
    """Without an HTTPErrorProcessor, redirects and errors are responses like any other."""
    made = client.OpenerDirector()
    for handler in (client.ProxyHandler(), client.UnknownHandler(), _Http(), _Https(context=context)):
        made.add_handler(handler)
    return made
