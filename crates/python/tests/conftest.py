import gzip
import io
from pathlib import Path

import pytest

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"

URLSET = f"""<urlset xmlns='{NS}' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>
  <url><loc>https://example.com/a</loc><lastmod>2024-05</lastmod><priority>0.8</priority></url>
  <url><loc>https://example.com/b?x=1&amp;y=2</loc><changefreq>daily</changefreq>
    <image:image><image:loc>https://example.com/i.png</image:loc></image:image></url>
  <url><loc>https://www.example.org/c</loc><lastmod>2024-03-04T05:06:07+01:00</lastmod></url>
</urlset>""".encode()


@pytest.fixture
def urlset():
    return URLSET


@pytest.fixture
def cut():
    return URLSET[: URLSET.index(b"<url><loc>https://www")]


@pytest.fixture
def files(tmp_path, urlset, cut):
    """Three files: whole and gzipped, cut off, and no sitemap at all."""
    paths = [tmp_path / "a.xml.gz", tmp_path / "b.xml", tmp_path / "c.xml"]
    for path, body in zip(paths, [gzip.compress(urlset), cut, b"<html><body>404</body></html>"]):
        path.write_bytes(body)
    return paths


def raising(error):
    """A function that raises this exception."""

    def function(*arguments):
        raise error

    return function


class Body(io.BytesIO):
    """A body that counts what is read of it, and raises an exception at its end."""

    def __init__(self, body=b"", error=None):
        super().__init__(body)
        self.error = error
        self.reads = 0

    def read(self, size=-1):
        assert 0 < size <= 1 << 16
        self.reads += 1
        read = super().read(size)
        if not read and self.error:
            raise self.error
        return read


class Endless:
    """A body that does not end."""

    def __init__(self, chunk):
        self.chunk = chunk
        self.chunks = 0
        self.closed = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.chunks += 1
        return self.chunk

    def close(self):
        self.closed += 1


def urlset_of(inner: str) -> bytes:
    return f"<urlset xmlns='{NS}'>{inner}</urlset>".encode()


# Every entry of these is skipped: name, body, how many, the message.
LOST = [
    ("lost.xml", urlset_of("\n<url/>\n<url><loc>words</loc></url>"), 2, "no entries; 2 skipped, the first at 2:1: missing-loc"),
    ("one.xml", urlset_of("\n<url/>"), 1, "no entries; 1 skipped, at 2:1: missing-loc"),
]

# These sources return no page.
SILENT = [*LOST, ("empty.xml", urlset_of(""), 0, "no entries")]

# A page, an entry that is skipped, and a page whose priority is dropped.
HALF = urlset_of(
    "\n<url><loc>https://example.com/a</loc></url>"
    "\n<url><loc>words</loc></url>"
    "\n<url><loc>https://example.com/b</loc><priority>9</priority></url>\n"
)


def readme_block(part: str) -> str:
    """The program in the README that contains this text."""
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    blocks = [block.split("```")[0] for block in readme.split("```python\n")[1:]]
    [found] = [block for block in blocks if part in block]
    return found
