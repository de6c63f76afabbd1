//! Which findings of two runs are the same one.

use std::collections::{HashMap, HashSet};

use hmac_sha256::Hash;
use quick_sitemap::Effect;
use serde::{Deserialize, Serialize};

use crate::judge::finding::Finding;
use crate::judge::host_changes::HostChanges;
use crate::judge::page_key::{key_of, stable_name};
use crate::judge::rules::rule;

/// Bits of an identity. A number of JSON is exact up to here.
const BITS: u32 = 53;

/// A finding, recognized by its rule, its sitemap, the page, and the element of its entry. Neither its place, nor the
/// offending value, nor a word of the message counts, so several findings of one page can be alike. They are counted.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Identity(u64);

impl Identity {
    pub(crate) fn of(rule: &str, sitemap: &str, page: Option<&str>, element: Option<&str>) -> Self {
        let mut hash = Hash::new();
        let page = key_of(page.unwrap_or_default());
        let element = element.unwrap_or_default();
        for part in [rule, &stable_name(sitemap), &stable_name(&page), element] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let [a, b, c, d, e, f, g, h, ..] = hash.finalize();
        Self(u64::from_le_bytes([a, b, c, d, e, f, g, h]) >> (u64::BITS - BITS))
    }

    pub(crate) fn of_finding(file: &str, finding: &Finding) -> Self {
        let (page, element) = (finding.page.as_deref(), finding.element.as_deref());
        Self::of(finding.rule.name, file, page, element)
    }
}

/// The findings of an earlier run, and which of them have not been found again. A finding that was there twice is known
/// twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    left: HashMap<Identity, u64>,
    /// Those of them that this run could not look for.
    not_judged: HashSet<Identity>,
    /// Sitemaps with an entry that cannot be used now, and could be before. It may be that of any page.
    skipping: HashSet<String>,
    /// A robots.txt lists no sitemap now, and did before. Whether it will stay so is seen by the next run.
    pub(crate) has_lost_robots: bool,
    /// Some of them are from before findings had elements.
    pub(crate) has_older: bool,
    /// Those of this run are named as they were before the site moved.
    hosts: HostChanges,
}

impl Known {
    pub(crate) fn before(hosts: &HostChanges) -> Self {
        Self {
            hosts: hosts.clone(),
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, identity: Identity) {
        *self.left.entry(identity).or_default() += 1;
    }

    /// The identity that the finding of this run has for an earlier run.
    fn with_element(&self, file: &str, finding: &Finding, element: Option<&str>) -> Identity {
        let page = finding.page.as_deref().map(|page| self.hosts.undone(page));
        let file = self.hosts.undone(file);
        Identity::of(finding.rule.name, &file, page.as_deref(), element)
    }

    /// Returns `true` if the finding of this run was there before, and has not been taken yet. Files from before findings had
    /// elements name none.
    pub(crate) fn knows(&mut self, file: &str, finding: &Finding) -> bool {
        let own = self.with_element(file, finding, finding.element.as_deref());
        let older = self.with_element(file, finding, None);
        let is_known = self.take(own) || (self.has_older && self.take(older));
        self.has_lost_robots |= !is_known && finding.rule == rule!("robots-without-sitemap");
        if !is_known && finding.effect == Some(Effect::EntrySkipped) {
            let name = self.hosts.undone(file);
            self.skipping.insert(stable_name(&name).into_owned());
        }
        is_known
    }

    pub(crate) fn hosts(&self) -> &HostChanges {
        &self.hosts
    }

    /// It is not known whether there is such a finding now.
    pub(crate) fn not_judged(&mut self, file: &str, finding: &Finding) {
        for element in [finding.element.as_deref(), None] {
            let identity = self.with_element(file, finding, element);
            if self.left.contains_key(&identity) {
                self.not_judged.insert(identity);
            }
        }
    }

    /// Takes a finding of the earlier run that this run has not found again. Returns `true` if it was looked for.
    pub(crate) fn left(&mut self, file: &str, identity: Identity) -> Option<bool> {
        let is_judged =
            !self.not_judged.contains(&identity) && !self.skipping.contains(&*stable_name(file));
        self.take(identity).then_some(is_judged)
    }

    /// Returns `true` if the finding was there before, and has not been taken yet.
    pub(crate) fn take(&mut self, identity: Identity) -> bool {
        let left = self.left.get_mut(&identity).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::rules::TABLE;

    /// A release that rewords a message must not change what people have stored.
    #[test]
    fn no_word_of_a_message_counts() {
        for rule in &TABLE {
            let finding = |message: &str| Finding {
                element: Some("loc".into()),
                ..Finding::new(rule, message).on_page("https://e.com/1")
            };
            let stored = Identity::of_finding("s.xml", &finding("`a` is already on line 1,204"));
            let now = Identity::of_finding("s.xml", &finding("other words, 2 of 3 entries follow"));
            assert_eq!(now, stored, "{}", rule.name);
        }
    }

    #[test]
    fn a_move_to_https_and_a_new_build_do_not_count() {
        let digest = ["0123456789abcdef".repeat(2), "f".repeat(32)];
        let of = |sitemap: String, page| Identity::of("rule", &sitemap, Some(page), None);
        let [one, other] = digest.map(|digest| format!("e.com/part-1-{digest}.xml"));
        assert_eq!(
            of(format!("http://{one}"), "http://e.com/%7ea"),
            of(format!("https://www.{other}"), "https://www.e.com/~a")
        );
    }

    #[test]
    fn rule_sitemap_page_and_element_count() {
        let of = |rule, sitemap, page, element| Identity::of(rule, sitemap, page, element);
        let one = of("a", "b", Some("c"), Some("d"));
        assert_eq!(of("a", "./b", Some("c"), Some("d")), one);
        for other in [
            of("x", "b", Some("c"), Some("d")),
            of("a", "x", Some("c"), Some("d")),
            of("a", "b", Some("x"), Some("d")),
            of("a", "b", Some("c"), Some("x")),
            of("a", "b", Some("c"), None),
            of("ab", "", Some("c"), Some("d")),
            of("a", "bc", None, Some("d")),
        ] {
            assert_ne!(other, one);
        }
        assert!(one.0 < 1 << BITS);
    }

    #[test]
    fn a_second_one_is_new() {
        let mut known = Known::default();
        let one = Identity::of("a", "b", None, None);
        known.add(one);
        assert!(known.take(one));
        assert!(!known.take(one));
    }
}
