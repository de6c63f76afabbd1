"""The result of a crawl."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from . import html
from ._native import SitemapError


@dataclass(frozen=True)
class LeftOut:
    """Sitemaps that are listed, but were not read, for one reason. In CrawlSummary.left_out.

    reason: 'other-host' if they are on a host that does not belong to the site, 'too-deep' (max_depth), 'url-too-long'
    (more than 2,047 characters), 'rejected' by the function `select`, or 'too-many' (max_sitemaps, max_children).
    count: how often robots.txt or an index lists such a sitemap. One that several indexes list is counted for each.
    examples: up to five of their URLs, each cut after 200 characters.

    >>> from quick_sitemap import LeftOut
    >>> LeftOut("too-deep", 1, ("https://example.com/a.xml",)).count
    1
    """

    reason: Literal["other-host", "too-deep", "url-too-long", "rejected", "too-many"]
    count: int
    examples: tuple[str, ...]


# Of Crawl.coverage.
Coverage = Literal["complete", "changes", "unknown", "incomplete"]


@dataclass(frozen=True)
class Sitemap:
    """A sitemap of a crawl. Returned by Crawl.sitemaps, and passed to the function `select`.

    url: the URL under which it is listed.
    location: the URL at which it was read, if redirects have led to another one.
    parent: the URL of the index that lists it, or None.
    depth: 1 for the first sitemaps, 2 for those that they list, and so on.
    is_index: whether it lists other sitemaps.
    state: 'queued' or 'active' before its end; then 'done', 'partial' (max_pages or max_sitemaps was reached), 'unchanged'
    (status 304), 'missing' (nothing is at one of the usual places), 'duplicate' (it redirects to another sitemap) or
    'failed'.
    completeness: as in Summary, if the state is 'done'.
    failure: why it could not be fetched or read, if the state is 'failed'.
    cause: the kind of the failure: 'status', 'connection', 'permanent', 'redirect', 'unreadable', or 'paused' (it was not
    requested, because its host asks for a pause of more than max_retry_after).
    rows_may_go: whether the pages that you have stored of this sitemap, and that were not returned, can be deleted from it
    after the crawl. Another sitemap may list them: see Crawl.may_go.
    lastmod: the date of its last change, as its index has it. Only `select` gets it.

    >>> from quick_sitemap import Sitemap
    >>> Sitemap("https://example.com/a.xml", state="failed", failure="status 404").failure
    'status 404'
    """

    url: str
    location: str | None = None
    parent: str | None = None
    depth: int = 1
    is_index: bool = False
    state: Literal["queued", "active", "done", "partial", "unchanged", "missing", "duplicate", "failed"] = "queued"
    completeness: Literal["complete", "unknown", "incomplete"] | None = None
    failure: str | None = None
    cause: Literal["status", "connection", "permanent", "redirect", "unreadable", "paused"] | None = None
    rows_may_go: bool = False
    lastmod: datetime | None = None


@dataclass(frozen=True)
class CrawlSummary:
    """The result of a crawl so far. Returned by Crawl.summary, which can be used at any time.

    sitemaps: the number of known sitemaps, without those that were left out.
    done: the number of sitemaps that were read to their end.
    failed: the number of sitemaps that could not be fetched or read.
    unchanged: the number of sitemaps whose server answered with the status 304.
    duplicates: the number of sitemaps that redirect to another one.
    pages: the number of pages that were read so far. A page that two sitemaps list counts twice.
    skipped: the number of entries that were skipped because they are broken.
    bytes: the number of bytes that were received.
    left_out: the sitemaps that are listed, but were not read, by reason.
    robots_failure: why robots.txt could not be read, or None. A site without one (404 or 410) is not a failure. If the server
        refuses it, sends an HTML page or redirects it to nowhere, the reason is here, and the usual places are tried.
    has_more_pages: whether max_pages was reached.
    has_more_sitemaps: whether max_sitemaps was reached.
    crawl_delay: the seconds between two requests that robots.txt demands and the crawl keeps, at most 30; or None.

    >>> from quick_sitemap import Response, crawl
    >>> pages = crawl("https://example.com/a.txt", lambda request: Response(200, body=b"https://example.com/a"))
    >>> len(list(pages)), pages.summary.done, pages.summary.failed
    (1, 1, 0)
    """

    sitemaps: int
    done: int
    failed: int
    unchanged: int
    duplicates: int
    pages: int
    skipped: int
    bytes: int
    left_out: tuple[LeftOut, ...]
    robots_failure: str | None
    has_more_pages: bool
    has_more_sitemaps: bool
    crawl_delay: float | None

    def _repr_html_(self) -> str:
        return html.of_dataclass(self)


class CrawlError(SitemapError):
    """Nothing of a site could be read, and on_error is 'raise'.

    The attribute `kind` is the cause of the first failure, as in Sitemap.cause, or 'robots' if robots.txt could not be read,
    or 'no-sitemap' if no sitemap was found. `source` is the site.

    >>> from quick_sitemap import CrawlError, Response, crawl
    >>> try:
    ...     list(crawl("https://example.com/a.xml", lambda request: Response(403)))
    ... except CrawlError as error:
    ...     print(error.kind, error)
    status https://example.com/a.xml: status 403
    """

    def __init__(self, text: str, kind: str = "", source: str | None = None) -> None:
        super().__init__(text)
        self.kind, self.source, self.line, self.column = kind, source, None, None


class IncompleteCrawlWarning(UserWarning):
    """A crawl has ended, but not all sitemaps of the site could be read. Crawl.summary and Crawl.sitemaps give the reasons.

    Turn it into an exception with `warnings.simplefilter("error", quick_sitemap.IncompleteCrawlWarning)`.
    """


for _class in (LeftOut, Sitemap, CrawlSummary, CrawlError, IncompleteCrawlWarning):
    _class.__module__ = "quick_sitemap"
