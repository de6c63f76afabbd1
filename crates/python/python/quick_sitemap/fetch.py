"""Functions for the argument `fetch` of crawls, each for one HTTP client, which is imported when the function is called.

    urllib()            the default of crawl() and crawl_table(); it needs no package
    requests(session)
    httpx(client)       for crawl() or, with an AsyncClient, for crawl_async()
    aiohttp(session)    for crawl_async()
    in_threads(fetch)   makes a function for crawl() one for crawl_async()

They leave redirects, retries and waiting to the crawl. Certificates are checked as the client does it by default.

>>> from quick_sitemap import crawl, fetch
>>> pages = crawl("example.com", fetch.urllib(timeout=10, headers={"User-Agent": "my-crawler"}))
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, overload

from _quick_sitemap._native import __version__
from _quick_sitemap.crawling import chunks, closer
from _quick_sitemap.exchange import AsyncFetch, Fetch, Request, Response

if TYPE_CHECKING:
    from ssl import SSLContext

__all__ = ["aiohttp", "httpx", "in_threads", "requests", "urllib"]

# Bytes that are read at a time.
CHUNK = 64 << 10


def urllib(
    *, timeout: float = 60, headers: Mapping[str, str] | None = None, context: SSLContext | None = None
) -> Fetch:
    """Returns a function that fetches with urllib.

    timeout: seconds to wait for a connection, and then for the entire response, from its status to its last byte. The time
    in which the caller uses pages of the response does not count.
    headers: headers of every request to every host, such as User-Agent. A login is not one of them: pass it as `headers` of the
    crawl, which sends it to the origin of the site only.
    context: how certificates are checked; the default is ssl.create_default_context().

    >>> from quick_sitemap import fetch
    >>> get = fetch.urllib(timeout=10)
    """
    from urllib.request import Request as UrllibRequest

    from _quick_sitemap.waiting import opener as opener_of

    for name in headers or {}:
        if name.lower() in ("authorization", "cookie"):
            raise ValueError(f"{name} would be sent to every host; pass it as `headers` of the crawl")
    opener = opener_of(context)
    own = {"User-Agent": f"quick-sitemap/{__version__}", "Accept-Encoding": "gzip", **(headers or {})}
    opener.addheaders = list(own.items())

    def fetch(request: Request) -> Response:
        answer = opener.open(UrllibRequest(request.url, headers=dict(request.headers)), timeout=timeout)
        # The body stays gzipped, which the crawl unpacks, so that its length is that of Content-Length. Another coding stays
        # named, because a robots.txt in it is not understood.
        gzip = ("content-encoding", "gzip")
        kept = [(name, value) for name, value in answer.headers.items() if (name.lower(), value.strip().lower()) != gzip]
        return Response(answer.status, kept, answer)

    return fetch


def requests(session: Any = None, *, timeout: float = 60) -> Fetch:
    """Returns a function that fetches with a requests.Session, a new one by default. The crawl does not close it."""
    client = import_module("requests").Session() if session is None else session

    def fetch(request: Request) -> Response:
        answer = client.get(request.url, headers=request.headers, stream=True, timeout=timeout, allow_redirects=False)
        return Response(answer.status_code, answer.headers, answer.iter_content(CHUNK), close=answer.close)

    return fetch


class _Client(Protocol):
    def close(self) -> None: ...


class _AsyncClient(Protocol):
    def aclose(self) -> Awaitable[None]: ...


@overload
def httpx(client: _AsyncClient, *, timeout: float = 60) -> AsyncFetch: ...
@overload
def httpx(client: _Client | None = None, *, timeout: float = 60) -> Fetch: ...
def httpx(client: Any = None, *, timeout: float = 60) -> Any:
    """Returns a function that fetches with an httpx.Client, a new one by default. With an httpx.AsyncClient, it is an async
    function, for crawl_async(). The crawl does not close the client.
    """
    if client is None:
        client = import_module("httpx").Client()

    def answered(request: Request) -> Any:
        built = client.build_request("GET", request.url, headers=request.headers, timeout=timeout)
        return client.send(built, stream=True, follow_redirects=False)

    async def fetch_async(request: Request) -> Response:
        answer = await answered(request)
        return Response(answer.status_code, answer.headers, answer.aiter_bytes(), close=answer.aclose)

    def fetch(request: Request) -> Response:
        answer = answered(request)
        return Response(answer.status_code, answer.headers, answer.iter_bytes(), close=answer.close)

    return fetch_async if hasattr(client, "aclose") else fetch


def aiohttp(session: Any, *, timeout: float = 60) -> AsyncFetch:
    """Returns an async function that fetches with an aiohttp.ClientSession, for crawl_async(). The crawl does not close it."""
    limit = import_module("aiohttp").ClientTimeout(sock_connect=timeout, sock_read=timeout)

    async def fetch(request: Request) -> Response:
        answer = await session.get(request.url, headers=request.headers, allow_redirects=False, timeout=limit)
        return Response(answer.status, answer.headers, answer.content, close=answer.close)

    return fetch


def in_threads(fetch: Fetch) -> AsyncFetch:
    """Returns an async function that calls `fetch`, and reads what it returns, in threads.

    >>> from quick_sitemap import crawl_async, fetch
    >>> pages = crawl_async("example.com", fetch.in_threads(fetch.urllib()))
    """

    async def fetch_async(request: Request) -> Response:
        response = await asyncio.to_thread(fetch, request)
        close = closer(response, "close")
        parts = chunks(response.body)

        async def body() -> AsyncIterator[bytes]:
            while (chunk := await asyncio.to_thread(next, parts, None)) is not None:
                yield chunk

        response.body = body()
        if close is not None:
            response.close = _awaitable(close)
        return response

    return fetch_async


def _awaitable(close: Callable[[], object]) -> Callable[[], Awaitable[object]]:
    async def close_async() -> object:
        return await asyncio.to_thread(close)

    return close_async
