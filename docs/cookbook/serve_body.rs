use std::future::ready;
use std::io::{self, Write};

use flate2::{Compression, write::GzEncoder};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use quick_sitemap::{Result, UrlEntry, WriterBuilder};

/// One row of the query.
pub struct Row {
    pub loc: String,
    pub lastmod: String,
}

impl Row {
    fn page(&self) -> Result<UrlEntry> {
        let page = UrlEntry::try_from(self.loc.as_str())?;
        Ok(page.try_lastmod(&self.lastmod)?)
    }
}

/// Writes rows as they come, in chunks for the body of a response.
pub fn body(
    rows: impl Stream<Item = io::Result<Row>>,
    gzip: bool,
) -> impl Stream<Item = io::Result<Vec<u8>>> {
    let writer = WriterBuilder::new().escape(true).urlset(Vec::new());
    let encoder = gzip.then(|| GzEncoder::new(Vec::new(), Compression::default()));
    // The rows that have arrived become one chunk.
    let rows = Box::pin(rows.ready_chunks(200));
    let chunks = stream::try_unfold(Some((rows, writer, encoder)), async |state| {
        let Some((mut rows, mut writer, mut encoder)) = state else {
            return Ok(None);
        };
        let Some(batch) = rows.next().await else {
            let last = packed(&mut encoder, writer.finish()?)?;
            let trailer = encoder.map_or(Ok(Vec::new()), GzEncoder::finish)?;
            return Ok(Some(([last, trailer].concat(), None)));
        };
        for row in batch {
            let row = row?;
            // One row that no sitemap can contain does not cost the other 49,999.
            if let Err(error) = row.page().and_then(|page| writer.write(&page)) {
                eprintln!("{}: left out: {error}", row.loc);
            }
        }
        let chunk = packed(&mut encoder, writer.take())?;
        Ok(Some((chunk, Some((rows, writer, encoder)))))
    });
    // An empty chunk would end a chunked body.
    chunks.try_filter(|chunk| ready(!chunk.is_empty()))
}

fn packed(encoder: &mut Option<GzEncoder<Vec<u8>>>, chunk: Vec<u8>) -> io::Result<Vec<u8>> {
    let Some(encoder) = encoder else {
        return Ok(chunk);
    };
    encoder.write_all(&chunk)?;
    Ok(std::mem::take(encoder.get_mut()))
}
