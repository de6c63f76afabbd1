//! The state file of `--resume`.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::crawl::Saved;
use serde::{Deserialize, Serialize};

use super::given::{Given, Skipped};
use super::issues::Counts;
use super::lines::Format;
use crate::sets::replacement::Replacement;
use crate::source::folder::open_regular;
use crate::term::address::Address;
use crate::term::messages::Advised;

/// What a crawl has done so far. Sitemaps that are done stand in the output, whole; all others are read again.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Resume {
    /// There were a user and a password.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) login: bool,
    pub(super) format: Format,
    pub(super) source: bool,
    /// Pages in the output.
    pub(super) output_pages: u64,
    /// The length of `--output` when the last of these sitemaps had been put out; what stands behind it in the file was
    /// put out by a crawl that was killed before it could say so here.
    pub(super) output_bytes: Option<u64>,
    /// By the URLs of sitemaps that are not done.
    #[serde(default, skip_serializing_if = "HashMap::is_empty")]
    pub(super) given: HashMap<String, Given>,
    /// By the URLs of sitemaps that are done. (`skipped` is a field of the library's.)
    #[serde(default, skip_serializing_if = "HashMap::is_empty")]
    pub(super) findings: HashMap<String, Skipped>,
    /// The file of `--issues`, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) issues: Option<Written>,
    /// Of the sitemaps that are done.
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    pub(super) issue_counts: Counts,
    #[serde(flatten)]
    pub(super) crawl: Saved,
}

/// A file that is written as the output is.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Written {
    /// As that of the output.
    pub(super) bytes: Option<u64>,
}

/// What has to be the same when a crawl is continued.
pub(super) struct Same<'s> {
    pub(super) site: &'s Address,
    pub(super) format: Format,
    pub(super) source: bool,
    pub(super) has_issues: bool,
}

impl Resume {
    /// `None`: there is no such file, and the crawl begins.
    ///
    /// # Errors
    ///
    /// If the file is no state file, or that of another crawl.
    pub(super) fn read(path: &Path, same: &Same<'_>) -> anyhow::Result<Option<Self>> {
        let mut text = Vec::new();
        match open_regular(path).and_then(|mut file| file.read_to_end(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).context(path.display().to_string()),
        }
        let state: Self = serde_json::from_slice(&text).map_err(|error| {
            let message = format!(
                "{} is not a state file of `sitemap crawl`: {error}",
                path.display()
            );
            Advised::new(
                message,
                "delete it to begin the crawl anew, or name another one",
            )
        })?;
        let earlier = state.crawl.start();
        if earlier != same.site.url() {
            bail!("{} belongs to a crawl of {earlier}", path.display());
        }
        if state.login && !same.site.has_login() {
            bail!(
                "{} belongs to a crawl with a user and a password, which are not stored; pass them again, as in \
                 https://user:password@example.com",
                path.display()
            );
        }
        if (state.format, state.source) != (same.format, same.source) {
            bail!(
                "{} belongs to a crawl with `--format {}`{}",
                path.display(),
                state.format.name(),
                if state.source { " and `--source`" } else { "" }
            );
        }
        match (&state.issues, same.has_issues) {
            (Some(_), false) => bail!(
                "{} belongs to a crawl with `--issues`; name that file with --issues",
                path.display()
            ),
            (None, true) => bail!(
                "{} belongs to a crawl without `--issues`, so the issues of the sitemaps that are done are not known",
                path.display()
            ),
            _ => Ok(Some(state)),
        }
    }
}

/// At any moment the file is the old one or the new one, complete.
pub(super) fn write(path: &Path, json: &[u8]) -> anyhow::Result<()> {
    let mut file = Replacement::of(path)?;
    file.write_all(json)?;
    file.put_in_place()?;
    Ok(())
}
