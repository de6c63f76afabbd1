"""Requests of a crawl, and responses of a client."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, Union


class _Reads(Protocol):
    def read(self, size: int, /) -> Any: ...


Body = Union[bytes, bytearray, memoryview, _Reads, Iterable[bytes]]
AsyncBody = Union[Body, AsyncIterable[bytes]]
Text = Union[str, bytes]


class _HasItems(Protocol):
    def items(self) -> Iterable[tuple[Any, Any]]: ...


Headers = Union[_HasItems, Iterable[tuple[Text, Text]]]


@dataclass(frozen=True)
class Request:
    """A URL to fetch. crawl() and crawl_async() pass it to `fetch`.

    url: the URL to fetch. It contains no user or password.
    sitemap: the URL under which the sitemap is listed. It differs from `url` if a redirect is followed.
    kind: 'robots' for robots.txt, 'sitemap', or 'guess' for a place where sitemaps usually are, at which there may be none.
    parent: the URL of the index that lists the sitemap, or None.
    depth: 0 for robots.txt, 1 for the first sitemaps, 2 for those that they list, and so on.
    attempt: 1 for the first attempt, 2 for the first retry, and so on.
    headers: headers to send: If-None-Match and If-Modified-Since, if the crawl has `known` the URL, and the `headers` and the
    login of the crawl, if the URL is one of the site itself. `repr` does not show them.

    >>> from quick_sitemap import Request
    >>> Request("https://example.com/robots.txt", kind="robots").url
    'https://example.com/robots.txt'
    """

    url: str
    sitemap: str = ""
    kind: Literal["robots", "sitemap", "guess"] = "sitemap"
    parent: str | None = None
    depth: int = 1
    attempt: int = 1
    headers: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)


class Response:
    """A response, as `fetch` returns it to crawl() or crawl_async(). Return every response, with any status.

    status: the status, such as 200.
    headers: a mapping or pairs of names and values. 'content-type' (for its charset), 'location', 'retry-after',
    'content-length', 'content-encoding', 'etag' and 'last-modified' are used; the case of names does not matter.
    body: bytes, a file object or an iterable of bytes. With crawl_async(), it can also be an async iterable, or have an
    async method `read`. It is read only if it is needed, and only as far as it is needed.
    final_url: the URL of the response, if the client has followed redirects itself.
    close: a function that is called at the end. The default is the method `close` of the body, if it has one; with
    crawl_async(), its method `aclose` if it has that.

    A body that is gzipped, once or twice, is unpacked. Other encodings of transport, such as br, must be removed by the
    client, as `iter_content` of requests and `iter_bytes` of httpx do.

    >>> from quick_sitemap import Response
    >>> Response(200, {"Content-Type": "text/xml"}, b"<urlset/>")
    <quick_sitemap.Response 200>
    """

    __slots__ = ("_headers", "body", "close", "final_url", "status")

    def __init__(
        self,
        status: int,
        headers: Headers = (),
        body: AsyncBody = b"",
        *,
        final_url: object | None = None,
        close: Callable[[], object] | None = None,
    ) -> None:
        if not isinstance(status, int) or not 100 <= status <= 999:
            raise ValueError(f"status must be a number from 100 to 999, not {status!r}")
        self.status = int(status)
        self._headers = dict(_used(headers))
        self.body = body
        self.final_url = None if final_url is None else without_surrogates(str(final_url))
        if close is not None and not callable(close):
            raise TypeError(f"close must be a function, not {type(close).__name__}")
        self.close = close

    def header(self, name: str) -> str | None:
        """Returns the first header with this name, in lower case, if crawls use it.

        >>> from quick_sitemap import Response
        >>> Response(503, {"Retry-After": "30"}).header("retry-after")
        '30'
        """
        return self._headers.get(name)

    def __repr__(self) -> str:
        return f"<quick_sitemap.Response {self.status}>"


_USED = {"content-type", "location", "retry-after", "content-length", "content-encoding", "etag", "last-modified"}


def _used(headers: Headers) -> Iterable[tuple[str, str]]:
    """The first header of each name that is used."""
    found: dict[str, str] = {}
    pairs: Any = getattr(headers, "items", lambda: headers)()
    for name, value in pairs:
        name = _text(name).lower()
        # A client may return None for a header that there is not.
        if name not in _USED or value is None:
            continue
        if isinstance(value, (list, tuple, dict)):
            raise TypeError(f"the header {name} must be a str or bytes, not {type(value).__name__}")
        found.setdefault(name, _text(value))
    return found.items()


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else without_surrogates(str(value))


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for each surrogate. Some clients decode the bytes of a server to surrogates, and Rust has none."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


Fetch = Callable[[Request], Response]
AsyncFetch = Callable[[Request], Awaitable[Response]]

for _class in (Request, Response):
    _class.__module__ = "quick_sitemap"
