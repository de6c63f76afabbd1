//! [`Policy`]: which violations are errors.

use std::fmt;

use super::Rule;

/// The set of violations that are errors: a verdict for every [`Rule`].
///
/// If an entry violates a denied rule, an `Err` is returned instead of the entry; violations of allowed rules are
/// [`Issue`](super::Issue)s. Reading continues in both cases. Only one violation per entry is returned as an error: the first one,
/// where violations of the markup come before those of values. Other denied violations are issues. The policy does not
/// change the effect of a violation.
///
/// With the feature `serde`, a policy is represented as `{"base": "strict", "allow": ["stray-text"]}`. The base is
/// `"lenient"` (the default) or `"strict"`; `deny` and `allow` are the rules in which the policy differs.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Policy, Rule};
///
/// const MINE: Policy = Policy::STRICT.allow(Rule::UrlNotEscaped).allow(Rule::StrayText);
/// assert!(MINE.denies(Rule::MissingLoc));
/// assert!(!MINE.denies(Rule::StrayText));
/// assert_eq!(Policy::default(), Policy::LENIENT);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Exceptions", into = "Exceptions"))]
pub struct Policy {
    /// One bit per rule. The last bit represents the rules of later versions.
    denied: u128,
}

// A rule more must not compile.
const _: () = assert!(Rule::ALL.len() < 128);

impl Policy {
    /// Denies no rule, so every violation is an issue. The default.
    pub const LENIENT: Self = Self { denied: 0 };
    /// Denies every rule, including rules added in later versions. (A policy that denies each rule in [`Rule::ALL`]
    /// does not include those.)
    pub const STRICT: Self = Self { denied: u128::MAX };

    /// Returns the same policy, except that a violation of `rule` is an error.
    #[must_use]
    pub const fn deny(self, rule: Rule) -> Self {
        Self {
            denied: self.denied | 1 << rule as u8,
        }
    }

    /// Returns the same policy, except that a violation of `rule` is an issue.
    #[must_use]
    pub const fn allow(self, rule: Rule) -> Self {
        Self {
            denied: self.denied & !(1 << rule as u8),
        }
    }

    /// Returns `true` if a violation of `rule` is an error.
    #[must_use]
    pub const fn denies(self, rule: Rule) -> bool {
        self.denied >> rule as u8 & 1 == 1
    }

    /// The rules that this policy denies and the other one does not.
    fn beyond(self, other: Self) -> Vec<Rule> {
        let rules = Rule::ALL.iter().copied();
        rules
            .filter(|rule| self.denies(*rule) && !other.denies(*rule))
            .collect()
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Exceptions { base, deny, allow } = Exceptions::from(*self);
        f.debug_struct("Policy")
            .field("base", &base)
            .field("deny", &deny)
            .field("allow", &allow)
            .finish()
    }
}

/// A policy as it is printed and serialized: one of the constants, and the rules in which it differs.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[derive(Default)]
struct Exceptions {
    base: Base,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    deny: Vec<Rule>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    allow: Vec<Rule>,
}

#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
enum Base {
    #[default]
    Lenient,
    Strict,
}

impl Base {
    const fn policy(self) -> Policy {
        match self {
            Self::Lenient => Policy::LENIENT,
            Self::Strict => Policy::STRICT,
        }
    }
}

impl From<Exceptions> for Policy {
    fn from(exceptions: Exceptions) -> Self {
        let base = exceptions.base.policy();
        let allowed = exceptions.allow.into_iter().fold(base, Self::allow);
        exceptions.deny.into_iter().fold(allowed, Self::deny)
    }
}

impl From<Policy> for Exceptions {
    fn from(policy: Policy) -> Self {
        let base = match policy.denied >> 127 {
            1 => Base::Strict,
            _ => Base::Lenient,
        };
        Self {
            base,
            deny: policy.beyond(base.policy()),
            allow: base.policy().beyond(policy),
        }
    }
}
