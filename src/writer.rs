//! Writing one file ([`UrlsetWriter`], [`IndexWriter`], [`TextWriter`]) or any number of parts ([`SplitWriter`]), and the
//! options that they share.

mod builder;
mod check;
mod failure;
mod file_text;
mod namespace;
mod parts;
mod sitemap_file;
mod split;
mod stylesheet;

use std::fmt;
use std::io::Write;

use crate::entry::{SitemapEntry, UrlEntry};
use crate::error::Result;
use crate::format::Format;

pub use self::builder::WriterBuilder;
use self::file_text::Content;
pub use self::namespace::Namespace;
pub use self::parts::{CompleteSet, Memory, PartId, Parts, Progress};
use self::sitemap_file::SitemapFile;
pub use self::split::{Group, SplitWriter};
pub use self::stylesheet::STYLESHEET;

impl WriterBuilder {
    /// Creates a writer of pages.
    pub fn urlset<W: Write>(&self, output: W) -> UrlsetWriter<W> {
        UrlsetWriter(SitemapFile::new(self, Some("urlset"), output))
    }

    /// Creates a writer of an index.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{SitemapEntry, WriterBuilder};
    ///
    /// let mut index = WriterBuilder::new().indent(2).index(Vec::new());
    /// index.write(&SitemapEntry::try_from("https://example.com/posts.xml")?)?;
    /// assert!(String::from_utf8(index.finish()?).unwrap().contains("\n  <sitemap>"));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn index<W: Write>(&self, output: W) -> IndexWriter<W> {
        IndexWriter(SitemapFile::new(self, Some("sitemapindex"), output))
    }

    /// Creates a writer of a text sitemap. Only the limits and the location apply; other settings have no effect.
    pub fn text<W: Write>(&self, output: W) -> TextWriter<W> {
        TextWriter(SitemapFile::new(self, None, output))
    }

    /// Creates a writer of any number of pages, in as many urlsets as the limits require. The settings, including the
    /// limits, apply to every part.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Limits, Memory, UrlEntry, WriterBuilder};
    ///
    /// let settings = WriterBuilder::new().limits(Limits::default().with_entries(1));
    /// let mut site = settings.split(Memory::new(&"https://example.com/".parse().unwrap()));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.write(&UrlEntry::try_from("https://example.com/b")?)?;
    /// assert_eq!(site.finish()?.len(), 3); // two parts and their index
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn split<P: Parts>(&self, parts: P) -> SplitWriter<P> {
        SplitWriter::of_format(Format::Urlset, self.clone(), parts)
    }

    /// Creates a writer of any number of pages, in as many text sitemaps as the limits require. Only the loc of each entry
    /// is written, and the index contains the newest `lastmod` of each part. The limits, the location and
    /// [`escape`](Self::escape) apply to every part; other settings have no effect on text.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Memory, UrlEntry, WriterBuilder};
    ///
    /// let mut site = WriterBuilder::new().split_text(Memory::new(&"https://example.com/".parse().unwrap()));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// assert_eq!(site.finish()?[0], ("sitemap-1.txt".to_owned(), b"https://example.com/a\n".to_vec()));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn split_text<P: Parts>(&self, parts: P) -> SplitWriter<P> {
        SplitWriter::of_format(Format::Text, self.clone(), parts)
    }
}

macro_rules! writer {
    ($(#[$doc:meta])* $writer:ident, $method:ident, $entry:ty, $content:expr) => {
        $(#[$doc])*
        ///
        /// # All or nothing
        ///
        /// Every entry is encoded in memory and checked, then written. An entry that breaks a rule is rejected with an
        /// [`ErrorKind::Violation`](crate::ErrorKind::Violation): no part of it is written, you can go on writing, and
        /// `finish` produces a valid file. The message names the call that helps, if there is one; all of them are on the
        /// page [Rejected entries](crate::guide::refused). After an I/O error, every later call returns the same error.
        ///
        /// In a loop, continue only after an error that is a violation (`error.violation()` is `Some`), because it concerns one
        /// entry. Every other error ends the file.
        ///
        /// # Gzip
        ///
        /// Pass an encoder as the output. `finish` returns it, so that you can finish it too:
        ///
        /// ```
        /// # use flate2::Compression;
        /// # use flate2::write::GzEncoder;
        #[doc = concat!("let writer = quick_sitemap::", stringify!($writer), "::new(GzEncoder::new(Vec::new(), Compression::default()));")]
        /// // …
        /// let gzipped = writer.finish()?.finish()?;
        /// assert!(gzipped.starts_with(b"\x1F\x8B"));
        /// # Ok::<(), quick_sitemap::Error>(())
        /// ```
        ///
        /// # Output
        ///
        /// Output is written in pieces of about 32 KiB. Only [`finish`](Self::finish) completes the file. If the writer
        /// is dropped before that, the file is incomplete. Readers report an incomplete XML file as truncated; an
        /// incomplete text file is not recognized as such.
        #[must_use = "a sitemap is incomplete until `finish` is called"]
        pub struct $writer<W: Write>(SitemapFile<W>);

        impl<W: Write> $writer<W> {
            /// Creates a writer with the settings of [`WriterBuilder::new`]. Nothing is written yet.
            pub fn new(output: W) -> Self {
                WriterBuilder::new().$method(output)
            }

            /// Writes one entry.
            ///
            /// # Errors
            ///
            /// Returns the first violation, whether of the entry itself or of a limit of the file:
            /// [`TooManyEntries`](crate::Rule::TooManyEntries) for entry 50,001,
            /// [`TooManyBytes`](crate::Rule::TooManyBytes) if the finished file would be larger than 52,428,800 bytes
            /// (or than your own limits). In the latter case, a smaller entry can still fit. An I/O error is fatal.
            pub fn write(&mut self, entry: &$entry) -> Result<()> {
                self.0.write($content(entry))
            }

            /// Returns the number of entries that have been written.
            pub const fn entries(&self) -> u64 {
                self.0.text.entries
            }

            /// Returns the number of bytes that the file would have if it were finished now, to which
            /// [`limits`](WriterBuilder::limits) apply. The value is 0 before the first entry.
            pub fn bytes(&self) -> u64 {
                self.0.text.bytes()
            }

            /// Returns a reference to the output. Buffered data is not included.
            pub const fn get_ref(&self) -> &W {
                &self.0.output
            }

            /// Returns a mutable reference to the output. Do not write to it; use it, for example, to take finished
            /// bytes out of an encoder. Buffered data is not included.
            pub const fn get_mut(&mut self) -> &mut W {
                &mut self.0.output
            }

            /// Writes the remaining data and the end of the file, flushes the output and returns it.
            ///
            /// # Errors
            ///
            /// An I/O error, even if it occurred in an earlier call. A violation if XML cannot represent the style
            /// sheet or a namespace. [`TooManyBytes`](crate::Rule::TooManyBytes) if the limit is too small even for an
            /// empty file.
            pub fn finish(self) -> Result<W> {
                self.0.finish()
            }
        }

        impl $writer<Vec<u8>> {
            /// Takes the bytes that are complete so far, for the body of a response that is sent while it is written. They
            /// end with an entry, and are empty before the first entry. [`finish`](Self::finish) returns the rest.
            ///
            /// # Examples
            ///
            /// See [the cookbook](crate::guide::cookbook#serve-from-axum-actix-or-hyper).
            pub fn take(&mut self) -> Vec<u8> {
                self.0.take()
            }
        }

        impl<W: Write> fmt::Debug for $writer<W> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.text.debug(f, stringify!($writer))
            }
        }
    };
}

writer! {
    /// Writes pages as a `<urlset>`.
    ///
    /// Every file that is written is valid against the schema of the protocol
    /// ([`sitemap.xsd`](https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd)) and those of the extensions, except
    /// for four things that the protocol allows and the schemas do not:
    ///
    /// * an empty urlset;
    /// * a loc of fewer than 12 characters, such as `http://a.b/` (the schema has a `minLength`);
    /// * a lastmod of a year, a month or a minute, and a date of news to the minute, which Google allows (the schemas
    ///   have `xsd:date` and `xsd:dateTime`);
    /// * elements in [`UrlEntry::foreign`], because the wildcard of the schema is strict, so a validator needs a schema
    ///   of their namespace too; and attributes of an alternate that links do not have in XHTML.
    ///
    /// A reader with the default [bounds](crate::guide::limits) returns exactly the entries that were written. An entry
    /// that exceeds such a bound is rejected.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ErrorKind, Rule, UrlEntry, UrlsetWriter};
    ///
    /// let mut writer = UrlsetWriter::new(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/?a=1&b=2")?)?;
    ///
    /// let mut wrong = UrlEntry::try_from("https://example.com/")?;
    /// wrong.loc = "ftp://example.com/".parse().unwrap();
    /// let error = writer.write(&wrong).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Violation(v) if v.rule() == Rule::UnsupportedScheme));
    ///
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert_eq!(xml, r#"<?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/?a=1&amp;b=2</loc></url>
    /// </urlset>
    /// "#);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    UrlsetWriter, urlset, UrlEntry, Content::Page
}

writer! {
    /// Writes an index: the sitemaps of a site, as a `<sitemapindex>`.
    ///
    /// Every file that is written is valid against the schema of the protocol
    /// ([`siteindex.xsd`](https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd)), except for four things that the
    /// protocol allows and the schema does not: an empty index, a loc of fewer than 12 characters, a lastmod of a year, a
    /// month or a minute, and elements in [`SitemapEntry::foreign`].
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{IndexWriter, SitemapEntry};
    ///
    /// let mut writer = IndexWriter::new(Vec::new());
    /// writer.write(&SitemapEntry::try_from("https://example.com/sitemap-1.xml")?)?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>\n"));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    IndexWriter, index, SitemapEntry, Content::Sitemap
}

writer! {
    /// Writes a text sitemap: one URL per line, in UTF-8. Only the loc of an entry is written.
    ///
    /// A text sitemap without entries is an empty file, which a reader cannot recognize as a sitemap.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{TextWriter, UrlEntry};
    ///
    /// let mut writer = TextWriter::new(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/?a=1&b=2")?)?;
    /// assert_eq!(writer.finish()?, b"https://example.com/?a=1&b=2\n");
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    TextWriter, text, UrlEntry, Content::Page
}
