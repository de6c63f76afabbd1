//! The words that the video extension knows.

use crate::extension::keywords;
use crate::violation::{Rule, Violation};

keywords! {
    /// Whether a list of countries or platforms is the list of those allowed, or of those denied.
    Relationship {
        /// The video may be shown only there.
        Allow = "allow",
        /// The video may be shown everywhere else.
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
    /// What a price buys.
    PriceType {
        /// The right to see it for a time.
        Rent = "rent",
        /// The video.
        Purchase = "purchase",
    }
}

keywords! {
    /// The resolution that a price is for.
    Resolution {
        /// Standard definition.
        Sd = "SD",
        /// High definition.
        Hd = "HD",
    }
}

keywords! {
    /// Whose identifier a [`VideoId`](super::VideoId) is.
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
