//! The keywords of the video extension.

use crate::extension::keywords::keywords;
use crate::violation::Violation;

keywords! {
    /// The kind of a list: allowed or denied countries or platforms.
    Relationship {
        /// The video can be shown only there.
        Allow = "allow",
        /// The video can be shown everywhere else.
        Deny = "deny",
    }
}

keywords! {
    /// A kind of device.
    Platform {
        /// Browsers on desktops and laptops.
        Web = "web",
        /// Phones and tablets.
        Mobile = "mobile",
        /// Television sets.
        Tv = "tv",
    } other
}

keywords! {
    /// The right that a price buys.
    PriceType {
        /// The right to watch the video for a limited time.
        Rent = "rent",
        /// The video itself.
        Purchase = "purchase",
    }
}

keywords! {
    /// The resolution to which a price applies.
    Resolution {
        /// Standard definition.
        Sd = "SD",
        /// High definition.
        Hd = "HD",
    }
}

keywords! {
    /// The owner of the identifier of a [`VideoId`](super::VideoId).
    IdKind {
        /// A series at TMS.
        TmsSeries = "tms:series",
        /// A programme at TMS.
        TmsProgram = "tms:program",
        /// A series at Rovi.
        RoviSeries = "rovi:series",
        /// A programme at Rovi.
        RoviProgram = "rovi:program",
        /// A topic of Freebase.
        Freebase = "freebase",
        /// A URL.
        Url = "url",
    } other
}
