"""crawl_table(): the pages of a crawl as rows."""

import re
import subprocess
import sys
import threading
import warnings
from collections import Counter

import pytest
from conftest import Endless, raising, urlset_of
from site_for_crawls import HOME, Site, index, serving, urlset

import quick_sitemap
from quick_sitemap import CRAWL_COLUMNS, DEFAULT_CRAWL_COLUMNS, Response, crawl, crawl_table

pa = pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::quick_sitemap.IncompleteCrawlWarning")


@pytest.mark.parametrize("jobs", [1, 4])
def test_the_rows_are_the_pages_of_the_crawl(jobs):
    site = Site()
    table = crawl_table(HOME, site.fetch, jobs=jobs)
    arrow = pa.table(table)
    arrow.validate(full=True)
    assert arrow.column_names == DEFAULT_CRAWL_COLUMNS
    rows = arrow.to_pylist()
    pages = [row for row in rows if row["error"] is None]
    expected = list(crawl(HOME, Site().fetch))
    assert Counter(row["loc"] for row in pages) == Counter(page.loc for page in expected)
    if jobs == 1:
        assert [row["sitemap"] for row in pages] == [page.sitemap for page in expected]
    [error, left_out] = [row for row in rows if row["error"]]
    assert (left_out["kind"], left_out["sitemap"], left_out["loc"]) == ("left-out", HOME, None)
    assert (error["sitemap"], error["kind"], error["error"]) == (HOME + "lost.xml", "status", "status 404")
    assert rows[-2:] == [error, left_out] and error["loc"] is None
    assert table.summary.pages == 62 and table.summary.failed == 1
    assert [sitemap.url for sitemap in table.sitemaps if sitemap.cause == "status"] == [HOME + "lost.xml"]


def test_columns():
    body = urlset_of("<url/><url><loc>https://example.com/a</loc><priority>0.8</priority></url>")
    fetch = lambda request: Response(200, body=body)
    every = pa.table(crawl_table(HOME + "a.xml", fetch, columns=CRAWL_COLUMNS))
    every.validate(full=True)
    assert every.column_names == CRAWL_COLUMNS and set(DEFAULT_CRAWL_COLUMNS) < set(CRAWL_COLUMNS)
    [row] = every.to_pylist()
    assert row["sitemap"] == HOME + "a.xml" and row["host"] == "example.com" and row["priority"] == 0.8
    assert row["images"] == [] and [issue["rule"] for issue in row["issues"]] == ["missing-loc"]
    [as_dict] = crawl_table(HOME + "a.xml", fetch, columns=CRAWL_COLUMNS)
    assert as_dict == row
    for columns in (["loc"], ["error", "sitemap"], iter(["loc", "kind"])):
        names = list(columns)
        assert pa.table(crawl_table(HOME + "a.xml", fetch, columns=names)).column_names == names
    views = pa.table(crawl_table(HOME + "a.xml", fetch, string_views=True))
    assert views.schema.field("loc").type == pa.string_view()
    for wrong in ("source", "skipped", "url"):
        with pytest.raises(ValueError, match=f"a crawl has no column '{wrong}'; its columns are sitemap, kind, loc"):
            crawl_table(HOME, fetch, columns=[wrong])
    with pytest.raises(TypeError, match="not one text"):
        crawl_table(HOME, fetch, columns="loc")
    with pytest.raises(ValueError, match="batch_rows must be 1 or more"):
        crawl_table(HOME, fetch, batch_rows=0)


def test_it_is_read_once_and_nothing_is_fetched_before():
    requested = []

    def fetch(request):
        requested.append(request.url)
        return Response(200, body=b"https://example.com/1\n")

    table = crawl_table(HOME + "a.txt", fetch)
    schema = pa.schema(table)
    assert schema.names == DEFAULT_CRAWL_COLUMNS and requested == []
    assert pa.table(table).schema == schema and len(requested) == 1
    with pytest.raises(ValueError, match="begin another crawl"):
        pa.table(table)


def test_batches_come_as_they_arrive():
    """A batch is there before the next sitemap is requested, and none is larger than it may be."""
    requested = []

    def fetch(request):
        requested.append(request.url)
        if request.url.endswith("index.xml"):
            return Response(200, body=index(*(f"{HOME}{n}.xml" for n in range(10))))
        return Response(200, body=urlset(HOME, "a", 1000))

    reader = pa.RecordBatchReader.from_stream(crawl_table(HOME + "index.xml", fetch, batch_rows=300))
    assert requested == []
    assert reader.read_next_batch().num_rows == 300 and len(requested) == 2
    sizes = [batch.num_rows for batch in reader]
    assert sum(sizes) == 9700 and max(sizes) == 300 and len(requested) == 11


def test_what_is_open_is_closed_when_the_table_is_left():
    for leave in (
        lambda table: next(iter(table)),
        lambda table: pa.RecordBatchReader.from_stream(table).read_next_batch(),
    ):
        body = Endless(b"https://example.com/1\n" * 100)
        leave(crawl_table(HOME + "a.txt", lambda request: Response(200, {}, body), batch_rows=10))
        # In another thread, the reference is dropped as soon as Python runs there again.
        assert body.closed == 1


def test_a_site_without_sitemaps_has_a_row():
    rows = list(crawl_table("example.com", lambda request: Response(404), on_error="warn"))
    assert [(row["sitemap"], row["kind"], row["error"]) for row in rows] == [
        ("example.com", "no-sitemap", "no sitemap was found")
    ]

    fails = raising(OSError("no route to https://user:word@example.com/"))
    rows = list(crawl_table("https://user:word@example.com/", fails, retries=0, on_error="warn"))
    assert [row["kind"] for row in rows][0] == "robots" and "no route to https://***@example.com/)" in rows[0]["error"]
    assert rows[0]["sitemap"] == "https://example.com/"
    assert "word" not in str(rows)


def test_exceptions_reach_the_caller():
    with pytest.raises(TypeError, match="fetch must return"):
        list(crawl_table(HOME, lambda request: None))
    with pytest.raises(Exception, match="fetch must return"):
        pa.table(crawl_table(HOME, lambda request: None))
    with pytest.raises(KeyboardInterrupt):
        list(crawl_table(HOME, raising(KeyboardInterrupt)))


def test_what_is_missing_is_a_warning():
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        pa.table(crawl_table(HOME, Site().fetch))
    [warning] = [warning for warning in found if warning.category is quick_sitemap.IncompleteCrawlWarning]
    assert "1 of 8 sitemaps failed" in str(warning.message)


def test_resume():
    table = crawl_table(HOME, Site().fetch, batch_rows=1)
    rows = iter(table)
    first = [next(rows)["loc"] for _ in range(30)]
    second = [row["loc"] for row in crawl_table(HOME, Site().fetch, resume=table.save()) if row["loc"]]
    assert {*first, *second} == {page.loc for page in crawl(HOME, Site().fetch)}


def test_engines():
    duckdb, pandas, polars = (pytest.importorskip(name) for name in ("duckdb", "pandas", "polars"))
    with serving() as site:
        found = crawl_table(site.home, columns=["sitemap", "loc", "error"])
        assert duckdb.sql("SELECT count(loc), count(error) FROM found").fetchall() == [(62, 2)]
        frame = polars.DataFrame(crawl_table(site.home, string_views=True))
        assert frame.height == 64 and frame["error"].null_count() == 62
        frame = pandas.DataFrame(crawl_table(site.home, jobs=4))
        assert len(frame) == 64 and frame["loc"].notna().sum() == 62
        if hasattr(pandas.DataFrame, "from_arrow"):
            assert len(pandas.DataFrame.from_arrow(crawl_table(site.home))) == 64


def test_another_thread_can_read_it():
    rows = []
    thread = threading.Thread(target=lambda: rows.extend(pa.table(crawl_table(HOME, Site().fetch, jobs=3)).to_pylist()))
    thread.start()
    thread.join(60)
    assert len([row for row in rows if row["kind"] != "left-out"]) == 63


def test_the_first_lines_of_the_readme(tmp_path):
    """They are run unchanged, in an interpreter and a folder of their own."""
    import subprocess
    import sys
    from pathlib import Path

    for engine in ("pandas", "duckdb"):
        pytest.importorskip(engine, reason=f"!! {engine} is not there: the README's first lines were NOT tested")
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    screen = readme.split("\n## ")[0]
    assert len(screen.splitlines()) <= 40 and "pip install quick-sitemap" in screen
    blocks = re.findall(r"```python\n(.*?)```", screen, re.S)
    assert len(blocks) == 2
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / "a.xml").write_bytes(urlset(HOME, "a", 20))
    (archive / "b.xml").write_bytes(b"<html/>")
    with serving() as site:
        program = "".join(blocks).replace('"example.com"', f'"{site.home}"')
        assert site.home in program
        (tmp_path / "program.py").write_text(program + "\nprint(len(pages), rows.fetchall())\n")
        ran = subprocess.run(
            [sys.executable, "-W", "ignore", "program.py"], capture_output=True, text=True, cwd=tmp_path, timeout=120
        )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "64 [(20, 1)]\n"


def test_what_was_left_out_has_rows():
    """Rows of a bounded table are not all rows, which its last ones say."""
    site = {
        HOME + "index.xml": index(HOME + "a.xml", HOME + "b.xml"),
        HOME + "a.xml": urlset(HOME, "a", 2),
        HOME + "b.xml": urlset(HOME, "b", 1),
    }

    def left_out(**options):
        table = crawl_table(HOME + "index.xml", lambda request: Response(200, body=site[request.url]), **options)
        return [row["error"] for row in table if row["kind"] == "left-out"]

    assert left_out() == []
    assert left_out(max_pages=1) == ["there are more pages than max_pages"]
    rejected = f"1 sitemap was left out (rejected, such as {HOME}b.xml)"
    assert left_out(select=lambda sitemap: sitemap.url.endswith("a.xml")) == [rejected]


# Nothing catches the exception that the engine raises.
UNCAUGHT = """
import pyarrow, quick_sitemap
def fetch(request):
    raise KeyboardInterrupt
pyarrow.table(quick_sitemap.crawl_table("https://example.com/a.txt", fetch))
"""


def test_an_interrupt_is_printed():
    """Python prints the exception, although it is interrupted once more."""
    ran = subprocess.run([sys.executable, "-c", UNCAUGHT], capture_output=True, text=True)
    assert ran.returncode != 0
    assert "KeyboardInterrupt" in ran.stderr and "lost sys.stderr" not in ran.stderr, ran.stderr
