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
from ._progress import Progress
from ._summary import Summary

__all__ = [
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "Batches",
    "BrokenGzipError",
    "LimitExceededError",
    "NoEntriesError",
    "NotASitemapError",
    "Page",
    "Pages",
    "Progress",
    "SitemapError",
    "SkippedEntriesWarning",
    "Summary",
    "TruncatedError",
    "__version__",
    "read",
    "read_many",
]
