"""Measures the CPU seconds from a site to a pandas frame, and the pages that are lost, for this package, advertools and
ultimate-sitemap-parser.

    python site.py [--rounds N]

The site has 30,000 pages in eight sitemaps, and is served by another process of this machine. It has gzipped files, images,
versions in other languages, an unescaped & in one sitemap, a text sitemap, a sitemap that has moved, and one that is answered
with 503 at first. The figures are the CPU seconds of this process, user and system, of the best of several rounds, in which
the libraries take turns.
"""

import argparse
import gzip
import http.server
import subprocess
import sys
import threading
import urllib.request
import warnings
from collections import Counter

from compare import best_of

NAMESPACES = (
    "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml' "
    "xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'"
)
PAGES = 30_000


def urlset(entries):
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<urlset {NAMESPACES}>\n{''.join(entries)}</urlset>\n".encode()


def product(home, number):
    date = f"20{number % 25:02}-{number % 12 + 1:02}-{number % 28 + 1:02}"
    return (
        f"<url><loc>{home}shop/item-{number}</loc><lastmod>{date}</lastmod><changefreq>daily</changefreq>"
        f"<priority>0.5</priority><image:image><image:loc>{home}img/{number}.jpg</image:loc></image:image></url>\n"
    )


def guide(home, number, language):
    links = "".join(
        f"<xhtml:link rel='alternate' hreflang='{other}' href='{home}{other}/guide/{number}'/>" for other in ("en", "de", "fr")
    )
    return f"<url><loc>{home}{language}/guide/{number}</loc><lastmod>2025-11-01</lastmod>{links}</url>\n"


def post(home, number):
    query = "?q=a&b=2" if number == 1000 else ""
    return f"<url><loc>{home}blog/post-{number}{query}</loc><lastmod>2025-10-{number % 28 + 1:02}</lastmod></url>\n"


def site(home):
    """The bodies of the site by path."""
    bodies = {
        f"/products-{part}.xml.gz": gzip.compress(urlset(product(home, part * 8000 + n) for n in range(8000)))
        for part in range(3)
    }
    bodies["/guides.xml"] = urlset(guide(home, n, language) for n in range(1000) for language in ("en", "de", "fr"))
    bodies["/blog.xml"] = urlset(post(home, n) for n in range(2500))
    bodies["/pages.txt"] = "".join(f"{home}page/{n}\n" for n in range(300)).encode()
    bodies["/moved.xml"] = urlset(f"<url><loc>{home}moved/{n}</loc></url>\n" for n in range(100))
    bodies["/busy.xml"] = urlset(f"<url><loc>{home}busy/{n}</loc></url>\n" for n in range(100))
    listed = "".join(f"<sitemap><loc>{home}{path[1:]}</loc></sitemap>\n" for path in bodies)
    bodies["/index.xml"] = f"<sitemapindex {NAMESPACES}>\n{listed}</sitemapindex>\n".encode()
    bodies["/robots.txt"] = f"User-agent: *\nSitemap: {home}index.xml\n".encode()
    return bodies


def serve():
    requested = Counter()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            path = self.path
            requested[path] += 1
            if path == "/reset":
                requested.clear()
                self.answer(200, b"")
            elif path == "/busy.xml" and requested[path] == 1:
                self.answer(503, b"busy", {"Retry-After": "0"})
            elif path == "/moved.xml":
                self.answer(301, b"", {"Location": "/archive/moved.xml"})
            else:
                body = bodies.get(path.replace("/archive", ""))
                self.answer(404 if body is None else 200, body or b"<html>")

        do_HEAD = do_GET

        def answer(self, status, body, headers={}):
            self.send_response(status)
            for name, value in {**headers, "Content-Length": len(body)}.items():
                self.send_header(name, str(value))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    home = f"http://127.0.0.1:{server.server_port}/"
    bodies = site(home)
    print(home, flush=True)
    # Ends with the process that has started it.
    threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
    server.serve_forever()


def with_crawl_table(home):
    import pandas
    import pyarrow
    import quick_sitemap

    # The frame keeps the texts as Arrow has them.
    table = pyarrow.table(quick_sitemap.crawl_table(home))
    return table.to_pandas(types_mapper=pandas.ArrowDtype)["loc"].nunique()


def with_crawl_table_objects(home):
    import pyarrow
    import quick_sitemap

    return pyarrow.table(quick_sitemap.crawl_table(home)).to_pandas()["loc"].nunique()


def with_crawl(home):
    import pandas
    import quick_sitemap

    return pandas.DataFrame(page.to_dict() for page in quick_sitemap.crawl(home))["loc"].nunique()


def with_advertools(home):
    import advertools

    return advertools.sitemap_to_df(home + "robots.txt")["loc"].nunique()


def with_ultimate_sitemap_parser(home):
    import pandas
    from usp.tree import sitemap_tree_for_homepage

    return pandas.DataFrame(page.to_dict() for page in sitemap_tree_for_homepage(home).all_pages())["url"].nunique()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.serve:
        return serve()
    warnings.simplefilter("ignore")
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        home = server.stdout.readline().strip()

        def fresh(run):
            def passed():
                urllib.request.urlopen(home + "reset").close()
                return run(home)

            return passed

        passes = {
            "crawl_table to pandas, texts as Arrow strings": with_crawl_table,
            "crawl_table to pandas, a Python object for each text": with_crawl_table_objects,
            "crawl, to_dict() of each page to pandas": with_crawl,
            "advertools, sitemap_to_df": with_advertools,
            "ultimate-sitemap-parser, to_dict() of each page to pandas": with_ultimate_sitemap_parser,
        }
        # The first round imports the packages.
        best_of({name: fresh(run) for name, run in passes.items()}, 1)
        found = best_of({name: fresh(run) for name, run in passes.items()}, given.rounds)
        server.stdin.close()
    first = next(iter(found.values()))[0]
    print("| | pages | lost | CPU seconds | times the first |\n|---|--:|--:|--:|--:|")
    for name, (taken, pages) in found.items():
        print(f"| {name} | {pages:,} | {PAGES - pages:,} | {taken:.3f} | {taken / first:.1f} |")


if __name__ == "__main__":
    main()
