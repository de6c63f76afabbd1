//! The encodings of a build without the feature `encodings`: only UTF-8 is read. UTF-16 is recognized, and all other labels
//! are those of one encoding that is not read.

/// An encoding, by its name.
#[derive(Debug, PartialEq)]
pub(in super::super) struct Encoding(&'static str);

pub(in super::super) static UTF_8: &Encoding = &Encoding("UTF-8");
pub(in super::super) static UTF_16LE: &Encoding = &Encoding("UTF-16LE");
pub(in super::super) static UTF_16BE: &Encoding = &Encoding("UTF-16BE");
pub(in super::super) static REPLACEMENT: &Encoding = &Encoding("replacement");
static OTHER: &Encoding = &Encoding("other");

/// The encodings that are recognized, and their labels in the Encoding Standard, with spaces between them.
#[rustfmt::skip]
static LABELS: [(&Encoding, &str); 3] = [
    (UTF_8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"),
    (UTF_16LE, "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"),
    (UTF_16BE, "unicodefffe utf-16be"),
];

impl Encoding {
    pub(in super::super) fn for_label(label: &[u8]) -> Option<&'static Self> {
        let label = label.trim_ascii();
        let is_label = |known: &str| known.as_bytes().eq_ignore_ascii_case(label);
        let mut all = LABELS.iter();
        let found = all.find(|(_, labels)| labels.split(' ').any(is_label));
        Some(found.map_or(OTHER, |(encoding, _)| *encoding))
    }

    pub(in super::super) fn name(&self) -> &'static str {
        self.0
    }
}

/// Returns `true` if this build can decode the encoding.
pub(in super::super) fn is_supported(encoding: &'static Encoding) -> bool {
    encoding == UTF_8
}

/// Stands in for the decoders of other builds. The input ends before it is given any text.
pub(in super::super) struct Decoder;

impl Decoder {
    pub(in super::super) fn new(_encoding: &'static Encoding) -> Self {
        Self
    }

    pub(in super::super) fn decode(&mut self, _bytes: &[u8], _last: bool, _out: &mut String) {}
}
