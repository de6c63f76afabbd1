"""Measures the CPU seconds for the pages of one sitemap, for this package, advertools and ultimate-sitemap-parser.

    python compare.py [FILE] [--pages N] [--rounds N]

Each reads the same bytes from this machine into what it offers: a pandas frame (read_many, advertools), or a list of
pages. CPU seconds of the process, user and system, of the best of several rounds; the passes take turns.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas
import pyarrow

import quick_sitemap

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def generated(pages: int) -> bytes:
    words = ["product", "category", "blog", "summer", "sale", "red", "blue", "review", "guide", "2025"]
    lines = []
    for number in range(pages):
        path = "-".join(words[(number * step) % 10] for step in (1, 3, 7))
        lines.append(
            f"  <url>\n    <loc>https://www.example.com/{path}/{number}</loc>\n"
            f"    <lastmod>20{number % 25:02}-{number % 12 + 1:02}-{number % 28 + 1:02}</lastmod>\n"
            f"    <changefreq>weekly</changefreq>\n    <priority>0.{number % 10}</priority>\n  </url>\n"
        )
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<urlset xmlns='{NS}'>\n{''.join(lines)}</urlset>\n".encode()


def with_read_many(path: Path) -> int:
    # The frame keeps the texts as Arrow has them.
    return len(pyarrow.table(quick_sitemap.read_many(path)).to_pandas(types_mapper=pandas.ArrowDtype))


def with_read_many_objects(path: Path) -> int:
    # A Python object for each text, as advertools has it.
    return len(pyarrow.table(quick_sitemap.read_many(path)).to_pandas())


def with_read(path: Path) -> int:
    return len(list(quick_sitemap.read(path)))


def with_advertools(path: Path) -> int:
    import advertools

    return len(advertools.sitemap_to_df(path.as_uri(), max_workers=1))


def with_ultimate_sitemap_parser(path: Path) -> int:
    from usp.tree import sitemap_from_str

    return sum(1 for _ in sitemap_from_str(path.read_text(encoding="utf-8")).all_pages())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("file", nargs="?", type=Path)
    arguments.add_argument("--pages", type=int, default=50_000)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.file and given.file.absolute()
        if path is None:
            path = Path(folder) / "sitemap.xml"
            path.write_bytes(generated(given.pages))
        compare(path, given.rounds)


def compare(path: Path, rounds: int) -> None:
    passes = {
        "read_many to pandas": lambda: with_read_many(path),
        "read_many to pandas, texts as objects": lambda: with_read_many_objects(path),
        "read, a list of pages": lambda: with_read(path),
        "advertools": lambda: with_advertools(path),
        "ultimate-sitemap-parser": lambda: with_ultimate_sitemap_parser(path),
    }
    found = best_of(passes, rounds)
    print(f"{path.stat().st_size:,} bytes\n\n| | pages | CPU seconds | times read_many |\n|---|--:|--:|--:|")
    for name, (taken, pages) in found.items():
        ratio = taken / found["read_many to pandas"][0]
        print(f"| {name} | {pages:,} | {taken:.3f} | {ratio:.1f} |")


def best_of(passes: dict[str, Callable[[], int]], rounds: int) -> dict[str, tuple[float, int]]:
    """The least CPU seconds of each pass, and its result. The passes take turns."""
    best: dict[str, tuple[float, int]] = {}
    for _ in range(rounds):
        for name, run in passes.items():
            with quiet():
                start = time.process_time()
                result = run()
                taken = time.process_time() - start
            best[name] = min(best.get(name, (taken, result)), (taken, result))
    return best


@contextmanager
def quiet() -> Iterator[None]:
    """Without the messages on stdout and stderr that some packages write."""
    null, kept = os.open(os.devnull, os.O_WRONLY), [os.dup(1), os.dup(2)]
    os.dup2(null, 1), os.dup2(null, 2)
    try:
        yield
    finally:
        sys.stdout.flush(), sys.stderr.flush()
        os.dup2(kept[0], 1), os.dup2(kept[1], 2)
        for descriptor in (null, *kept):
            os.close(descriptor)


if __name__ == "__main__":
    main()
