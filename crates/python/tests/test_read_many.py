import io
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SILENT, Body, urlset_of

import quick_sitemap
from quick_sitemap import read_many

pa = pytest.importorskip("pyarrow")


def test_schema_and_rows(files):
    batches = read_many(files)
    schema = pa.schema(batches)
    assert schema.names == quick_sitemap.DEFAULT_COLUMNS
    assert schema.field("lastmod").type == pa.timestamp("us", tz="UTC")
    assert schema.field("loc").type == pa.string() and schema.field("priority").type == pa.float64()
    table = pa.table(batches)
    assert table.schema == schema
    table.validate(full=True)
    rows = table.to_pylist()
    assert [row["source"] for row in rows] == [str(files[0])] * 3 + [str(files[1])] * 3 + [str(files[2])]
    assert [row["error"] is None for row in rows] == [True] * 5 + [False] * 2
    assert "truncated" in rows[5]["error"] and "`html`" in rows[6]["error"]
    assert rows[0]["priority"] == 0.8
    assert [row["kind"] for row in rows] == ["url"] * 5 + ["truncated", "unknown-root"]
    assert [row["skipped"] for row in rows] == [None, None, 0, None, None, 0, 0]
    # A list of sources can be read again.
    assert pa.table(batches) == table


def test_every_column(urlset):
    table = pa.table(read_many([urlset], columns=quick_sitemap.COLUMNS))
    table.validate(full=True)
    row = table.to_pylist()[1]
    assert row["images"][0]["loc"] == "https://example.com/i.png" and row["videos"] == []
    assert row["host"] == "example.com" and row["source"] is None and row["issues"] == []
    views = pa.table(read_many([urlset], columns=quick_sitemap.COLUMNS, string_views=True))
    assert views.schema.field("loc").type == pa.string_view() and views.to_pylist() == table.to_pylist()


def test_sources(files, urlset):
    named = pa.table(read_many([("x", urlset), ("y", io.BytesIO(urlset)), ("z", files[0]), files[0], urlset]))
    sources = named["source"].to_pylist()[::3]
    assert sources == ["x", "y", "z", str(files[0]), None]
    for one in (urlset, str(files[0]), files[0], ("name", urlset), pa.py_buffer(urlset), memoryview(urlset)):
        assert pa.table(read_many(one)).num_rows == 3
    assert pa.table(read_many((urlset, urlset))).num_rows == 6
    assert pa.table(read_many((str(files[0]), str(files[0])))).num_rows == 6
    assert pa.table(read_many([], columns=["loc"])).num_rows == 0


def test_an_iterator_is_read_lazily_and_once(urlset):
    asked = []

    def sources():
        for number in range(5):
            asked.append(number)
            yield str(number), urlset

    batches = read_many(sources(), batch_rows=3)
    assert asked == []
    reader = pa.RecordBatchReader.from_stream(batches)
    assert asked == []
    assert reader.read_next_batch().num_rows == 3
    assert len(asked) <= 2
    assert reader.read_all().num_rows == 12
    assert asked == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="has been read"):
        pa.table(batches)


def test_errors(files, tmp_path):
    missing = tmp_path / "no-such.xml"
    table = pa.table(read_many([missing, files[0]]))
    assert table.num_rows == 4 and "No such file" in table["error"][0].as_py()
    with pytest.raises(Exception, match="truncated"):
        pa.table(read_many(files, on_error="raise"))
    reader = pa.RecordBatchReader.from_stream(read_many(files[1:], on_error="raise"))
    assert reader.read_next_batch().num_rows == 2
    with pytest.raises(Exception, match="b.xml.*truncated"):
        reader.read_next_batch()
    with pytest.raises(Exception, match="a path, bytes, a file object or a callable is expected, not int"):
        pa.table(read_many([files[0], 1]))
    with pytest.raises(ValueError, match="there is no column `url`; the columns are source, kind, loc, "):
        read_many(files, columns=["url"])
    with pytest.raises(ValueError, match="on_error"):
        read_many(files, on_error="ignore")
    with pytest.raises(TypeError):
        read_many(1)


def test_an_exception_of_the_sources_is_not_a_row():
    def sources():
        yield b"https://example.com/\n"
        raise RuntimeError("the catalogue is gone")

    with pytest.raises(Exception, match="the catalogue is gone"):
        pa.table(read_many(sources()))


@pytest.mark.parametrize("name, body, skipped, message", SILENT)
def test_a_source_without_a_page_is_raised(name, body, skipped, message):
    with pytest.raises(Exception) as raised:
        pa.table(read_many([(name, body)], on_error="raise"))
    assert f"{name}: {message}" in str(raised.value)
    [row] = read_many([(name, body)])
    assert (row["source"], row["kind"], row["loc"], row["error"], row["skipped"]) == (name, "no-entries", None, message, skipped)


def test_a_date_that_python_does_not_have_is_null():
    dates = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01", "9999-12-31T23:59:59.999999Z"]
    body = urlset_of("".join(f"<url><loc>https://example.com/</loc><lastmod>{date}</lastmod></url>" for date in dates))
    rows = pa.table(read_many(body, columns=["lastmod", "lastmod_text"])).to_pylist()
    assert [row["lastmod_text"] for row in rows] == dates
    assert [row["lastmod"] and row["lastmod"].year for row in rows] == [None, None, 1, 9999]
    assert [row["lastmod"] for row in rows] == [page.lastmod for page in quick_sitemap.read(body)]


def test_names_need_not_be_unicode(tmp_path, urlset):
    name = "a\udcff.xml"
    [row] = read_many((name, b"https://example.com/a"), columns=["source", "loc"])
    assert row["source"].startswith("a\ufffd") and row["loc"]
    with pytest.raises(TypeError, match="the name of a source must be a str or None, not bytes"):
        list(read_many([(b"name", urlset)]))
    file = io.BytesIO(urlset)
    file.name = name
    assert next(iter(read_many(file)))["source"].startswith("a\ufffd")


def test_an_array_of_paths_is_no_bytes(files):
    numpy = pytest.importorskip("numpy")
    paths = [str(path) for path in files]
    expected = list(read_many(paths))
    for array in (numpy.array(paths), numpy.array(files, dtype=object)):
        assert list(read_many(array)) == expected
        with pytest.raises(TypeError, match="not ndarray"):
            quick_sitemap.read(array)
    assert len(list(quick_sitemap.read(numpy.frombuffer(b"https://example.com/a", dtype=numpy.uint8)))) == 1


def test_a_mapping_names_its_sources(files, urlset):
    from types import MappingProxyType

    sources = {"a": urlset, "b": files[0], "c": lambda: urlset, "d": b"<html/>"}
    for mapping in (sources, MappingProxyType(sources)):
        table = read_many(mapping, columns=["source", "loc"])
        assert [row["source"] for row in table] == ["a"] * 3 + ["b"] * 3 + ["c"] * 3 + ["d"]
        assert len(list(table)) == 10, "it can be read again"
    assert list(read_many({})) == []


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not show the memory of a process")
def test_memory_does_not_grow_with_the_number_of_sources():
    """90,000 sources need hardly more than 15,000. In a process of its own, whose peak no other test has raised."""
    program = """
import quick_sitemap, sys
body = b"<urlset>" + b"<url><loc>https://example.com/a</loc></url>" * 2 + b"</urlset>"
sources = ((f"{number}.xml", lambda: body) for number in range(int(sys.argv[1])))
rows = sum(1 for _ in quick_sitemap.read_many(sources))
assert rows == 2 * int(sys.argv[1]), rows
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""
    most = []
    for number in (15_000, 90_000):
        ran = subprocess.run(
            [sys.executable, "-c", program, str(number)], capture_output=True, text=True, timeout=500
        )
        assert ran.returncode == 0, ran.stderr
        most.append(int(ran.stdout))
    assert most[1] < most[0] + 4096, most


def test_columns_can_be_any_iterable(urlset):
    for columns in (("loc", "kind"), iter(["loc", "kind"]), {"loc": 1, "kind": 2}.keys()):
        assert pa.table(read_many(urlset, columns=columns)).column_names == ["loc", "kind"]
    assert pa.table(read_many(urlset, columns={"loc"})).column_names == ["loc"]
    assert sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(read_many(urlset, columns=[]))) == 3
    with pytest.raises(TypeError, match="columns must be a list of names, not one text"):
        read_many(urlset, columns="loc")


def test_rows_cannot_be_read_while_they_are_read(urlset):
    errors = []

    def on_progress(progress):
        with pytest.raises(RuntimeError, match="being read"):
            next(rows)
        errors.append(progress.files)

    rows = iter(read_many(urlset, on_progress=on_progress))
    assert len(list(rows)) == 3 and errors
    with pytest.raises(TypeError, match="on_progress must be a function"):
        read_many(urlset, on_progress=5)


def test_rows_are_counted_as_they_are_read(files):
    """Not before, because `list` asks for the length, too: the files would be read twice."""
    opened = []

    def opening():
        opened.append(1)
        return files[0]

    table = read_many([opening, files[1]])
    with pytest.raises(TypeError, match="counted as they are read"):
        len(table)
    assert bool(table) and len(list(table)) == 6 and opened == [1]
    assert len(table) == 6
    next(iter(table))
    assert len(table) == pa.table(table).num_rows == 6


def test_rows_as_dicts(files, urlset):
    for columns in (None, ["loc", "lastmod"], quick_sitemap.COLUMNS):
        for views in (False, True):
            batches = read_many(files, columns=columns, string_views=views, batch_rows=2)
            assert list(batches) == pa.table(batches).to_pylist()
    once = read_many(iter(files))
    assert len(list(once)) == 7
    with pytest.raises(ValueError, match="has been read"):
        list(once)
    rows = iter(read_many(files, on_error="raise"))
    assert sum(1 for _ in zip(range(5), rows)) == 5
    with pytest.raises(quick_sitemap.TruncatedError) as raised:
        next(rows)
    assert raised.value.source == str(files[1]) and raised.value.line == 5
    with pytest.raises(quick_sitemap.NoEntriesError):
        list(read_many(SILENT[0][:2], on_error="raise"))

    def sources():
        yield urlset
        raise KeyError("the catalogue is gone")

    with pytest.raises(KeyError):
        list(read_many(sources()))


def test_columns_show_no_passwords(urlset):
    table = pa.table(read_many([("https://user:word@example.com/a.xml", urlset), "https://user:word@example.com/b.xml"]))
    assert table["source"].to_pylist() == ["https://***@example.com/a.xml"] * 3 + ["https://***@example.com/b.xml"]
    failing = Body(error=ConnectionError("GET https://user:word@example.com/\r\n::error::\u202e"))
    error = pa.table(read_many([failing]))["error"][0].as_py()
    assert "https://***@example.com/" in error and "word" not in error and error.isprintable()
    with pytest.raises(ValueError) as raised:
        read_many([urlset], columns=["a\nb\u202e"])
    assert str(raised.value).isprintable()
    with pytest.raises(ValueError) as raised:
        read_many([urlset], on_error="a\nb\u202e")
    assert str(raised.value).isprintable()
