"""The summary of a file."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Summary:
    """The numbers of pages read and lost of a file, from Pages.summary, at any time.

    entries is the number of pages that were returned, skipped that of entries that were skipped or raised as an error,
    dropped that of values that were left out, noted that of problems without an effect.

    completeness is 'complete' if a urlset or an index was read to its end and every entry was returned, 'incomplete' if
    entries are missing, because reading ended with an error or entries were skipped, and otherwise 'unknown': the end has
    not been reached, or the format does not show whether entries are missing. Check it before you delete pages that are
    no longer listed.

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
