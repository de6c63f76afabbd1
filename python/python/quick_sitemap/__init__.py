"""Sitemaps: page by page, or as Arrow record batches for the engine that you have.

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
    NotASitemapError,
    Page,
    Pages,
    SitemapError,
    TruncatedError,
    read,
    read_many,
)

__all__ = [
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "Batches",
    "BrokenGzipError",
    "LimitExceededError",
    "NotASitemapError",
    "Page",
    "Pages",
    "SitemapError",
    "TruncatedError",
    "read",
    "read_many",
]
