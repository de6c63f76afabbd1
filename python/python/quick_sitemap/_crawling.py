"""The common parts of crawl() and crawl_async(): the state of the crawl, and the bytes of a body."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from . import _native
from ._crawled import CrawlSummary, IncompleteCrawlWarning, LeftOut, Sitemap
from ._exchange import Request, Response

if TYPE_CHECKING:
    from . import Page, _CrawlIssue

# Bytes that are decoded at a time. The interpreter handles signals in between.
CHUNK = 32 << 10
# Entries that are read at a time.
BATCH = 500

# The time, as a test may set it.
now = time.time


class Crawling:
    """The crawl, which one thread uses at a time."""

    def __init__(self, site: str, options: dict[str, Any], resume: str | None) -> None:
        for name, least, most in _RANGES:
            _check(name, options[name], least, most)
        if options["max_pages"] is not None:
            _check("max_pages", options["max_pages"], 0, 2**63)
        for name in ("max_retry_after", "delay"):
            if not 0 <= options[name] <= 1e9:
                raise ValueError(f"{name} must be a number of seconds from 0 on, not {options[name]!r}")
        if options["sitemaps"] is not None and not callable(options["sitemaps"]):
            raise TypeError("sitemaps must be a function of a Page that returns whether to read this sitemap")
        if isinstance(options["hosts"], str):
            raise TypeError("hosts must be a list of hosts, not one text")
        options["hosts"] = list(options["hosts"])
        self._crawl = _native.Crawl(site, options, resume)
        self._lock = threading.RLock()
        self._site = site

    def next_request(self) -> tuple[_native.Ticket, Request] | None:
        with self._lock:
            found = self._crawl.next_request(now())
        return None if found is None else (found[0], Request(*found[1]))

    def wait(self) -> float | None:
        """How many seconds to wait for the next request. None if only a response can lead to one."""
        with self._lock:
            return self._crawl.wait(now())

    def is_done(self) -> bool:
        with self._lock:
            return self._crawl.is_done()

    def begin(self, ticket: _native.Ticket, response: Response) -> _native.Receiver:
        with self._lock:
            return self._crawl.begin(
                now(),
                ticket,
                response.status,
                response.final_url,
                response.header("content-type"),
                response.header("location"),
                response.header("retry-after"),
            )

    def end(self, receiver: _native.Receiver) -> None:
        with self._lock:
            self._crawl.end(now(), receiver)

    def fail(self, ticket: _native.Ticket, text: str) -> None:
        with self._lock:
            self._crawl.fail(now(), ticket, text)

    def failing(self, ticket: _native.Ticket, error: Exception) -> Callable[[], None]:
        """A function that reports the exception of a client."""
        return partial(self.fail, ticket, text_of(error))

    def ending(self, receiver: _native.Receiver) -> Callable[[], None]:
        """A function that ends the receiver, to be called when all of its pages have been returned. Until then, the sitemap
        has not been read, so save() loses no pages."""
        return partial(self.end, receiver)

    def summary(self) -> CrawlSummary:
        with self._lock:
            values = self._crawl.summary()
        left_out = (LeftOut(reason, count, tuple(examples)) for reason, count, examples in values.pop("left_out"))
        return CrawlSummary(left_out=tuple(left_out), **values)

    def sitemaps(self) -> list[Sitemap]:
        with self._lock:
            return [Sitemap(*values) for values in self._crawl.sitemaps()]

    def issues(self) -> list[_CrawlIssue]:
        with self._lock:
            return self._crawl.issues()

    def save(self) -> str:
        with self._lock:
            return self._crawl.save()

    def warn(self) -> None:
        """Warns at the end of the crawl if something is missing, unless the caller did not want it."""
        summary = self.summary()
        if summary.completeness != "incomplete":
            return
        found = []
        if summary.robots_failure is not None:
            found.append(f"robots.txt could not be read ({summary.robots_failure})")
        if summary.failed:
            first = next(sitemap for sitemap in self.sitemaps() if sitemap.state == "failed")
            found.append(f"{summary.failed} of {summary.sitemaps} sitemaps failed (the first is {first.url}: {first.failure})")
        elif not summary.done and not summary.has_more_pages:
            found.append("no sitemap was found")
        for left_out in summary.left_out:
            if left_out.reason != "rejected":
                found.append(f"{left_out.count} sitemaps were left out ({left_out.reason}, such as {left_out.examples[0]})")
        if summary.skipped:
            found.append(f"{summary.skipped} entries were skipped")
        if found:
            # Of the loop that takes the pages.
            warnings.warn(f"not all pages were found: {'; '.join(found)}", IncompleteCrawlWarning, stacklevel=4)


_RANGES = [("max_sitemaps", 1, 2**32 - 2), ("max_depth", 1, 65_535), ("max_bytes", 0, 2**63), ("retries", 0, 100)]


def _check(name: str, value: Any, least: int, most: int) -> None:
    if not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least:,} to {most:,}, not {value:,}")


def text_of(error: BaseException) -> str:
    """An exception in one line: its class and its message."""
    message = str(error)
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def checked(response: Any, function: str) -> Response:
    if isinstance(response, Response):
        return response
    if hasattr(response, "close"):
        # A coroutine that nobody awaits, or a response of the client.
        response.close()
    raise TypeError(f"fetch must return a quick_sitemap.Response{function}, not {type(response).__name__}")


class Feed:
    """Passes the chunks of a body to a receiver, and notices if the body is too short."""

    def __init__(self, response: Response, receiver: _native.Receiver) -> None:
        self._receiver = receiver
        self._received = 0
        self._status = response.status
        length = response.header("content-length") or ""
        # The length of an encoded body is another one than that of the bytes that the client returns.
        is_encoded = response.header("content-encoding") not in (None, "", "identity")
        self._expected = int(length) if length.isascii() and length.isdigit() and len(length) < 20 and not is_encoded else 0

    def push(self, chunk: Any) -> Iterator[list[Page]]:
        """Passes bytes, and returns the pages in them."""
        if isinstance(chunk, str) or not isinstance(chunk, (bytes, bytearray, memoryview)):
            chunk = _buffer(chunk)
        view = memoryview(chunk)
        self._received += view.nbytes
        if view.nbytes <= CHUNK:
            yield from self._pages(view.tobytes())
            return
        view = memoryview(view.tobytes()) if not view.contiguous else view.cast("B")
        for start in range(0, view.nbytes, CHUNK):
            if not self._receiver.wants_more:
                return
            yield from self._pages(view[start : start + CHUNK].tobytes())

    def _pages(self, piece: bytes) -> Iterator[list[Page]]:
        self._receiver.push(piece)
        yield from self.take()

    @property
    def is_unchanged(self) -> bool:
        """Whether the sitemap has not changed, and the caller has no body of it, whose end could be marked."""
        return self._status == 304 and self._received == 0

    def end(self) -> Iterator[list[Page]]:
        """Marks the end of the body."""
        if self._received < self._expected:
            self._receiver.fail(f"the connection was closed after {self._received} of {self._expected} bytes")
        else:
            self._receiver.finish()
        yield from self.take()

    def fail(self, error: Exception) -> Iterator[list[Page]]:
        """Marks the end of a body that cannot be read further."""
        self._receiver.fail(text_of(error))
        yield from self.take()

    def take(self) -> Iterator[list[Page]]:
        while (pages := self._receiver.take(BATCH)) is not None:
            if pages:
                yield pages


def _buffer(chunk: Any) -> memoryview:
    try:
        return memoryview(chunk)
    except TypeError:
        raise TypeError(f"the body of a response must be bytes, not {type(chunk).__name__}") from None


def is_bytes(body: Any) -> bool:
    return isinstance(body, (bytes, bytearray, memoryview))


def chunks(body: Any) -> Iterator[Any]:
    """The chunks of a body that is not asynchronous."""
    if is_bytes(body) or isinstance(body, str):
        return iter((body,))
    if hasattr(body, "read"):
        return iter(partial(body.read, CHUNK), b"")
    try:
        return iter(body)
    except TypeError:
        name = type(body).__name__
        raise TypeError(f"the body of a response must be bytes, a file object or an iterable of bytes, not {name}") from None
