//! The last line of a file of JSON Lines that people keep: a version, the number of lines before it, and their digest. A
//! file that was cut between two lines lacks it.

use anyhow::bail;
use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};

/// Later versions are rejected.
const VERSION: u32 = 1;
/// Bytes of the digest.
const DIGEST: usize = 16;

/// It may have more fields.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Seal {
    /// The version.
    sealed: u32,
    lines: u64,
    digest: String,
}

/// Counts and digests lines.
#[derive(Clone)]
pub(crate) struct Sealing {
    hash: Hash,
    lines: u64,
}

impl Default for Sealing {
    fn default() -> Self {
        Self {
            hash: Hash::new(),
            lines: 0,
        }
    }
}

impl Sealing {
    /// The next line, without its end.
    pub(crate) fn line(&mut self, text: &[u8]) {
        self.hash.update(text);
        self.hash.update(b"\n");
        self.lines += 1;
    }

    /// The line that ends the file.
    pub(crate) fn seal(&self) -> Seal {
        let digest = self.hash.finalize();
        let digest = digest.iter().take(DIGEST);
        Seal {
            sealed: VERSION,
            lines: self.lines,
            digest: digest.map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

impl Seal {
    /// The seal in a line, if it is one.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }

    /// # Errors
    ///
    /// If the lines before are not those that were sealed, or if the version is a later one.
    pub(crate) fn check(&self, before: &Sealing) -> anyhow::Result<()> {
        if self.sealed > VERSION {
            bail!("it was written by a later version of the program");
        }
        let found = before.seal();
        if found.lines != self.lines {
            bail!(
                "it has {} lines, but {} were written",
                found.lines,
                self.lines
            );
        }
        if found.digest != self.digest {
            bail!("its lines are not those that were written, because their digest differs");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_and_a_change_are_seen() {
        let sealing = |lines: &[&str]| {
            let mut sealing = Sealing::default();
            lines.iter().for_each(|line| sealing.line(line.as_bytes()));
            sealing
        };
        let seal = sealing(&["a", "b"]).seal();
        let text = serde_json::to_vec(&seal).unwrap();
        let read = Seal::of(&text).unwrap();
        assert!(read.check(&sealing(&["a", "b"])).is_ok());
        for other in [&["a"][..], &["a", "c"], &["ab", ""], &["a", "b", "b"]] {
            assert!(read.check(&sealing(other)).is_err(), "{other:?}");
        }
        assert!(Seal::of(b"{\"sealed\":1,\"lines\":0,\"digest\":\"\",\"more\":1}").is_some());
        assert!(Seal::of(b"{\"file\":\"a\"}").is_none());
    }
}
