"""The crawl of a site with asyncio."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _native
from ._native import Entries, Page
from .crawling import CHUNK, Crawling, CrawlResult, Feed, checked, chunks, closer, is_bytes, made
from .exchange import AsyncFetch, Request
from .options import CrawlOptions, Options, with_options

if TYPE_CHECKING:
    # In typing from Python 3.11 on.
    from typing_extensions import Unpack

# Sleeps until the next request.
sleep = asyncio.sleep


@with_options
def crawl_async(
    site: str,
    fetch: AsyncFetch | None = None,
    *,
    jobs: int = 8,
    **options: Unpack[Options],
) -> AsyncCrawl:
    """Returns the pages of a site like crawl(), with an async function `fetch`, for `async for`. The default is urllib in
    threads; quick_sitemap.fetch has functions for httpx and aiohttp.

    Up to `jobs` sitemaps are fetched at the same time, each in a task of asyncio. The body of a Response can be bytes, an
    async iterable of bytes, or have an async method `read`. If the loop is cancelled or closed, the tasks are cancelled,
    and all responses are closed. All other arguments are those of crawl().

    >>> import asyncio
    >>> from quick_sitemap import Response, crawl_async
    >>> async def fetch(request):
    ...     return Response(200, body=b"https://example.com/1")
    >>> async def main():
    ...     async with crawl_async("https://example.com/a.txt", fetch) as pages:
    ...         return [page.loc async for page in pages]
    >>> asyncio.run(main())
    ['https://example.com/1']
    """
    checked_options = CrawlOptions(jobs, **options)
    if fetch is None:
        from quick_sitemap.fetch import in_threads, urllib

        fetch = in_threads(urllib(headers=checked_options.own_agent()))
    crawling = Crawling(site, fetch, checked_options)
    return made(AsyncCrawl, _crawling=crawling, _pages=_pages(crawling, _with_tasks(crawling)))


class AsyncCrawl(CrawlResult):
    """The pages of a site, from crawl_async(): an async iterator, and an async context manager that closes what is open.

    >>> import asyncio
    >>> from quick_sitemap import Response, crawl_async
    >>> async def fetch(request):
    ...     return Response(200, body=b"https://example.com/1")
    >>> async def main():
    ...     async with crawl_async("https://example.com/a.txt", fetch) as pages:
    ...         async for page in pages:
    ...             return page.sitemap
    >>> asyncio.run(main())
    'https://example.com/a.txt'
    """

    if TYPE_CHECKING:
        _pages: AsyncGenerator[Page, None]

    async def aclose(self) -> None:
        """Ends the crawl: cancels the tasks and closes all responses. No more pages follow."""
        await self._pages.aclose()

    def __aiter__(self) -> AsyncCrawl:
        return self

    async def __anext__(self) -> Page:
        return await self._pages.__anext__()

    async def __aenter__(self) -> AsyncCrawl:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None:
        await self.aclose()


AsyncCrawl.__module__ = crawl_async.__module__ = "quick_sitemap"


async def _receive(
    crawling: Crawling,
    ticket: _native.Ticket,
    request: Request,
    put: Callable[[Entries], Awaitable[None]],
) -> Callable[[], None]:
    """Fetches a URL and passes its pages on. Returns the function that ends it, to be called after the last page."""
    try:
        response: Any = crawling.fetch(request)
        if inspect.isawaitable(response):
            response = await response
    except Exception as error:
        return crawling.failing(ticket, error)
    response = checked(response, " in an async function")
    close = closer(response, "aclose", "close")
    try:
        receiver = crawling.begin(ticket, response)
        if receiver.wants_more:
            await _read(Feed(response, receiver), receiver, response.body, put)
    finally:
        if close is not None:
            # It has been read, or has failed: closing it can add nothing.
            with suppress(Exception):
                closing = close()
                if inspect.isawaitable(closing):
                    await closing
    return crawling.ending(receiver)


async def _read(feed: Feed, receiver: _native.Receiver, body: Any, put: Callable[[Entries], Awaitable[None]]) -> None:
    next_chunk = _chunks(body)
    while receiver.wants_more:
        try:
            chunk = await next_chunk()
        except Exception as error:
            batches = feed.fail(error)
        else:
            if chunk is END and feed.is_unchanged:
                return
            batches = feed.end() if chunk is END else feed.push(chunk)
        for batch in batches:
            await put(batch)


# The end of a body.
END = object()


def _chunks(body: Any) -> Callable[[], Awaitable[Any]]:
    """A function that returns the next chunk of a body, or END."""
    if not is_bytes(body) and hasattr(body, "read"):

        async def read() -> Any:
            chunk = body.read(CHUNK)
            if inspect.isawaitable(chunk):
                chunk = await chunk
            return END if chunk == b"" else chunk

        return read
    if hasattr(body, "__aiter__"):
        parts = aiter(body)

        async def take() -> Any:
            return await anext(parts, END)

        return take
    iterator = chunks(body)

    async def step() -> Any:
        # Lets other tasks run, which a body that is there already would not.
        await asyncio.sleep(0)
        return next(iterator, END)

    return step


async def _pages(crawling: Crawling, batches: AsyncGenerator[Entries, None]) -> AsyncGenerator[Page, None]:
    try:
        async for entries in batches:
            for page in entries.pages():
                yield page
            crawling.report()
    finally:
        await batches.aclose()


async def _with_tasks(crawling: Crawling) -> AsyncGenerator[Entries, None]:
    """Each sitemap has a task. This one starts the tasks and returns the pages."""
    jobs = crawling.jobs
    events: asyncio.Queue[Any] = asyncio.Queue(jobs)
    tasks: set[asyncio.Task[None]] = set()
    active = 0
    getting: asyncio.Task[Any] | None = None
    try:
        while True:
            while active < jobs and (found := crawling.next_request()) is not None:
                active += 1
                tasks.add(asyncio.create_task(_work(partial(_receive, crawling, *found), events)))
            wait = crawling.wait()
            if active == 0:
                if crawling.is_done():
                    break
                await sleep(wait or 0)
                continue
            if getting is None:
                getting = asyncio.create_task(events.get())
            # Requests that are due now have to wait for a task.
            timeout = None if active == jobs else wait
            done, _ = await asyncio.wait({getting, *tasks}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if any(task.cancelled() for task in done):
                raise RuntimeError("fetch, or reading a body, was cancelled")
            tasks -= done
            if not getting.done():
                continue
            event = getting.result()
            getting = None
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, Entries):
                yield event
            else:
                event()
                active -= 1
    finally:
        if getting is not None:
            getting.cancel()
        for task in tasks:
            task.cancel()
        # Their responses are closed when this returns.
        await asyncio.gather(*tasks, return_exceptions=True)
    crawling.end_crawl()


async def _work(receive: Callable[..., Awaitable[Callable[[], None]]], events: asyncio.Queue[Any]) -> None:
    try:
        event: Any = await receive(events.put)
    except Exception as error:
        event = error
    await events.put(event)
