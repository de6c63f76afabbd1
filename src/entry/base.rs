use crate::raw::EntryKind;

/// A child of an entry in the base format.
#[derive(Debug, Clone, Copy)]
pub(super) enum BaseElement {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

impl BaseElement {
    const OF_A_PAGE: [Self; 4] = [Self::Loc, Self::Lastmod, Self::Changefreq, Self::Priority];
    const OF_A_SITEMAP: [Self; 2] = [Self::Loc, Self::Lastmod];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Loc => "loc",
            Self::Lastmod => "lastmod",
            Self::Changefreq => "changefreq",
            Self::Priority => "priority",
        }
    }

    /// The one of this name in any case.
    pub(super) fn named(name: &str, kind: EntryKind) -> Option<Self> {
        let all = match kind {
            EntryKind::Url => Self::OF_A_PAGE.as_slice(),
            EntryKind::Sitemap => Self::OF_A_SITEMAP.as_slice(),
        };
        let exact = all.iter().find(|element| element.name() == name);
        exact
            .or_else(|| {
                all.iter()
                    .find(|element| element.name().eq_ignore_ascii_case(name))
            })
            .copied()
    }
}
