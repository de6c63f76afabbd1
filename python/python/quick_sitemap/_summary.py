"""The summary of a file."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Summary:
    """The result of reading a file so far. Returned by Pages.summary, which can be used at any time.

    entries: the number of pages that were returned.
    skipped: the number of entries that were skipped or raised as an error.
    dropped: the number of values that were left out of pages.
    noted: the number of problems because of which nothing was left out.

    completeness: 'complete' if a urlset or an index was read to its end and every entry was returned. 'incomplete' if
    entries are missing, because reading ended with an error or entries were skipped. Otherwise 'unknown', because the
    end has not been reached, or because the file is a text sitemap or a feed, which do not show whether entries are
    missing. Check it before you delete pages that are no longer listed.

    >>> from quick_sitemap import read
    >>> pages = read(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    ...              b"<url><loc>https://example.com/a</loc></url></urlset>")
    >>> len(list(pages))
    1
    >>> pages.summary
    Summary(entries=1, skipped=0, dropped=0, noted=0, completeness='complete')
    """

    entries: int
    skipped: int
    dropped: int
    noted: int
    completeness: Literal["complete", "unknown", "incomplete"]


Summary.__module__ = "quick_sitemap"
