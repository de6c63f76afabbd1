use std::io;
use std::time::Duration;

use flate2::{Compression, write::GzEncoder};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStoreExt, PutPayload};
use quick_sitemap::url::Url;
use quick_sitemap::{CompleteSet, IndexWriter, PartId, Parts, SplitWriter, UrlEntry};

/// `put` stores an object and waits until it is stored.
struct Upload<P> {
    put: P,
    base: Url,
    generation: String,
}

impl<P: FnMut(&Path, PutPayload) -> object_store::Result<()>> Upload<P> {
    fn upload(&mut self, name: &str, bytes: Vec<u8>) -> io::Result<Url> {
        let payload = PutPayload::from(bytes);
        let mut wait = Duration::from_millis(1); // use a second in production
        for _ in 0..5 {
            match (self.put)(&Path::from(name), payload.clone()) {
                Ok(()) => return self.base.join(name).map_err(io::Error::other),
                // Other errors, such as a missing permission, do not pass.
                Err(object_store::Error::Generic { .. }) => std::thread::sleep(wait),
                Err(error) => return Err(io::Error::other(error)),
            }
            wait *= 2;
        }
        Err(io::Error::other(format!(
            "{name}: the store does not answer"
        )))
    }
}

impl<P: FnMut(&Path, PutPayload) -> object_store::Result<()>> Parts for Upload<P> {
    type Part = GzEncoder<Vec<u8>>;
    type Output = Url;

    fn open(&mut self, _id: PartId<'_>) -> io::Result<Self::Part> {
        Ok(GzEncoder::new(Vec::new(), Compression::default()))
    }

    fn close(&mut self, id: PartId<'_>, part: Self::Part) -> io::Result<Url> {
        self.upload(
            &format!("sitemap-{}-{}.xml.gz", self.generation, id.number),
            part.finish()?,
        )
    }

    fn finish(mut self, set: CompleteSet<'_>) -> io::Result<Url> {
        let mut index = IndexWriter::new(Vec::new());
        set.parts.iter().try_for_each(|part| index.write(part))?;
        self.upload("sitemap.xml", index.finish()?)
    }
}

/// Uploads a site.
pub fn upload_site() -> Result<(), Box<dyn std::error::Error>> {
    // In an async program, run all of this in `spawn_blocking`.
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let store = InMemory::new();
    let mut tries = 0;
    let put = |path: &Path, payload| {
        tries += 1;
        if tries % 2 == 1 {
            // The store is busy for every other request.
            return Err(object_store::Error::Generic {
                store: "busy",
                source: "503".into(),
            });
        }
        runtime.block_on(store.put(path, payload)).map(drop)
    };
    let base = "https://example.com/".parse().unwrap();
    let mut site = SplitWriter::new(Upload {
        put,
        base,
        generation: "20260101T0300".to_owned(),
    });
    for number in 0..50_001 {
        site.write(&UrlEntry::try_from(&*format!(
            "https://example.com/{number}"
        ))?)?;
    }
    let index = site.finish()?;

    let size = |name: &str| {
        runtime
            .block_on(store.head(&Path::from(name)))
            .map(|object| object.size)
    };
    assert!(size("sitemap-20260101T0300-1.xml.gz")? > size("sitemap-20260101T0300-2.xml.gz")?);
    assert!(size("sitemap.xml")? > 0);
    // Search engines find the index by this line of robots.txt.
    assert_eq!(
        format!("Sitemap: {index}"),
        "Sitemap: https://example.com/sitemap.xml"
    );
    Ok(())
}
