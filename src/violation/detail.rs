//! [`Detail`]: what distinguishes a violation from others of its rule.

/// What distinguishes a violation from others of its rule.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Detail {
    None,
    /// A case that has a message or a help of its own.
    Case(Case),
    /// The limit, the reason, or a name of which the message of the rule speaks.
    Reason(Box<str>),
    /// The location that a URL is outside of, as it is quoted, and in what it differs.
    Location {
        location: Box<str>,
        reason: Case,
    },
    /// The wrong part of the text, and what to do about it.
    Advised {
        part: Box<str>,
        advice: Case,
    },
}

/// A special case of a rule, by the name that serde writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Case(&'static str);

impl From<Case> for Detail {
    fn from(case: Case) -> Self {
        Self::Case(case)
    }
}

impl From<Option<Case>> for Detail {
    fn from(case: Option<Case>) -> Self {
        case.map_or(Self::None, Self::Case)
    }
}

/// A reason, or none if the text is empty.
impl From<&str> for Detail {
    fn from(reason: &str) -> Self {
        match reason {
            "" => Self::None,
            reason => Self::Reason(reason.into()),
        }
    }
}

impl Detail {
    /// The text that appears in a message, or distinguishes a case.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::None => "",
            Self::Case(case) | Self::Location { reason: case, .. } => case.0,
            Self::Reason(text) | Self::Advised { part: text, .. } => text,
        }
    }

    pub(super) fn location(&self) -> &str {
        match self {
            Self::Location { location, .. } => location,
            _ => "",
        }
    }

    /// The case, which a location has too.
    pub(super) fn case(&self) -> Option<Case> {
        match self {
            Self::Case(case) | Self::Location { reason: case, .. } => Some(*case),
            Self::None | Self::Reason(_) | Self::Advised { .. } => None,
        }
    }

    /// The texts that serde writes: the text, and the names of the case, the location and the advice.
    #[cfg(feature = "serde")]
    pub(super) fn written(&self) -> [&str; 4] {
        match self {
            Self::None => [""; 4],
            Self::Reason(text) => [text, "", "", ""],
            Self::Case(case) => ["", case.0, "", ""],
            Self::Location { location, reason } => ["", reason.0, location, ""],
            Self::Advised { part, advice } => [part, "", "", advice.0],
        }
    }

    /// Reads what [`written`](Self::written) returns.
    #[cfg(feature = "serde")]
    pub(super) fn of_written(texts: [Box<str>; 4]) -> Result<Self, &'static str> {
        let named = |name: &str| case::ALL.iter().copied().find(|case| case.0 == name);
        let [text, case, location, advice] = texts;
        match (&*text, &*case, &*location, &*advice) {
            (_, "", "", "") => Ok((&*text).into()),
            ("", _, "", "") => Ok(named(&case).ok_or("an unknown `case`")?.into()),
            ("", _, _, "") => {
                let reason = named(&case).ok_or("a `location` without a known `case`")?;
                Ok(Self::Location { location, reason })
            }
            (_, "", "", _) => {
                let advice = named(&advice).ok_or("an unknown `advice`")?;
                Ok(Self::Advised { part: text, advice })
            }
            _ => Err("more than one of `detail`, `case` and `advice`"),
        }
    }
}

macro_rules! cases {
    ($($(#[$doc:meta])* $case:ident = $name:literal;)*) => {
        pub(crate) mod case {
            use super::Case;

            $($(#[$doc])* pub(crate) const $case: Case = Case($name);)*

            #[cfg(feature = "serde")]
            pub(super) const ALL: &[Case] = &[$($case),*];
        }
    };
}

cases! {
    /// The required element is present, but blank.
    EMPTY = "empty";
    /// The entry of a feed has no link.
    LINK = "link";
    /// A keyword with a comma.
    COMMA = "separated by commas";
    /// A date where RFC 822 is the standard.
    RFC_822 = "RFC 822";
    /// A date that could be read, but not be written.
    OUT_OF_RANGE = "out of range";
    /// A date that could be written with another offset.
    OFFSET_OUT_OF_RANGE = "offset out of range";
    /// A date of the right form, without such a day in the calendar.
    NO_SUCH_DAY = "no such day";
    /// A date of the right form, whose time or zone does not exist.
    NO_TIME = "no such time";
    /// A date of the right form, except that its time has no zone.
    NO_OFFSET = "no offset";
    /// A page whose URL has a user or a password.
    USER = "a user or a password";
    /// A text that would be read back without its ends.
    WHITE_SPACE = "white space at the ends of a text is not kept";
    /// A foreign element that a reader would take for an extension.
    EXTENSION = "known extensions have fields of their own";
    /// The standard namespace, under a root in another one.
    NOT_THE_ROOTS = "not the namespace of the root";
    /// A conventional prefix is bound to an unknown namespace.
    NOT_THE_PREFIXS = "not the namespace of the prefix";
    /// In an element of an extension.
    WITHIN = "in one element";
    /// An offset beyond the bound of the schema.
    NO_ZONE = "no such offset";
    /// More digits of a second than a date keeps.
    DIGITS = "digits";
    /// A weekday that is not that of the date.
    WEEKDAY = "weekday";
    /// A character of a host, which has a form of its own.
    PUNYCODE = "Punycode";
    /// A character that nobody sees.
    INVISIBLE = "invisible";
    /// A character that `Url` reads as a slash.
    SLASH = "slash";
    /// An encoding of this name does not exist.
    UNKNOWN = "unknown";
    /// An end tag.
    END_TAG = "end tag";
    /// An element that begins before its owner, an end tag.
    OPENED = "opened";
    OPENED_AGAIN = "opened again";
    /// One of two elements must be present.
    NEITHER = "neither";
    /// Several attributes of the owner.
    SEVERAL = "several";
    /// A limit of one entry.
    SINGLE = "one";
    /// The language of news has another form than that of an alternate.
    NEWS_LANGUAGE = "news:language";
    /// A foreign element without a namespace, or in that of sitemaps.
    NO_NAMESPACE = "no namespace";
    /// Not a number of digits, with a point or without.
    DECIMAL = "decimal";
    /// Not three capital letters.
    CURRENCY = "currency";
    /// A namespace for which a file has no room, but another file may have.
    NAMESPACES = "namespaces";
    /// A page of which another part of the URL differs from that of the sitemap.
    OTHER_HOST = "another host";
    OTHER_SCHEME = "another scheme";
    OTHER_PORT = "another port";
    /// A page in a directory that the sitemap is not in. A writer can allow it.
    OTHER_DIRECTORY = "another directory";
    /// Not `EXCHANGE:SYMBOL`.
    TICKER = "news:stock_tickers";
    /// Not the name of a rule.
    RULE_NAME = "rule name";
}
