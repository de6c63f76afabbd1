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
    SitemapError            and its kinds: TruncatedError, NotASitemapError, CrawlError, ...
    COLUMNS                 the columns of read_many, and CRAWL_COLUMNS those of crawl_table

>>> import quick_sitemap
>>> for page in quick_sitemap.read(b"https://example.com/a\\nhttps://example.com/b\\n"):
...     print(page.loc)
https://example.com/a
https://example.com/b
"""

from _quick_sitemap._native import COLUMNS, Page, Pages, SitemapError, Table, __version__
from _quick_sitemap.crawl import CRAWL_COLUMNS, Crawl, CrawlTable, crawl, crawl_table
from _quick_sitemap.crawl_async import AsyncCrawl, crawl_async
from _quick_sitemap.exchange import Request, Response
from _quick_sitemap.reading import Progress, Summary, read, read_many
from _quick_sitemap.results import CrawlError, CrawlSummary, LeftOut, Sitemap

# Public, but `help(quick_sitemap)` shows only those in `__all__`.
from _quick_sitemap._native import (
    BrokenGzipError as BrokenGzipError, DEFAULT_COLUMNS as DEFAULT_COLUMNS, EmptySitemapWarning as EmptySitemapWarning,
    LimitExceededError as LimitExceededError, NoEntriesError as NoEntriesError, NotASitemapError as NotASitemapError,
    SkippedEntriesWarning as SkippedEntriesWarning, TruncatedError as TruncatedError,
)
from _quick_sitemap.crawl import CrawlColumn as CrawlColumn, DEFAULT_CRAWL_COLUMNS as DEFAULT_CRAWL_COLUMNS
from _quick_sitemap.reading import Column as Column
from _quick_sitemap.records import (
    Alternate as Alternate, Attribute as Attribute, ContentSegment as ContentSegment, Element as Element,
    Image as Image, Issue as Issue, Issues as Issues, News as News, PageDict as PageDict, Price as Price, Row as Row,
    Video as Video, VideoId as VideoId,
)
from _quick_sitemap.results import (
    IncompleteCrawlWarning as IncompleteCrawlWarning,
)

from . import fetch

__all__ = [
    "COLUMNS",
    "CRAWL_COLUMNS",
    "AsyncCrawl",
    "Crawl",
    "CrawlError",
    "CrawlSummary",
    "CrawlTable",
    "LeftOut",
    "Page",
    "Pages",
    "Progress",
    "Request",
    "Response",
    "Sitemap",
    "SitemapError",
    "Summary",
    "Table",
    "__version__",
    "crawl",
    "crawl_async",
    "crawl_table",
    "fetch",
    "read",
    "read_many",
]
