"""Real files: each has a row, a page, a warning or an exception."""

import warnings
from pathlib import Path

import pytest

import quick_sitemap
from quick_sitemap import read, read_many

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "files"


@pytest.fixture(scope="module")
def corpus():
    if not CORPUS.is_dir():
        pytest.skip(f"!! {CORPUS} is not there: the shared corpus was NOT read")
    paths = sorted(path for path in CORPUS.iterdir() if path.is_file())
    assert len(paths) > 100
    return paths


def test_reading_says_the_same(corpus):
    """Each file returns a page or raises an exception. Skipped entries, and a sitemap without entries, lead to a warning."""
    for path, rows in zip(corpus, of_sources(corpus)):
        pages = read(path)
        locs, error = [], None
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                for page in pages:
                    locs.append(page.loc)
            except quick_sitemap.SitemapError as raised:
                error = raised
        if [row["error"] for row in rows] == ["no entries"]:
            assert (locs, error) == ([], None), path
            assert {warning.category for warning in warned} <= {quick_sitemap.EmptySitemapWarning}
            continue
        assert locs or error, path
        assert locs == [row["loc"] for row in rows if row["error"] is None], path
        assert [str(error)] * bool(error) == [f"{path}: {row['error']}" for row in rows if row["error"]], path
        assert pages.summary.skipped == rows[-1]["skipped"], path
        assert len(warned) == bool(pages.summary.skipped and not error), path


def of_sources(paths):
    rows, last = [], None
    for row in read_many(paths, columns=["source", "loc", "error", "skipped"]):
        if row["source"] != last:
            rows.append([])
        rows[-1].append(row)
        last = row["source"]
    return rows
