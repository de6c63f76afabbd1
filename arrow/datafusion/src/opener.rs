use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::not_impl_err;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener};
use datafusion::error::{DataFusionError, Result};
use datafusion::object_store::{GetOptions, GetResultPayload, ObjectStore};
use datafusion::physical_plan::metrics::Count;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use quick_sitemap_arrow::{BatchDecoder, BatchesBuilder, Error};
use url::Url;

/// Reads one file after the other into batches of the requested columns.
pub(crate) struct SitemapOpener {
    store: Arc<dyn ObjectStore>,
    store_url: Url,
    decoders: Decoders,
    bytes_scanned: Count,
}

impl SitemapOpener {
    pub(crate) fn new(
        store: Arc<dyn ObjectStore>,
        store_url: Url,
        options: BatchesBuilder,
        bytes_scanned: Count,
    ) -> Self {
        Self {
            store,
            store_url,
            decoders: Decoders {
                options,
                idle: Arc::default(),
            },
            bytes_scanned,
        }
    }
}

impl FileOpener for SitemapOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        if file.range.is_some() {
            return not_impl_err!("a sitemap can't be read from the middle");
        }
        let store = Arc::clone(&self.store);
        let location = file.object_meta.location;
        let decoders = self.decoders.clone();
        let bytes_scanned = self.bytes_scanned.clone();

        let mut name = self.store_url.clone();
        // A percent sign is an ordinary character in a path, but not in a URL.
        name.set_path(&location.as_ref().replace('%', "%25"));
        let mut decoder = decoders.take();
        decoder.begin(name.as_str()).map_err(engine_error)?;
        let open = async move {
            let input = match store.get_opts(&location, GetOptions::default()).await {
                Ok(found) => Input::new(found.payload),
                Err(error) => Input::Failed(Some(error.into())),
            };
            let reading = Reading {
                input,
                decoder,
                bytes_scanned,
            };
            Ok(reading.into_stream(decoders))
        };
        Ok(open.boxed())
    }
}

/// Decoders whose file has been read to its end. The next file uses their buffers again.
#[derive(Clone)]
struct Decoders {
    options: BatchesBuilder,
    idle: Arc<Mutex<Vec<BatchDecoder>>>,
}

impl Decoders {
    fn take(&self) -> BatchDecoder {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        idle.unwrap_or_else(|| self.options.decoder())
    }

    fn put_back(&self, decoder: BatchDecoder) {
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(decoder);
    }
}

/// One file that is being read.
struct Reading {
    input: Input,
    decoder: BatchDecoder,
    bytes_scanned: Count,
}

impl Reading {
    fn into_stream(self, decoders: Decoders) -> BoxStream<'static, Result<RecordBatch>> {
        let step = |(mut reading, decoders): (Self, Decoders)| async move {
            Ok(match reading.next_batch().await? {
                Some(batch) => Some((batch, (reading, decoders))),
                None => {
                    decoders.put_back(reading.decoder);
                    None
                }
            })
        };
        stream::try_unfold((self, decoders), step).boxed()
    }

    async fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some(batch) = self.decoder.next_batch().map_err(engine_error)? {
                return Ok(Some(batch));
            }
            if self.decoder.is_between_files() {
                return self.decoder.flush().map_err(engine_error);
            }
            match self.input.push_to(&mut self.decoder).await {
                Ok(0) => self.decoder.finish(),
                Ok(bytes) => self.bytes_scanned.add(bytes),
                Err(error) => self.decoder.fail(error),
            }
            // A file that returns no batch for a long time must not occupy a thread of the engine.
            tokio::task::yield_now().await;
        }
    }
}

/// The source of the bytes of a file.
enum Input {
    Local {
        file: File,
        buffer: Vec<u8>,
    },
    Remote {
        chunks: BoxStream<'static, datafusion::object_store::Result<Bytes>>,
        /// The part of the last chunk that has not been pushed.
        rest: Bytes,
    },
    Failed(Option<io::Error>),
}

/// Maximum number of bytes per push. Stores return chunks of any size; a store in memory returns a complete file.
const PIECE: usize = 64 << 10;

impl Input {
    fn new(payload: GetResultPayload) -> Self {
        match payload {
            GetResultPayload::File(file, _) => Self::Local {
                file,
                buffer: Vec::new(),
            },
            GetResultPayload::Stream(chunks) => Self::Remote {
                chunks,
                rest: Bytes::new(),
            },
        }
    }

    /// Pushes the next bytes, and returns their number. 0 is the end.
    async fn push_to(&mut self, decoder: &mut BatchDecoder) -> io::Result<usize> {
        match self {
            // Local files are read on the thread that decodes them, as DataFusion does for its own formats.
            Self::Local { file, buffer } => {
                buffer.resize(PIECE, 0);
                let read = loop {
                    match file.read(buffer) {
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        other => break other?,
                    }
                };
                decoder.push(buffer.get(..read).unwrap_or_default());
                Ok(read)
            }
            Self::Remote { chunks, rest } => {
                while rest.is_empty() {
                    match chunks.next().await {
                        Some(chunk) => *rest = chunk?,
                        None => return Ok(0),
                    }
                }
                let piece = rest.split_to(rest.len().min(PIECE));
                decoder.push(&piece);
                Ok(piece.len())
            }
            Self::Failed(error) => error.take().map_or(Ok(0), Err),
        }
    }
}

/// Errors of sitemaps keep their type, so that the caller can use `downcast_ref`.
fn engine_error(error: Error) -> DataFusionError {
    match error {
        Error::Arrow(error) => error.into(),
        error => DataFusionError::External(Box::new(error)),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::AsArray;
    use datafusion::object_store;
    use futures::TryStreamExt;
    use quick_sitemap_arrow::Column;

    use super::*;

    const PAGES: &[u8] = b"https://example.com/a\nhttps://example.com/b\nhttps://example.com/c\n";

    fn decoders() -> Decoders {
        Decoders {
            options: BatchesBuilder::new()
                .columns([Column::Loc, Column::Error])
                .batch_rows(2),
            idle: Arc::default(),
        }
    }

    /// The batches of a file that comes in these chunks.
    async fn read(
        decoders: &Decoders,
        chunks: Vec<object_store::Result<Bytes>>,
    ) -> Result<Vec<RecordBatch>> {
        let mut decoder = decoders.take();
        decoder.begin("a.txt").unwrap();
        let reading = Reading {
            input: Input::new(GetResultPayload::Stream(stream::iter(chunks).boxed())),
            decoder,
            bytes_scanned: Count::new(),
        };
        reading.into_stream(decoders.clone()).try_collect().await
    }

    fn texts(batches: &[RecordBatch], column: usize) -> Vec<Option<String>> {
        batches
            .iter()
            .flat_map(|batch| batch.column(column).as_string::<i32>())
            .map(|text| text.map(str::to_owned))
            .collect()
    }

    #[tokio::test]
    async fn rows_do_not_depend_on_how_chunks_are_cut() {
        let decoders = decoders();
        for size in [1, 7, PAGES.len()] {
            let chunks = PAGES.chunks(size).map(|chunk| Ok(Bytes::from(chunk)));
            let batches = read(&decoders, chunks.collect()).await.unwrap();
            let rows: Vec<_> = batches.iter().map(RecordBatch::num_rows).collect();
            assert_eq!(rows, [2, 1]);
        }
        let nothing = vec![Ok(Bytes::new()), Ok(Bytes::new())];
        let batches = read(&decoders, nothing).await.unwrap();
        assert!(
            texts(&batches, 1)[0]
                .as_deref()
                .unwrap()
                .contains("it is empty")
        );
        // One after the other, they have all had the same decoder.
        assert_eq!(decoders.idle.lock().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_store_that_fails_in_the_middle_takes_nothing_back() {
        let broken = || object_store::Error::Generic {
            store: "test",
            source: "the connection is gone".into(),
        };
        let chunks = || vec![Ok(Bytes::from(PAGES)), Err(broken())];
        let batches = read(&decoders(), chunks()).await.unwrap();
        let found = texts(&batches, 0);
        assert_eq!(found.iter().flatten().count(), 3);
        let errors = texts(&batches, 1);
        let error = errors.last().unwrap().as_deref().unwrap();
        assert!(error.contains("the connection is gone"), "{error}");
        assert_eq!(errors.iter().flatten().count(), 1);

        let mut raising = decoders();
        raising.options = raising.options.fatal(quick_sitemap_arrow::Fatal::Raise);
        let error = read(&raising, chunks()).await.unwrap_err();
        let DataFusionError::External(error) = error else {
            panic!("{error:?}");
        };
        assert!(matches!(error.downcast_ref(), Some(Error::Sitemap { .. })));
    }
}
