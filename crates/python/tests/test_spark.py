"""The example on a cluster of two workers on this machine: the counts are right, although an executor is killed."""

import gzip
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

pyspark = pytest.importorskip("pyspark")

FILES = 2100
PAGES = 40
EXECUTORS = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
NS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def generate(folder: Path):
    """Writes FILES files: every second is gzipped, every fifth truncated, every seventh an HTML page. Returns the counts."""
    hosts, errors = Counter(), 0
    for number in range(FILES):
        host = f"site-{number % 97}.example"
        below = folder / f"{number % 10}"
        below.mkdir(parents=True, exist_ok=True)
        pages = PAGES
        if number % 7 == 0:
            body, pages, error = b"<html><body>503 Service Unavailable</body></html>", 0, 1
        else:
            entries = [
                f"<url><loc>https://{host}/{number}/{page}</loc><priority>0.{page % 10}</priority></url>\n"
                for page in range(PAGES)
            ]
            body, error = f"<urlset xmlns='{NS}'>\n{''.join(entries)}</urlset>".encode(), 0
            if number % 5 == 0:
                # In the middle of a page, after this number of complete pages.
                pages, error = number % PAGES, 1
                body = body[: body.index(f"/{number}/{pages}</loc>".encode())]
        hosts[host] += pages
        errors += error
        name = f"{number}.xml.gz" if number % 2 else f"{number}.xml"
        (below / name).write_bytes(gzip.compress(body, 1) if number % 2 else body)
    # Spark has no row for them, and takes a name that begins with `_` for one of its own.
    for name in ["empty.xml", "1/empty.xml.gz"]:
        (folder / name).write_bytes(b"")
        errors += 1
    (folder / "_SUCCESS").write_bytes(b"")
    return Counter({host: count for host, count in hosts.items() if count}), errors


def executors(driver: int):
    """Process ids of this driver's executors."""
    found = []
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines()[1:]:
        pid, _, arguments = line.strip().partition(" ")
        if EXECUTORS in arguments and f":{driver}" in arguments and "java" in arguments:
            found.append(int(pid))
    return found


@pytest.fixture
def session(monkeypatch):
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("!! there is no Java runtime: Spark was NOT tested")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", False)
        .config("spark.executor.memory", "1g")
        .config("spark.sql.shuffle.partitions", 4)
        .getOrCreate()
    )
    yield session
    session.stop()


def load_example():
    path = Path(__file__).parent.parent / "examples" / "spark.py"
    spec = importlib.util.spec_from_file_location("spark_example", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Executors do not have the file, so its definitions are sent with the job.
    import pyspark.cloudpickle

    sys.modules["spark_example"] = module
    pyspark.cloudpickle.register_pickle_by_value(module)
    return module


def test_every_host_is_counted_though_an_executor_is_killed(session, tmp_path):
    example = load_example()
    hosts, errors = generate(tmp_path / "sitemaps")
    marks = tmp_path / "marks"
    marks.mkdir()
    # Each task leaves a mark and takes a while, so that the kill comes while the stage runs.
    inner = example.rows

    def slow(batches, inner=inner, marks=str(marks)):
        import os
        import time

        for batch in inner(batches):
            open(os.path.join(marks, f"{os.getpid()}-{time.time_ns()}"), "w").close()
            time.sleep(0.5)
            yield batch

    example.rows = slow
    port = int(session.conf.get("spark.driver.port"))
    killed = []
    written = threading.Event()

    def kill():
        while not written.is_set():
            alive = executors(port)
            if any(marks.iterdir()) and alive:
                os.kill(alive[0], signal.SIGKILL)
                killed.append(alive[0])
                return
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    frame = example.read_folder(session, str(tmp_path / "sitemaps"))
    frame.write.parquet(str(tmp_path / "table"))
    written.set()
    killer.join()
    assert killed, "an executor was to be killed in mid-stage"
    table = session.read.parquet(str(tmp_path / "table"))
    rows = {row["host"]: row["count"] for row in table.where("error IS NULL").groupBy("host").count().collect()}
    assert rows == hosts
    assert table.where("error IS NOT NULL").count() == errors
    assert table.where("priority = 0.7").count() > 0
