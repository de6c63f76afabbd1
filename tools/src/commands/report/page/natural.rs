//! Names in the order in which people count: `sitemap-2.xml` before `sitemap-10.xml`.

use std::cmp::Ordering;

/// Orders texts with numbers in them by the value of the numbers: `part-2` is before `part-10`.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let (mut a_rest, mut b_rest) = (a, b);
    loop {
        let (a_text, a_after) = part(a_rest, false);
        let (b_text, b_after) = part(b_rest, false);
        let (a_number, a_end) = part(a_after, true);
        let (b_number, b_end) = part(b_after, true);
        let digits = |number: &str| number.trim_start_matches('0').len();
        let order = a_text
            .cmp(b_text)
            .then_with(|| digits(a_number).cmp(&digits(b_number)))
            .then_with(|| {
                a_number
                    .trim_start_matches('0')
                    .cmp(b_number.trim_start_matches('0'))
            });
        if order != Ordering::Equal || a_end.is_empty() || b_end.is_empty() {
            return order.then_with(|| a_end.cmp(b_end)).then_with(|| a.cmp(b));
        }
        (a_rest, b_rest) = (a_end, b_end);
    }
}

/// The digits, or everything else, at the beginning of the text, and the rest.
fn part(text: &str, is_number: bool) -> (&str, &str) {
    let end = text.find(|character: char| character.is_ascii_digit() != is_number);
    text.split_at(end.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_comes_before_ten() {
        let sorted = [
            "",
            "sitemap-1.xml",
            "sitemap-2.xml",
            "sitemap-2b.xml",
            "sitemap-02.xml.gz",
            "sitemap-10.xml",
            "sitemap-10-1.xml",
            "sitemap.xml",
        ];
        let mut names = sorted;
        names.reverse();
        names.sort_by(|a, b| compare(a, b));
        let places: Vec<_> = ["sitemap-2.xml", "sitemap-10.xml", "sitemap.xml"]
            .map(|name| names.iter().position(|other| *other == name))
            .into();
        assert!(places.is_sorted(), "{names:?}");
        assert_eq!(compare("a1", "a01"), "a1".cmp("a01"));
        assert_eq!(compare("12345678901234567890123", "2"), Ordering::Greater);
    }
}
