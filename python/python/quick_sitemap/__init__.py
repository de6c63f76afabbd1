"""Sitemaps: page by page, or as Arrow record batches for Spark, DuckDB, Polars and pandas.

>>> import quick_sitemap
>>> for page in quick_sitemap.read(b"https://example.com/a\\nhttps://example.com/b\\n"):
...     print(page.loc)
https://example.com/a
https://example.com/b
"""

from ._native import (
    COLUMNS,
    DEFAULT_COLUMNS,
    Batches,
    BrokenGzipError,
    LimitExceededError,
    NoEntriesError,
    NotASitemapError,
    Page,
    Pages,
    SitemapError,
    SkippedEntriesWarning,
    TruncatedError,
    __version__,
    read,
    read_many,
)
from ._crawl import Crawl, crawl
from ._crawl_async import AsyncCrawl, crawl_async
from ._crawled import CrawlSummary, IncompleteCrawlWarning, LeftOut, Sitemap
from ._exchange import Request, Response
from ._progress import Progress
from ._summary import Summary

__all__ = [
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "AsyncCrawl",
    "Batches",
    "BrokenGzipError",
    "Crawl",
    "CrawlSummary",
    "IncompleteCrawlWarning",
    "LeftOut",
    "LimitExceededError",
    "NoEntriesError",
    "NotASitemapError",
    "Page",
    "Pages",
    "Progress",
    "Request",
    "Response",
    "Sitemap",
    "SitemapError",
    "SkippedEntriesWarning",
    "Summary",
    "TruncatedError",
    "__version__",
    "crawl",
    "crawl_async",
    "read",
    "read_many",
]
