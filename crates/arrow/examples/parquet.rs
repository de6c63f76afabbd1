//! All sitemaps of a folder, as one Parquet file: `parquet archive sitemaps.parquet`.

#![allow(
    clippy::indexing_slicing,
    reason = "a read returns at most the length of the buffer"
)]

use std::error::Error;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use quick_sitemap_arrow::BatchDecoder;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: parquet FOLDER OUTPUT".into());
    };
    convert(Path::new(&folder), Path::new(&output))
}

pub(crate) fn convert(folder: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    let mut paths = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();

    let mut decoder = BatchDecoder::new();
    let snappy = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let properties = Some(snappy.build());
    let mut parquet = ArrowWriter::try_new(File::create(output)?, decoder.schema(), properties)?;
    let mut buffer = vec![0; 64 << 10];
    for path in paths {
        decoder.begin(&*path.to_string_lossy())?;
        // A file that cannot be read, or is not a sitemap, is a row with a text in `error`.
        let mut file = File::open(&path);
        while !decoder.is_between_files() {
            match file.as_mut().map(|file| file.read(&mut buffer)) {
                Ok(Ok(0)) => decoder.finish(),
                Ok(Ok(n)) => decoder.push(&buffer[..n]),
                Ok(Err(error)) => decoder.fail(error),
                Err(error) => decoder.fail(error.kind().into()),
            }
            while let Some(batch) = decoder.next_batch()? {
                parquet.write(&batch)?;
            }
        }
    }
    if let Some(batch) = decoder.flush()? {
        parquet.write(&batch)?;
    }
    parquet.close()?;
    Ok(())
}
