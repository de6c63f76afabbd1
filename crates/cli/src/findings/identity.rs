//! Which findings of two runs are the same one.

use std::collections::{HashMap, HashSet};

use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};

use super::form::message;
use crate::judge::finding::Finding;
use crate::judge::verdicts::MISSING_PART;

/// Bits of an identity. A number of JSON is exact up to here.
const BITS: u32 = 53;

/// A finding, recognized by its rule, its sitemap, the page, and what was found. Its place does not count, and neither do
/// the numbers of the message that are not quoted, which are lines and counts.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Identity(u64);

impl Identity {
    /// The identity of a finding. Numbers of the message that are not quoted do not belong to it, because they are
    /// lines and counts.
    pub(crate) fn of(rule: &str, sitemap: &str, page: Option<&str>, message: &str) -> Self {
        let mut hash = Hash::new();
        let sitemap = sitemap.trim_start_matches("./");
        for part in [rule, sitemap, page.unwrap_or_default()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut is_quoted = false;
        for character in message.chars() {
            is_quoted ^= character == '`';
            // The comma is that of `1,204`.
            if is_quoted || !(character.is_ascii_digit() || character == ',') {
                hash.update(character.encode_utf8(&mut [0; 4]));
            }
        }
        let [a, b, c, d, e, f, g, h, ..] = hash.finalize();
        Self(u64::from_le_bytes([a, b, c, d, e, f, g, h]) >> (u64::BITS - BITS))
    }
}

/// The findings of an earlier run, and which of them have not been found again. A finding that was there twice is known
/// twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    left: HashMap<Identity, u64>,
    /// Sitemaps that could not be read now, or not to their end, and missing parts.
    unread: HashSet<String>,
}

impl Known {
    pub(crate) fn add(&mut self, identity: Identity) {
        *self.left.entry(identity).or_default() += 1;
    }

    /// The identity of a finding of this run. If it is that a sitemap cannot be read, none of the sitemap's earlier
    /// findings is fixed.
    pub(crate) fn see(&mut self, file: &str, finding: &Finding) -> Identity {
        let page = finding.page.as_deref();
        if finding.ends_reading() {
            self.unread.insert(file.to_owned());
        }
        if let (MISSING_PART, Some(part)) = (finding.rule, page) {
            self.unread.insert(part.to_owned());
        }
        Identity::of(finding.rule, file, page, &message(finding))
    }

    /// Returns `true` if the findings in a file cannot be fixed: it is one of the sitemaps that were not read to their
    /// end. A part of an index that is missing is known by its URL, and in a folder by the name of its file.
    pub(crate) fn is_unread(&self, file: &str) -> bool {
        fn name_of(text: &str) -> Option<&str> {
            text.rsplit(['/', '\\']).next()
        }
        let is_url = |text: &str| text.contains("://");
        let mut unread = self.unread.iter();
        self.unread.contains(file)
            || !is_url(file) && unread.any(|part| is_url(part) && name_of(part) == name_of(file))
    }

    /// Returns `true` if the finding was there before, and has not been taken yet.
    pub(crate) fn take(&mut self, identity: Identity) -> bool {
        match self.left.get_mut(&identity) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_counts_do_not_count_and_values_do() {
        let of = |message| Identity::of("rule", "sitemap.xml", Some("https://e.com/1"), message);
        let listed = of("`https://e.com/1` is already listed on line 1,204");
        assert_eq!(of("`https://e.com/1` is already listed on line 7"), listed);
        assert_ne!(of("`https://e.com/2` is already listed on line 7"), listed);
        assert_ne!(of("priority `1.5` is wrong"), of("priority `1.6` is wrong"));
    }

    #[test]
    fn rule_sitemap_and_page_count() {
        let of = |rule, sitemap, page| Identity::of(rule, sitemap, page, "");
        let one = of("a", "b", Some("c"));
        assert_eq!(of("a", "./b", Some("c")), one);
        for other in [
            of("x", "b", Some("c")),
            of("a", "x", Some("c")),
            of("a", "b", Some("x")),
            of("ab", "", Some("c")),
            of("a", "bc", None),
        ] {
            assert_ne!(other, one);
        }
        assert!(one.0 < 1 << BITS);
    }

    #[test]
    fn a_second_one_is_new() {
        let mut known = Known::default();
        let one = Identity::of("a", "b", None, "c");
        known.add(one);
        assert!(known.take(one));
        assert!(!known.take(one));
    }
}
