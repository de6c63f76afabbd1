//! `create`: files that get their name when they are complete.

use std::path::Path;

use super::new_file::NewFile;
use super::{IndexWriter, TextWriter, UrlsetWriter, WriterBuilder};
use crate::error::Result;

/// The methods that create a writer of one kind for a file.
macro_rules! create {
    ($(#[$doc:meta])* $writer:ident, $method:ident, $create:ident) => {
        impl $writer<NewFile> {
            $(#[$doc])*
            ///
            /// # Errors
            ///
            /// An I/O error with the path, if the file cannot be created, or if there is something other than a file.
            pub fn create(path: impl AsRef<Path>) -> Result<Self> {
                WriterBuilder::new().$create(path)
            }
        }

        impl WriterBuilder {
            #[doc = concat!("Creates a file, as [`", stringify!($writer), "::create`] does, with these settings.")]
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("# let path = std::env::temp_dir().join(format!(\"quick-sitemap-doc-", stringify!($create), "-{}.xml\", std::process::id()));")]
            /// use quick_sitemap::{Limits, WriterBuilder};
            ///
            /// let settings = WriterBuilder::new().limits(Limits::default().with_entries(10_000));
            #[doc = concat!("let writer = settings.", stringify!($create), "(&path)?;")]
            /// writer.finish()?;
            /// # std::fs::remove_file(&path).unwrap();
            /// # Ok::<(), quick_sitemap::Error>(())
            /// ```
            ///
            /// # Errors
            ///
            #[doc = concat!("Those of [`", stringify!($writer), "::create`].")]
            pub fn $create(&self, path: impl AsRef<Path>) -> Result<$writer<NewFile>> {
                let mut writer = self.$method(NewFile::by_name(path.as_ref())?);
                writer.0.complete = NewFile::complete;
                Ok(writer)
            }
        }
    };
}

create! {
    /// Creates a file of pages, gzipped if its name ends with `.gz`. It appears under its name when the writer is
    /// [finished](Self::finish); see [`NewFile`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("quick-sitemap-doc-create-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// use quick_sitemap::{Reader, UrlEntry, UrlsetWriter};
    ///
    /// let path = folder.join("sitemap.xml.gz");
    /// let mut writer = UrlsetWriter::create(&path)?;
    /// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// assert!(!path.exists());
    /// writer.finish()?;
    /// assert_eq!(Reader::from_path(&path)?.count(), 1);
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    UrlsetWriter, urlset, create_urlset
}

create! {
    /// Creates an index, gzipped if its name ends with `.gz`. It appears under its name when the writer is
    /// [finished](Self::finish); see [`NewFile`].
    IndexWriter, index, create_index
}

create! {
    /// Creates a text sitemap, gzipped if its name ends with `.gz`. It appears under its name when the writer is
    /// [finished](Self::finish); see [`NewFile`].
    TextWriter, text, create_text
}
