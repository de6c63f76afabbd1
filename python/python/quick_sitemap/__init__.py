"""Sitemaps: page by page, or as rows for pandas, Polars, DuckDB, Spark and other Arrow engines.

    read(source)            the pages of one file
    read_many(sources)      the rows of many files, for pandas, Polars, DuckDB, pyarrow
    crawl(site)             the pages of a site, from all of its sitemaps
    crawl_table(site)       the same as rows
    crawl_async(site)       the same with asyncio
    quick_sitemap.fetch     the HTTP clients of crawls: urllib, requests, httpx, aiohttp

    Page                    a page: loc, lastmod, images, issues, to_dict()
    Pages, Table            returned by read and read_many; Summary, Progress
    Crawl, CrawlTable       returned by crawl and crawl_table; AsyncCrawl, CrawlSummary, Sitemap, LeftOut
    Request, Response       passed to and returned by a `fetch` of your own
    Issue, Image, News      and other values of a page
    SitemapError            and its kinds: TruncatedError, NotASitemapError, BrokenGzipError, ...
    COLUMNS                 the columns of read_many, and CRAWL_COLUMNS those of crawl_table

>>> import quick_sitemap
>>> for page in quick_sitemap.read(b"https://example.com/a\\nhttps://example.com/b\\n"):
...     print(page.loc)
https://example.com/a
https://example.com/b
"""

from _quick_sitemap._native import (
    COLUMNS,
    DEFAULT_COLUMNS,
    BrokenGzipError,
    EmptySitemapWarning,
    LimitExceededError,
    NoEntriesError,
    NotASitemapError,
    Page,
    Pages,
    SitemapError,
    SkippedEntriesWarning,
    Table,
    TruncatedError,
    __version__,
)
from _quick_sitemap.crawl import (
    CRAWL_COLUMNS,
    DEFAULT_CRAWL_COLUMNS,
    Crawl,
    CrawlTable,
    crawl,
    crawl_table,
)
from _quick_sitemap.crawl_async import AsyncCrawl, crawl_async
from _quick_sitemap.exchange import Request, Response
from _quick_sitemap.reading import Progress, Summary, read, read_many
from _quick_sitemap.records import (
    Alternate,
    Attribute,
    ContentSegment,
    Element,
    Image,
    Issue,
    News,
    Price,
    Video,
    VideoId,
)
from _quick_sitemap.records import Issues as Issues
from _quick_sitemap.records import PageDict as PageDict
from _quick_sitemap.records import Row as Row
from _quick_sitemap.results import CrawlSummary, IncompleteCrawlWarning, LeftOut, Sitemap, Validators

from . import fetch

__all__ = [
    "COLUMNS",
    "CRAWL_COLUMNS",
    "DEFAULT_COLUMNS",
    "DEFAULT_CRAWL_COLUMNS",
    "Alternate",
    "AsyncCrawl",
    "Attribute",
    "BrokenGzipError",
    "ContentSegment",
    "Crawl",
    "CrawlSummary",
    "CrawlTable",
    "Element",
    "EmptySitemapWarning",
    "Image",
    "IncompleteCrawlWarning",
    "Issue",
    "LeftOut",
    "LimitExceededError",
    "News",
    "NoEntriesError",
    "NotASitemapError",
    "Page",
    "Pages",
    "Price",
    "Progress",
    "Request",
    "Response",
    "Sitemap",
    "SitemapError",
    "SkippedEntriesWarning",
    "Summary",
    "Table",
    "TruncatedError",
    "Validators",
    "Video",
    "VideoId",
    "__version__",
    "crawl",
    "crawl_async",
    "crawl_table",
    "fetch",
    "read",
    "read_many",
]
