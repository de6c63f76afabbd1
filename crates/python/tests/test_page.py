"""A page is a value: it is copied, pickled, compared, and printed."""

import copy
import dataclasses
import json
import operator
import pickle
import warnings
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path

import pytest
from conftest import HALF, NS, urlset_of

from _quick_sitemap import _native

import quick_sitemap
from quick_sitemap import COLUMNS, Attribute, Element, Page, read, read_many

FIXTURES = Path(__file__).parents[3] / "tests" / "data"

NAMES = "kind loc host lastmod lastmod_text changefreq priority alternates images videos news foreign issues sitemap".split()


@pytest.fixture(scope="module")
def readings():
    """The fixtures with their pages, as far as they can be read."""
    found = []
    for path in sorted(path for path in FIXTURES.iterdir() if path.is_file()):
        pages = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", quick_sitemap.SkippedEntriesWarning)
            try:
                for page in read(path):
                    pages.append(page)
            except quick_sitemap.SitemapError:
                pass
        found.append((path, pages))
    assert sum(len(pages) for _, pages in found) > 50
    return found


def test_copies_and_pickles(readings):
    pages = [page for _, pages in readings for page in pages]
    assert any(page.foreign for page in pages) and any(page.videos for page in pages)
    assert any(page.news for page in pages) and any(page.kind == "sitemap" for page in pages)
    for page in pages:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(page, protocol))
            assert again == page and hash(again) == hash(page) and again.to_dict() == page.to_dict()
        assert copy.copy(page) == page and copy.deepcopy([page]) == [page]
    with pytest.raises(ValueError, match="pickled page"):
        _native._page("{}")


def loc_of(page):
    return page.loc


def test_pages_go_to_processes(urlset):
    pages = list(read(urlset))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(loc_of, pages)) == [page.loc for page in pages]
        assert list(pool.map(copy.copy, pages)) == pages


def test_equality_and_hash_but_no_order(urlset):
    first, second, third = read(urlset)
    again = next(read(urlset))
    assert first == again and hash(first) == hash(again) and first != second
    assert first != first.loc and not first == None  # noqa: E711
    assert len({first, second, third, again}) == 3
    for order in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError):
            order(first, second)
    import pydoc

    text = pydoc.render_doc(Page, renderer=pydoc.plaintext)
    assert "__eq__" in text and not any(name in text for name in ("__lt__", "__le__", "__gt__", "__ge__"))
    # The place where a page was found is not compared.
    body = urlset_of("<url/><url><loc>https://example.com/a</loc></url>")
    [page] = [next(read(body))]
    assert page.issues and page == next(read(b"https://example.com/a"))


def as_dicts(value):
    """A value with dicts in place of dataclasses. The issues of one page have no sitemap."""
    if isinstance(value, list):
        return tuple(as_dicts(item) for item in value)
    if not dataclasses.is_dataclass(value):
        return value
    found = {field.name: as_dicts(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, quick_sitemap.Issue):
        assert found.pop("sitemap") is None
    return found


def tuples(value):
    """A value of a row with tuples in place of lists."""
    if isinstance(value, list):
        return tuple(tuples(item) for item in value)
    return {name: tuples(item) for name, item in value.items()} if isinstance(value, dict) else value


def test_extensions_are_those_of_rows(readings):
    """The names, the values and the types are the same in a dataclass, in to_dict() and in a row of a table."""
    seen = set()
    for path, pages in readings:
        rows = [row for row in read_many(path, columns=COLUMNS) if row["error"] is None]
        assert len(rows) == len(pages)
        for page, row in zip(pages, rows):
            found = page.to_dict()
            for name in ("alternates", "images", "videos"):
                for value in found[name]:
                    # Arrow has no column of foreign elements, nor of the attributes that an alternate has besides.
                    value.pop("tvshow", None)
                    if value.pop("attributes", None):
                        seen.add("attributes")
                    # Arrow's column has a sign, so it cannot hold this number.
                    if (value.get("view_count") or 0) >= 2**63:
                        value["view_count"] = None
                assert found[name] == tuples(row[name]), path
                seen.update(name for _ in found[name])
            assert tuples(row["news"]) == ((found["news"],) if found["news"] else ()), path
            if page.news:
                seen.add("news")
                assert isinstance(page.news, quick_sitemap.News)
                assert page.news.publication_date is None or isinstance(page.news.publication_date, datetime)
            for video in page.videos:
                assert isinstance(video.expiration_date, (datetime, type(None)))
                assert all(isinstance(price, quick_sitemap.Price) for price in video.prices)
    assert seen == {"alternates", "attributes", "images", "videos", "news"}


def test_to_dict(readings):
    for _, pages in readings:
        for page in pages:
            assert page.to_dict() == {name: as_dicts(getattr(page, name)) for name in NAMES}
            json.dumps(page.to_dict(), default=str)
    properties = [name for name in vars(Page) if not name.startswith("_") and name != "to_dict"]
    assert sorted(properties) == sorted(NAMES)
    # A page has all values of a row, except those of the file.
    assert set(COLUMNS) - set(NAMES) == {"source", "error", "skipped"}


def test_foreign_elements():
    body = f"""<urlset xmlns='{NS}' xmlns:x='urn:x'><url><loc>https://example.com/</loc>
      <x:price currency='EUR'>9</x:price></url></urlset>""".encode()
    page = next(read(body))
    assert page.foreign == [Element("price", "urn:x", "x", [Attribute("currency", "", "EUR")], ["9"])]
    assert page.to_dict()["foreign"][0]["attributes"] == ({"name": "currency", "namespace": "", "value": "EUR"},)
    body = f"""<sitemapindex xmlns='{NS}' xmlns:x='urn:x'><sitemap><loc>https://example.com/</loc>
      <x:y/></sitemap></sitemapindex>""".encode()
    [sitemap] = read(body)
    assert [element.name for element in sitemap.foreign] == ["y"] and sitemap.images == []


@pytest.mark.filterwarnings("ignore::quick_sitemap.SkippedEntriesWarning")
def test_reprs(urlset):
    pages = read(("a\nb.xml", urlset))
    found = [repr(page) for page in pages]
    assert found == [
        "<quick_sitemap.Page 'https://example.com/a' lastmod=2024-05 priority=0.8>",
        "<quick_sitemap.Page 'https://example.com/b?x=1&y=2' changefreq=daily images: 1>",
        "<quick_sitemap.Page 'https://www.example.org/c' lastmod=2024-03-04T05:06:07+01:00>",
    ]
    assert repr(pages) == r"<quick_sitemap.Pages of 'a\nb.xml', 3 read so far>"
    assert repr(list(read(HALF))[1]) == "<quick_sitemap.Page 'https://example.com/b' issues: 2>"
    [sitemap] = read(f"<sitemapindex xmlns='{NS}'><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>".encode())
    assert repr(sitemap) == "<quick_sitemap.Page 'https://example.com/a.xml' (a sitemap)>"
    assert repr(quick_sitemap.read_many([], columns=["loc"])) == "<quick_sitemap.Table of loc>"
