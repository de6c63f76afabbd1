"""The progress of read_many."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """The progress of reading. Passed to the `on_progress` of read_many.

    files: the number of sources that have been read.
    bytes: the number of bytes that were read from them, before they are unpacked.
    entries: the number of pages and sitemaps.
    source: the name of the source that was begun last, or None. It contains no user or password.

    >>> from quick_sitemap import read_many
    >>> rows = read_many([("a.txt", b"https://example.com/a"), ("b.txt", b"")], on_progress=print)
    >>> len(list(rows))  # doctest: +ELLIPSIS
    Progress(files=...
    2
    """

    files: int
    bytes: int
    entries: int
    source: str | None


Progress.__module__ = "quick_sitemap"
