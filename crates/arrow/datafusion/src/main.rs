//! Sitemaps as a table of [DataFusion](https://datafusion.apache.org/): the number of pages per host, and the files that
//! could not be read.
//!
//! ```text
//! cargo run -- archive/*.xml.gz
//! ```

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::SessionContext;
use quick_sitemap_arrow::BatchesBuilder;
use quick_sitemap_arrow::Column::{Error, Host, Lastmod, Loc, Source};

/// Files that are read one after the other. DataFusion reads partitions in parallel.
#[derive(Debug)]
struct Partition {
    files: Vec<PathBuf>,
    options: BatchesBuilder,
    schema: SchemaRef,
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStream::builder(Arc::clone(&self.schema), 2);
        let (files, options, sender) = (self.files.clone(), self.options.clone(), stream.tx());
        stream.spawn_blocking(move || {
            for file in files {
                for batch in options.from_path(file).map_err(ArrowError::from)? {
                    // The query needs no more rows, as after a LIMIT.
                    if sender.blocking_send(Ok(batch?)).is_err() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        });
        stream.build()
    }
}

/// Registers the table `sitemaps`: a row per page, and one with `error` for a file that is broken.
fn register(context: &SessionContext, files: &[PathBuf]) -> Result<()> {
    let columns = [Source, Host, Loc, Lastmod, Error];
    let options = BatchesBuilder::new().columns(columns).string_views(true);
    let schema = options.decoder().schema();
    let partitions = context.state().config().target_partitions().max(1);
    let partition = |files: &[PathBuf]| -> Arc<dyn PartitionStream> {
        Arc::new(Partition {
            files: files.to_vec(),
            options: options.clone(),
            schema: Arc::clone(&schema),
        })
    };
    let chunks = files.chunks(files.len().div_ceil(partitions).max(1));
    let table = StreamingTable::try_new(Arc::clone(&schema), chunks.map(partition).collect())?;
    context.register_table("sitemaps", Arc::new(table))?;
    Ok(())
}

const HOSTS: &str =
    "SELECT host, count(*) AS pages FROM sitemaps WHERE error IS NULL GROUP BY host";
const ERRORS: &str = "SELECT source, error FROM sitemaps WHERE error IS NOT NULL";

#[tokio::main]
async fn main() -> Result<()> {
    let files: Vec<_> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let context = SessionContext::new();
    register(&context, &files)?;
    for query in [HOSTS, ERRORS] {
        context.sql(query).await?.show().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use datafusion::assert_batches_eq;

    use super::*;

    #[tokio::test]
    async fn pages_and_errors_are_rows() -> Result<()> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/data");
        let names = ["urlset.xml", "urlset.xml.gz", "error-page.html"];
        let files = names.map(|name| PathBuf::from(folder).join(name));
        let context = SessionContext::new();
        register(&context, &files)?;
        let hosts = context.sql(HOSTS).await?.collect().await?;
        let expected = [
            "+-----------------+-------+",
            "| host            | pages |",
            "+-----------------+-------+",
            "| www.example.com | 20    |",
            "+-----------------+-------+",
        ];
        assert_batches_eq!(expected, &hosts);
        let errors = context.sql(ERRORS).await?.collect().await?;
        assert_eq!(
            errors.iter().map(|batch| batch.num_rows()).sum::<usize>(),
            1
        );
        Ok(())
    }
}
