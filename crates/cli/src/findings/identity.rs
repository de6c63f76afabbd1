//! Which findings of two runs are the same one.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};

use crate::judge::finding::Finding;
use crate::judge::host_changes::HostChanges;
use crate::judge::page_key::{key_of, stable_name};
use crate::judge::rules::rule;
use crate::source::input::Input;

/// Bits of an identity. A number of JSON is exact up to here.
const BITS: u32 = 53;

/// A finding, recognized by its rule, its sitemap, the page, and the message without what is quoted in it. Neither its
/// place nor the offending value counts, so several findings of one page can be alike. They are counted.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Identity(u64);

impl Identity {
    pub(crate) fn of(rule: &str, sitemap: &str, page: Option<&str>, message: &str) -> Self {
        let mut hash = Hash::new();
        let page = key_of(page.unwrap_or_default());
        for part in [rule, &stable_name(sitemap), &stable_name(&page)] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        // Everything from the first quotation to the end of the last one is the value, which may have such marks itself.
        let (before, rest) = message.split_once('`').unwrap_or((message, ""));
        let (_, after) = rest.rsplit_once('`').unwrap_or_default();
        for character in before.chars().chain(after.chars()) {
            // Lines and counts: the comma is that of `1,204`.
            if !(character.is_ascii_digit() || character == ',') {
                hash.update(character.encode_utf8(&mut [0; 4]));
            }
        }
        let [a, b, c, d, e, f, g, h, ..] = hash.finalize();
        Self(u64::from_le_bytes([a, b, c, d, e, f, g, h]) >> (u64::BITS - BITS))
    }

    pub(crate) fn of_finding(file: &str, finding: &Finding) -> Self {
        let page = finding.page.as_deref();
        Self::of(finding.rule.name, file, page, &finding.message_and_cost())
    }
}

/// The findings of an earlier run, and which of them have not been found again. A finding that was there twice is known
/// twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    left: HashMap<Identity, u64>,
    /// Those of this run are named as they were before the site moved.
    hosts: HostChanges,
    /// Sitemaps that could not be read now, or not to their end, and missing parts.
    unread: HashSet<String>,
    /// Sitemaps that were begun.
    begun: HashSet<String>,
    /// Folders and sites all of whose sitemaps were looked for.
    searched: Vec<String>,
}

impl Known {
    pub(crate) fn before(hosts: &HostChanges) -> Self {
        Self {
            hosts: hosts.clone(),
            ..Self::default()
        }
    }

    /// The name of a sitemap of this run, as an earlier run knows it.
    fn name(&self, file: &str) -> String {
        stable_name(&self.hosts.undone(file)).into_owned()
    }

    pub(crate) fn add(&mut self, identity: Identity) {
        *self.left.entry(identity).or_default() += 1;
    }

    /// The identity that the finding of this run has for an earlier run; `own` is that of this one. If it is that a sitemap
    /// cannot be read, none of the sitemap's earlier findings is fixed.
    pub(crate) fn see(&mut self, file: &str, finding: &Finding, own: Identity) -> Identity {
        let page = finding.page.as_deref();
        if finding.ends_reading() {
            self.unread.insert(self.name(file));
        }
        let of_part = [
            rule!("missing-part"),
            rule!("refused-part"),
            rule!("unreachable-part"),
        ];
        if let Some(part) = page.filter(|_| of_part.contains(&finding.rule)) {
            self.unread.insert(self.name(part));
            let name = part.contains("://").then(|| name_of(part).to_owned());
            self.unread.extend(name);
        }
        if self.hosts.is_empty() {
            return own;
        }
        let page = page.map(|page| self.hosts.undone(page));
        Identity::of(
            finding.rule.name,
            &self.hosts.undone(file),
            page.as_deref(),
            &finding.message_and_cost(),
        )
    }

    /// A sitemap is read from here on.
    pub(crate) fn begin(&mut self, file: &str) {
        self.begun.insert(self.name(file));
    }

    /// All sitemaps of the inputs are looked for: of folders, and of sites and indexes at URLs.
    pub(crate) fn searches(&mut self, inputs: &[Input]) {
        for input in inputs {
            let root = match input {
                Input::File(path) if path.is_dir() => input.to_string(),
                Input::Url(address) => address.url().origin().ascii_serialization(),
                Input::File(_) | Input::Stdin => {
                    self.begin(&input.to_string());
                    continue;
                }
            };
            self.searched.push(self.name(&root));
        }
    }

    /// Returns `true` if the file was looked for in this run.
    pub(crate) fn is_searched(&self, file: &str) -> bool {
        let file = stable_name(file);
        let mut searched = self.searched.iter();
        self.begun.contains(&*file) || searched.any(|root| Path::new(&*file).starts_with(root))
    }

    /// Returns `true` if the findings in a file cannot be fixed: it was not looked for, or it is one of the sitemaps that
    /// were not read to their end. A part of an index that is missing is known by its URL, and in a folder by the name of
    /// its file.
    pub(crate) fn is_unread(&self, file: &str) -> bool {
        let is_url = file.contains("://");
        !self.is_searched(file)
            || self.unread.contains(&*stable_name(file))
            || !is_url && self.unread.contains(name_of(file))
    }

    /// Returns `true` if the finding was there before, and has not been taken yet.
    pub(crate) fn take(&mut self, identity: Identity) -> bool {
        let left = self.left.get_mut(&identity).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }
}

fn name_of(text: &str) -> &str {
    text.rsplit(['/', '\\']).next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lines_and_counts_do_not_count() {
        let of = |message| Identity::of("rule", "sitemap.xml", Some("https://e.com/1"), message);
        let listed = of("`https://e.com/1` is already listed on line 1,204");
        assert_eq!(of("`https://e.com/2` is already listed on line 7"), listed);
        assert_eq!(
            of("priority `1.5` is wrong"),
            of("priority `1.`6` is wrong")
        );
        assert_ne!(of("priority `1.5` is wrong"), of("date `1.5` is wrong"));
    }

    #[test]
    fn a_move_to_https_and_a_new_build_do_not_count() {
        let digest = ["0123456789abcdef".repeat(2), "f".repeat(32)];
        let of = |sitemap: String, page| Identity::of("rule", &sitemap, Some(page), "");
        let [one, other] = digest.map(|digest| format!("e.com/part-1-{digest}.xml"));
        assert_eq!(
            of(format!("http://{one}"), "http://e.com/%7ea"),
            of(format!("https://www.{other}"), "https://www.e.com/~a")
        );
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
