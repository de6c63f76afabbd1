//! [`Policy`]: which violations are errors.

use std::fmt;

use super::{Effect, Rule};

/// The set of violations that are errors: a verdict for every [`Rule`], or for every [`Effect`].
///
/// If an entry violates a denied rule, an `Err` is returned instead of the entry; violations of allowed rules are
/// [`Issue`](super::Issue)s. Reading continues in both cases. Only one violation per entry is returned as an error: the first one,
/// where violations of the markup come before those of values. Other denied violations are issues. The policy does not
/// change the effect of a violation.
///
/// [`LOSSLESS`](Self::LOSSLESS) is the policy for programs that must not lose a page: a violation that skips an entry is an
/// error, and any other one is an issue. Denying the rule `invalid-url` instead would also lose each page that lists an
/// image with a bad URL.
///
/// With the feature `serde`, a policy is represented as `{"deny_effects": ["entry-skipped"], "deny": ["wrong-case"], "allow":
/// ["missing-loc"]}`. Empty lists can be left out. `STRICT` denies the effects `noted`, `value-dropped` and `entry-skipped`.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Effect, Policy, Rule};
///
/// const MINE: Policy = Policy::STRICT.allow(Rule::UrlNotEscaped).allow(Rule::StrayText);
/// assert!(MINE.denies(Rule::MissingLoc, Effect::EntrySkipped));
/// assert!(!MINE.denies(Rule::StrayText, Effect::Noted));
/// assert_eq!(Policy::default(), Policy::LENIENT);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Verdicts", into = "Verdicts"))]
pub struct Policy {
    /// One bit per effect that is denied, for all rules without a verdict of their own, also those of later versions.
    effects: u8,
    /// One bit per rule that is denied or allowed, whatever the effect. A rule has at most one of the two.
    denied: u128,
    allowed: u128,
}

// One more rule than there are bits must not compile.
const _: () = assert!(Rule::ALL.len() <= 128);

impl Policy {
    /// Denies nothing, so every violation is an issue. The default.
    pub const LENIENT: Self = Self {
        effects: 0,
        denied: 0,
        allowed: 0,
    };
    /// Denies every violation that [skips an entry](Effect::EntrySkipped), and no other one. So every entry is returned or is
    /// an error, and a bad value costs only itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Policy, ReaderBuilder};
    ///
    /// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'
    ///         xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>
    ///     <url><loc>https://example.com/a</loc><image:image><image:loc>/a.jpg</image:loc></image:image></url>
    ///     <url><loc>/b</loc></url>
    /// </urlset>";
    /// let mut reader = ReaderBuilder::new().policy(Policy::LOSSLESS).from_bytes(text);
    /// assert_eq!(reader.next().unwrap()?.loc().path(), "/a"); // without the image
    /// let error = reader.next().unwrap().unwrap_err();
    /// assert_eq!(error.to_string(), "4:15: `/b` is not an absolute http or https URL");
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const LOSSLESS: Self = Self::LENIENT.deny_effect(Effect::EntrySkipped);
    /// Denies every violation, including those of rules added in later versions. (A policy that denies each rule in
    /// [`Rule::ALL`] does not include those.)
    pub const STRICT: Self = Self::LOSSLESS
        .deny_effect(Effect::ValueDropped)
        .deny_effect(Effect::Noted);

    /// Returns the same policy, except that a violation of `rule` is an error.
    #[must_use]
    pub const fn deny(self, rule: Rule) -> Self {
        let bit = 1 << rule as u8;
        Self {
            denied: self.denied | bit,
            allowed: self.allowed & !bit,
            ..self
        }
    }

    /// Returns the same policy, except that a violation of `rule` is an issue.
    #[must_use]
    pub const fn allow(self, rule: Rule) -> Self {
        let bit = 1 << rule as u8;
        Self {
            denied: self.denied & !bit,
            allowed: self.allowed | bit,
            ..self
        }
    }

    /// Returns the same policy, except that a violation with this effect is an error, unless its rule has been
    /// [allowed](Self::allow).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Effect, Policy, ReaderBuilder, Rule};
    ///
    /// let policy = Policy::LOSSLESS.deny_effect(Effect::ValueDropped).allow(Rule::InvalidPriority);
    /// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
    ///     <url><loc>https://example.com/a</loc><priority>high</priority></url>
    ///     <url><loc>https://example.com/b</loc><lastmod>yesterday</lastmod></url>
    /// </urlset>";
    /// let mut reader = ReaderBuilder::new().policy(policy).from_bytes(text);
    /// assert_eq!(reader.next().unwrap()?.loc().path(), "/a");
    /// assert_eq!(reader.next().unwrap().unwrap_err().violation().unwrap().rule(), Rule::InvalidDatetime);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub const fn deny_effect(self, effect: Effect) -> Self {
        Self {
            effects: self.effects | 1 << effect as u8,
            ..self
        }
    }

    /// Returns `true` if a violation of `rule` with this effect is an error.
    #[must_use]
    pub const fn denies(self, rule: Rule, effect: Effect) -> bool {
        let by_effect = self.effects >> effect as u8 & !(self.allowed >> rule as u8) as u8;
        (self.denied >> rule as u8) as u8 & 1 == 1 || by_effect & 1 == 1
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdicts {
            deny_effects,
            deny,
            allow,
        } = (*self).into();
        write!(
            f,
            "Policy {{ deny_effects: {deny_effects:?}, deny: {deny:?}, allow: {allow:?} }}"
        )
    }
}

/// A policy as it is printed and serialized.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[derive(Default)]
struct Verdicts {
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    deny_effects: Vec<Effect>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    deny: Vec<Rule>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    allow: Vec<Rule>,
}

impl From<Verdicts> for Policy {
    fn from(verdicts: Verdicts) -> Self {
        let effects = verdicts.deny_effects.into_iter();
        let policy = effects.fold(Self::LENIENT, Self::deny_effect);
        let policy = verdicts.allow.into_iter().fold(policy, Self::allow);
        verdicts.deny.into_iter().fold(policy, Self::deny)
    }
}

impl From<Policy> for Verdicts {
    fn from(policy: Policy) -> Self {
        let rules = |bits: u128| {
            let rules = Rule::ALL.iter().copied();
            rules.filter(|rule| bits >> *rule as u8 & 1 == 1).collect()
        };
        let effects = [Effect::Noted, Effect::ValueDropped, Effect::EntrySkipped].into_iter();
        Self {
            deny_effects: (effects.filter(|effect| policy.effects >> *effect as u8 & 1 == 1))
                .collect(),
            deny: rules(policy.denied),
            allow: rules(policy.allowed),
        }
    }
}
