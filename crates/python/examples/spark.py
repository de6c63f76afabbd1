"""Sitemaps across a cluster: every file below a folder, as rows of a table.

    spark-submit spark.py s3a://archive/sitemaps/ s3a://warehouse/pages

`binaryFile` reads files with their bytes. If the bodies are in WARC files or a Parquet table, use any frame with a column of
names and one of bytes instead. Sitemaps are small, so a task gets a few hundred of them: starting a task costs as much as
reading thousands of pages. A file that can't be read has a row with `error`, and the last row of each file has the number of
skipped entries in `skipped`. Spark leaves out the bodies of empty files, so these are listed apart, with an error of their own. A task that is lost is run again.
"""

import sys
from collections.abc import Iterator

from pyspark.sql import DataFrame, SparkSession

SCHEMA = "source string, loc string, host string, lastmod timestamp, priority double, error string, skipped long"
COLUMNS = [field.split()[0] for field in SCHEMA.split(", ")]
FILES_A_TASK = 300


def rows(batches):
    """Runs on the executors: batches of names and bodies in, batches of rows out."""
    import pyarrow
    import quick_sitemap

    def sources():
        for batch in batches:
            for name, body in zip(batch.column(0), batch.column(1)):
                yield name.as_py(), body.as_py()

    yield from pyarrow.RecordBatchReader.from_stream(quick_sitemap.read_many(sources(), COLUMNS))


def sitemaps(bodies: DataFrame) -> DataFrame:
    """`bodies`: a column of names and one of bytes."""
    return bodies.mapInArrow(rows, SCHEMA)


def read_folder(spark: SparkSession, folder: str) -> DataFrame:
    # The size that is assumed for a file, so that a task gets this number of files.
    spark.conf.set("spark.sql.files.maxPartitionBytes", 128 << 20)
    spark.conf.set("spark.sql.files.openCostInBytes", (128 << 20) // FILES_A_TASK)
    # By default a batch of 10,000 bodies would be passed to Python at once.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    files = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(folder)
    rows = sitemaps(files.select("path", "content"))
    # `binaryFile` has no row for a file of 0 bytes, which is what a sitemap of a failed job often is.
    empty = [(name, "not a sitemap: it is empty") for name in empty_files(spark, folder)]
    error = spark.createDataFrame(empty, "source string, error string")
    return rows.unionByName(error, allowMissingColumns=True)


def empty_files(spark: SparkSession, folder: str) -> Iterator[str]:
    """The files without a byte in the folder and below it, except for hidden ones, as Spark sees them."""
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    files = path.getFileSystem(spark._jsc.hadoopConfiguration()).listFiles(path, True)
    while files.hasNext():
        file = files.next()
        if file.getLen() == 0 and not file.getPath().getName().startswith(("_", ".")):
            yield file.getPath().toString()


if __name__ == "__main__":
    session = SparkSession.builder.appName("sitemaps").getOrCreate()
    read_folder(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
