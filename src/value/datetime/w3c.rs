//! The notation itself, both ways: `FromStr` and `Display`.

use std::fmt;
use std::str::FromStr;

use super::{DAY, Level, MINUS_ZERO, MINUTE, MONTH, SECOND, W3cDatetime, XSD_OFFSET, YEAR, ZULU};
use crate::value::escape::{EscapeIn, XmlValue};
use crate::value::text::pad_ascii;
use crate::violation::{Rule, Violation, case};

/// Accepts only the six forms of W3C NOTE-datetime, without spaces, and with capital `T` and `Z`.
///
/// # Errors
///
/// [`Rule::InvalidDatetime`] for another form, a day that does not exist, the year 0000, hour 24, second 60, a time
/// without a zone, more than nine digits of a fraction, or an offset over 23:59.
impl FromStr for W3cDatetime {
    type Err = Violation;

    #[inline]
    fn from_str(text: &str) -> Result<Self, Violation> {
        Self::parse(text.as_bytes()).ok_or_else(|| refusal(text))
    }
}

/// Prints the exact inverse of parsing. Years that the format does not have are printed with a sign: `+12345-01-01`.
impl fmt::Display for W3cDatetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad_ascii(f, |out| self.append_to(out))
    }
}

impl XmlValue for W3cDatetime {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, _: EscapeIn) -> Result<(), Violation> {
        if !self.is_writable() {
            let case = match self.year() {
                1..=9999 => case::OFFSET_OUT_OF_RANGE,
                _ => case::OUT_OF_RANGE,
            };
            let (rule, found) = (Rule::InvalidDatetime, self.to_string());
            return Err(Violation::with_detail(rule, &found, case));
        }
        self.append_to(out);
        Ok(())
    }
}

impl fmt::Debug for W3cDatetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "W3cDatetime({self})")
    }
}

impl W3cDatetime {
    /// The protocol's grammar only.
    #[inline(always)]
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let Some((month, [d1, d2, rest @ ..])) = text.split_first_chunk() else {
            return Self::parse_short(text);
        };
        let [century, _, year, _, _, month, ..] = pairs(*month, *b"0000-00-")?;
        let year = i32::from(century) * 100 + i32::from(year);
        let date = Self::on(year, month, pair(*d1, *d2)?)?;
        if rest.is_empty() {
            Some(date)
        } else {
            date.parse_time(rest)
        }
    }

    /// A year, or a month.
    #[inline(never)]
    fn parse_short(text: &[u8]) -> Option<Self> {
        let [y1, y2, y3, y4, rest @ ..] = text else {
            return None;
        };
        let year = i32::from(pair(*y1, *y2)?) * 100 + i32::from(pair(*y3, *y4)?);
        let (month, level) = match rest {
            [] => (1, YEAR),
            [b'-', m1, m2] => (pair(*m1, *m2)?, MONTH),
            _ => return None,
        };
        let date = Self::on(year, month, 1)?;
        Some(Self { level, ..date })
    }

    /// Parses the time from the `T` to the end of the zone.
    #[inline(always)]
    fn parse_time(self, text: &[u8]) -> Option<Self> {
        let [b'T', h1, h2, b':', m1, m2, rest @ ..] = text else {
            return None;
        };
        let mut time = self.at(pair(*h1, *h2)?, pair(*m1, *m2)?)?;
        let mut zone = rest;
        if let [b':', s1, s2, rest @ ..] = rest {
            time.second = pair(*s1, *s2).filter(|second| *second < 60)?;
            time.level = SECOND;
            zone = match rest {
                [b'.', rest @ ..] => time.parse_fraction(rest)?,
                rest => rest,
            };
        }
        time.zone = parse_zone(zone)?;
        Some(time)
    }

    /// Parses the digits after the point, and returns the rest.
    #[inline(always)]
    fn parse_fraction<'t>(&mut self, text: &'t [u8]) -> Option<&'t [u8]> {
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let (fraction, rest) = text.split_at_checked(digits)?;
        if !(1..=9).contains(&digits) {
            return None;
        }
        self.set_fraction(fraction);
        Some(rest)
    }

    /// Nanoseconds and precision from at most nine digits.
    pub(super) fn set_fraction(&mut self, digits: &[u8]) {
        let number = digits
            .iter()
            .fold(0, |n, digit| n * 10 + u32::from(digit - b'0'));
        let count = digits.len() as Level;
        self.nanos = number * 10_u32.pow(9 - u32::from(count));
        self.level = SECOND + count;
    }

    /// Appends the date in the precision that it was written in.
    pub(crate) fn append_to(self, out: &mut Vec<u8>) {
        if !(0..=9999).contains(&self.year) {
            append_sign_of_year(self.year, out);
        }
        let year = self.year.unsigned_abs() % 10_000;
        let ([y1, y2], [y3, y4]) = (digits((year / 100) as u8), digits((year % 100) as u8));
        let ([m1, m2], [d1, d2]) = (digits(self.month), digits(self.day));
        let ([h1, h2], [n1, n2]) = (digits(self.hour), digits(self.minute));
        let [s1, s2] = digits(self.second);
        let all = [
            y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2,
        ];
        let end = match self.level {
            YEAR => "2024".len(),
            MONTH => "2024-03".len(),
            DAY => "2024-03-04".len(),
            MINUTE => "2024-03-04T05:06".len(),
            _ => all.len(),
        };
        out.extend_from_slice(all.get(..end).unwrap_or(&all));
        if self.level > SECOND {
            let mut fraction = [b'.'; 10];
            let mut rest = self.nanos;
            for digit in fraction.iter_mut().skip(1).rev() {
                *digit = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
            let end = usize::from(self.level - SECOND) + 1;
            out.extend_from_slice(fraction.get(..end).unwrap_or(&fraction));
        }
        if self.level > DAY {
            append_zone(self.zone, out);
        }
    }
}

/// The violation for a text that is not a W3C Datetime. A full date is distinguished from a text without the form of one:
/// with each digit a one, such a text would be a date.
#[cold]
pub(super) fn refusal(text: &str) -> Violation {
    let ones: Vec<u8> = text
        .bytes()
        .map(|b| if b.is_ascii_digit() { b'1' } else { b })
        .collect();
    let case = if ones.len() < "1111-11-11".len() {
        None
    } else if W3cDatetime::parse(&ones).is_some() {
        let day = text.get(.."1111-11-11".len()).map(str::as_bytes);
        // With fewer hours, the offset would exist.
        let nearer = |sign: usize| {
            let (time, minutes) = (text.get(..sign)?, text.get(sign + "+14".len()..)?);
            W3cDatetime::parse(format!("{time}+00{minutes}").as_bytes())
        };
        match day.and_then(W3cDatetime::parse) {
            Some(_) if text.rfind(['+', '-']).and_then(nearer).is_some() => Some(case::NO_ZONE),
            Some(_) => Some(case::NO_TIME),
            None => Some(case::NO_SUCH_DAY),
        }
    } else if W3cDatetime::parse(&[&ones, &b"Z"[..]].concat()).is_some() {
        Some(case::NO_OFFSET)
    } else {
        None
    };
    Violation::with_detail(Rule::InvalidDatetime, text, case)
}

/// The number of two digits.
#[inline(always)]
pub(super) fn pair(tens: u8, ones: u8) -> Option<u8> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if tens < 10 && ones < 10 {
        Some(tens * 10 + ones)
    } else {
        None
    }
}

/// The numbers of each two neighbouring characters, if the text has a digit at every `0` of `form`, and the same
/// character as `form` elsewhere. All are read at once.
#[inline(always)]
fn pairs(text: [u8; 8], form: [u8; 8]) -> Option<[u8; 8]> {
    const HIGHEST_BITS: u64 = u64::from_le_bytes([0x80; 8]);
    // Digits become their numbers, and the other characters 0.
    let digits = u64::from_le_bytes(text) ^ u64::from_le_bytes(form);
    // The number to add so that the smallest invalid value has its highest bit set.
    let room = form.map(|c| if c == b'0' { 0x80 - 10 } else { 0x80 - 1 });
    if (digits | digits.wrapping_add(u64::from_le_bytes(room))) & HIGHEST_BITS != 0 {
        return None;
    }
    // None of these is more than 99, so nothing is carried.
    Some((digits * 10 + (digits >> 8)).to_le_bytes())
}

fn parse_zone(text: &[u8]) -> Option<i16> {
    match *text {
        [b'Z'] => Some(ZULU),
        [sign, h1, h2, b':', m1, m2] => offset(sign, pair(h1, h2)?, pair(m1, m2)?),
        _ => None,
    }
}

/// The zone `±hh:mm`.
pub(super) fn offset(sign: u8, hours: u8, minutes: u8) -> Option<i16> {
    let total = i16::from(hours) * 60 + i16::from(minutes);
    match (sign, total) {
        _ if minutes > 59 || total > XSD_OFFSET => None,
        (b'+', _) => Some(total),
        (b'-', 0) => Some(MINUS_ZERO),
        (b'-', _) => Some(-total),
        _ => None,
    }
}

/// Appends what precedes the last four digits of a year that the format does not have.
#[cold]
fn append_sign_of_year(year: i32, out: &mut Vec<u8>) {
    out.push(if year < 0 { b'-' } else { b'+' });
    let year = year.unsigned_abs();
    if year > 9999 {
        let both = digits((year / 10_000 % 100) as u8);
        out.extend_from_slice(both.strip_prefix(b"0").unwrap_or(&both));
    }
}

/// Appends `Z`, `-00:00` or an offset in hours and minutes.
#[inline]
fn append_zone(zone: i16, out: &mut Vec<u8>) {
    match zone {
        ZULU => out.push(b'Z'),
        MINUS_ZERO => out.extend_from_slice(b"-00:00"),
        _ => {
            let minutes = zone.unsigned_abs();
            let [h1, h2] = digits((minutes / 60) as u8);
            let [m1, m2] = digits((minutes % 60) as u8);
            let sign = if zone < 0 { b'-' } else { b'+' };
            out.extend_from_slice(&[sign, h1, h2, b':', m1, m2]);
        }
    }
}

/// A number below 100 in two digits.
fn digits(number: u8) -> [u8; 2] {
    [b'0' + number / 10, b'0' + number % 10]
}
