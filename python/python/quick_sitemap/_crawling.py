"""The common parts of crawl() and crawl_async(): the state of the crawl, and the bytes of a body."""

from __future__ import annotations

import inspect
import operator
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from . import _native
from ._crawled import CrawlSummary, IncompleteCrawlWarning, LeftOut, Sitemap
from ._exchange import Request, Response, without_surrogates

if TYPE_CHECKING:
    from . import Page, _CrawlIssue

# Bytes that are decoded at a time. The interpreter handles signals in between.
CHUNK = 32 << 10
# Entries that are read at a time.
BATCH = 500

# The time, as a test may set it.
now = time.time


class Crawling:
    """The crawl, which one thread uses at a time. Its arguments are those of crawl() and crawl_async()."""

    def __init__(
        self,
        site: str,
        fetch: Callable[[Request], Any],
        *,
        jobs: int,
        sitemaps: Callable[[Page], object] | None,
        hosts: Iterable[str],
        any_host: bool,
        downgrade: bool,
        max_sitemaps: int,
        max_pages: int | None,
        max_depth: int,
        max_bytes: int,
        retries: int,
        max_retry_after: float,
        delay: float,
        resume: str | None,
    ) -> None:
        if not callable(fetch):
            raise TypeError("fetch must be a function of a Request that returns a Response")
        if sitemaps is not None and not callable(sitemaps):
            raise TypeError("sitemaps must be a function of a Page that returns whether to read this sitemap")
        self.fetch = fetch
        self.jobs = _whole("jobs", jobs, 1, 1000)
        options = {
            "sitemaps": sitemaps,
            "hosts": _hosts(hosts),
            "any_host": _flag("any_host", any_host),
            "downgrade": _flag("downgrade", downgrade),
            "max_sitemaps": _whole("max_sitemaps", max_sitemaps, 1, 2**32 - 2),
            "max_pages": None if max_pages is None else _whole("max_pages", max_pages, 0, 2**63),
            "max_depth": _whole("max_depth", max_depth, 1, 65_535),
            "max_bytes": _whole("max_bytes", max_bytes, 0, 2**63),
            "retries": _whole("retries", retries, 0, 100),
            "max_retry_after": _seconds("max_retry_after", max_retry_after),
            "delay": _seconds("delay", delay),
        }
        self._crawl = _native.Crawl(site, options, resume)
        self._lock = threading.RLock()

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


def _whole(name: str, value: Any, least: int, most: int) -> int:
    """The value as an int. True and False are meant for another argument."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least:,} to {most:,}, not {number:,}")
    return number


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number of seconds, not {type(value).__name__}")
    if not 0 <= value <= 1e9:
        raise ValueError(f"{name} must be a number of seconds from 0 to 1,000,000,000, not {value!r}")
    return float(value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return value


def _hosts(hosts: Any) -> list[str]:
    if isinstance(hosts, (str, bytes)) or not hasattr(hosts, "__iter__"):
        raise TypeError(f"hosts must be a list of hosts, not {type(hosts).__name__}")
    found = list(hosts)
    for host in found:
        if not isinstance(host, str):
            raise TypeError(f"hosts must be a list of str, not of {type(host).__name__}")
    return found


def text_of(error: BaseException) -> str:
    """An exception in one line: its class and its message."""
    try:
        message = without_surrogates(str(error))
    except Exception:
        # As tracebacks have it.
        message = "<exception str() failed>"
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def checked(response: Any, function: str) -> Response:
    if isinstance(response, Response):
        return response
    if hasattr(response, "close"):
        # A coroutine that nobody awaits, or a response of the client.
        response.close()
    hint = "; with an async function, use crawl_async" if inspect.iscoroutine(response) else ""
    raise TypeError(f"fetch must return a quick_sitemap.Response{function}, not {type(response).__name__}{hint}")


def closer(response: Response, *names: str) -> Callable[[], object] | None:
    """The function that closes a response: the argument `close`, or else the first of these methods that the body has."""
    if response.close is not None:
        return response.close
    methods = (getattr(response.body, name, None) for name in names)
    return next((method for method in methods if callable(method)), None)


class Feed:
    """Passes the chunks of a body to a receiver, and notices if the body is too short."""

    def __init__(self, response: Response, receiver: _native.Receiver) -> None:
        self._receiver = receiver
        self._received = 0
        self._status = response.status
        length = response.header("content-length") or ""
        # The length of an encoded body is another one than that of the bytes that the client returns.
        is_encoded = (response.header("content-encoding") or "").strip().lower() not in ("", "identity")
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
