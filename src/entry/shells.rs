//! What `read_into` keeps of the extensions of an entry that it reads over.

use crate::extension::field::ExtensionField;
use crate::extension::foreign::ElementShells;
use crate::extension::{Alternate, Image, News, Video};

/// The values without their content, by the fields of a `UrlEntry`.
#[derive(Debug, Default)]
pub(crate) struct Shells {
    pub(super) alternates: <Vec<Alternate> as ExtensionField>::Shells,
    pub(super) images: <Vec<Image> as ExtensionField>::Shells,
    pub(super) videos: <Vec<Video> as ExtensionField>::Shells,
    pub(super) news: <Option<Box<News>> as ExtensionField>::Shells,
    pub(super) foreign: ElementShells,
}
