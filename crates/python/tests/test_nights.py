"""The program of the README that deletes what is no longer listed, over the nights of .ci/crawl-model.py."""

import json
import re
import warnings
from pathlib import Path

import pytest

import quick_sitemap
from quick_sitemap import Response

HERE = Path(__file__).parent
HISTORIES = [json.loads(line) for line in open(HERE / "../../crawl/tests/histories/data.jsonl")]
HOME = "https://m.example/"
PLACES = ["sitemap.xml", "sitemap_index.xml", "sitemap-index.xml", "sitemap.xml.gz", "wp-sitemap.xml", "sitemap/sitemap.xml", "sitemap.txt"]
BASE = "http://www.sitemaps.org/schemas/sitemap/0.9"
FORMS = {
    "robots": ("", "Sitemap: {}\n", ""),
    "index": (f"<sitemapindex xmlns='{BASE}'>", "<sitemap><loc>{}</loc></sitemap>", "</sitemapindex>"),
    "urlset": (f"<urlset xmlns='{BASE}'>", "<url><loc>{}</loc></url>", "</urlset>"),
    "feed": ("<rss version='2.0'><channel>", "<item><link>{}</link></item>", "</channel></rss>"),
}


def program():
    """The code of the README, whose default client is never used here."""
    text = (HERE / "../README.md").read_text()
    [code] = [code for code in re.findall(r"```python\n(.*?)```", text, re.S) if "def night(" in code]
    found = {}
    exec(code, found)
    return found["Store"](), found["night"]


def url_of(document):
    host, name = document.split(":")
    name = {"robots": "robots.txt", **{f"place{n}": place for n, place in enumerate(PLACES, 1)}}.get(name, name)
    return f"https://{host}.example/{name}"


def answering(night):
    """A client that answers as the site does in this night."""
    answers = {url_of(document): answer for document, answer in night["answers"].items()}

    def fetch(request):
        kind, items, to_end, skipped, version, _ = answers[request.url]
        etag = {"ETag": f'"v{version}"'}
        if kind in (None, "absent", "refused"):
            return Response({None: 500, "absent": 404, "refused": 403}[kind])
        if request.headers.get("If-None-Match") == etag["ETag"] and night["conditional"]:
            return Response(304, etag)
        if kind == "page":
            return Response(200, etag, b"<!DOCTYPE html><html><p>Welcome</p></html>")
        start, entry, end = FORMS[kind]
        urls = [HOME + item[1:] if item[0] == "/" else url_of(item) for item in items] + ["ftp://m.example/"] * skipped
        return Response(200, etag, (start + "".join(map(entry.format, urls)) + (end if to_end else "")).encode())

    return fetch


@pytest.mark.parametrize("history", HISTORIES[:60], ids=lambda history: history["name"])
def test_what_is_dead_is_deleted_and_nothing_else(history, capsys):
    store, run = program()
    crawl = quick_sitemap.crawl
    for night in history["nights"]:
        options = {"retries": 0, "max_depth": 100, "max_children": night["bound"]}
        quick_sitemap.crawl = lambda *arguments, **own: crawl(*arguments, **own, **options)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pages = run(store, HOME, answering(night))
        finally:
            quick_sitemap.crawl = crawl
        assert store.rows == {(url_of(document), HOME + page[1:]) for document, page in night["rows"]}
        assert store.pages == {HOME + page[1:] for page in night["pages"]}
        assert pages.coverage == night["coverage"] and bool(pages.may_go) == night["pages_may_go"]
        assert (pages.not_looked is None) == night["pages_may_go"]
        assert set(store.known) == set(map(url_of, night["known"]))
        gone = [url_of(document) for document in night["gone"] or []]
        kept = pages.gone([*store.known, *(sitemap for sitemap, _ in store.rows), *gone])
        assert kept == (None if night["gone"] is None else sorted(gone))
