"""Every engine takes the object as it is."""

import pytest

import quick_sitemap
from quick_sitemap import COLUMNS, read_many


def test_duckdb(files):
    duckdb = pytest.importorskip("duckdb")
    sitemaps = read_many(files, columns=["source", "loc", "host", "priority", "lastmod", "error"])
    query = "SELECT host, count(*) FROM sitemaps WHERE error IS NULL GROUP BY host ORDER BY host"
    assert duckdb.sql(query).fetchall() == [("example.com", 4), ("www.example.org", 1)]
    assert duckdb.sql("SELECT count(*) FROM sitemaps WHERE priority = 0.8").fetchall() == [(2,)]
    # An iterator of sources returns its rows once, to one query.
    once = read_many(iter(files))
    assert duckdb.sql("SELECT count(*) FROM once").fetchall() == [(7,)]


def test_polars(files):
    polars = pytest.importorskip("polars")
    for views in (False, True):
        frame = polars.DataFrame(read_many(files, columns=COLUMNS, string_views=views))
        assert frame.height == 7
        assert frame.filter(polars.col("priority") == 0.8).height == 2
        assert frame["images"].list.len().sum() == 2
        assert str(frame.schema["lastmod"]) == "Datetime(time_unit='us', time_zone='UTC')"


def test_pandas(files):
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")

    frame = pyarrow.table(read_many(files)).to_pandas()
    assert len(frame) == 7 and (frame["priority"] == 0.8).sum() == 2
    assert frame["lastmod"][0] == pandas.Timestamp("2024-05-01", tz="UTC")
    rows = pandas.DataFrame(read_many(files))
    assert list(rows.columns) == list(frame.columns)
    assert rows["loc"].tolist() == frame["loc"].tolist() and (rows["priority"] == 0.8).sum() == 2
    assert rows["lastmod"][0] == frame["lastmod"][0]
    assert len(pandas.DataFrame(page.to_dict() for page in quick_sitemap.read(files[0]))) == 3
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert len(pandas.DataFrame.from_arrow(read_many(files))) == 7
