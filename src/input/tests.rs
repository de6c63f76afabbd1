#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

use std::io::Write;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

use super::*;

/// The observable results of an input.
#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    text: String,
    end: Result<(), String>,
    conflict: Option<String>,
    trailing: Option<String>,
}

const CUT: &str = "the document is truncated";

fn too_long() -> Result<(), String> {
    Err(TOO_LONG.to_string())
}

fn damaged(how: &str) -> Result<(), String> {
    Err(format!("broken gzip stream: {how}"))
}

/// A small generator of random numbers, the same ones each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Pushes the pieces, draining after each if `eager`.
fn feed<'a>(
    input: &mut Input,
    pieces: impl Iterator<Item = &'a [u8]>,
    room: usize,
    eager: bool,
) -> Outcome {
    let mut text = String::new();
    let mut conflict = None;
    let mut drain = |input: &mut Input, text: &mut String| loop {
        let before = text.len();
        let fill = input.fill(text, room);
        let grown = text.len() - before;
        assert!(grown <= room + 4 * STEP, "{grown} bytes for {room}");
        assert_eq!(grown > 0, fill == Fill::More);
        if !text.is_empty() {
            let now = input.conflict.clone();
            assert_eq!(*conflict.get_or_insert(now.clone()), now);
        }
        if fill != Fill::More {
            break input
                .take_failure()
                .map_or(Ok(fill), |kind| Err(kind.to_string()));
        }
    };
    let mut error = None;
    for piece in pieces {
        input.push(piece, &mut text, room);
        if eager && error.is_none() {
            let fill = drain(input, &mut text);
            assert_ne!(fill, Ok(Fill::End), "an end before the end");
            error = fill.err();
        }
    }
    input.finish(None);
    let end = match error {
        Some(error) => Err(error),
        None => drain(input, &mut text),
    };
    assert_eq!(input.fill(&mut text, room), Fill::End);
    assert_ne!(end, Ok(Fill::Starved));
    Outcome {
        text,
        end: end.map(drop),
        conflict: input.conflict.clone(),
        trailing: input.trailing().map(Cow::into_owned),
    }
}

/// Divides `bytes` in many ways, and checks that the outcomes are equal.
fn check(bytes: &[u8], max: u64) -> Outcome {
    let mut input = Input::new(max, None);
    let whole = feed(&mut input, std::iter::once(bytes), 1 << 16, false);
    let same = |input: &mut Input, pieces: &mut dyn Iterator<Item = &[u8]>, room, eager, how| {
        input.reset();
        let other = feed(input, pieces, room, eager);
        assert!(
            other == whole,
            "{how}: {:?} {:?} {:?} {} bytes, whole: {:?} {:?} {:?} {} bytes; input {:02X?}",
            other.end,
            other.conflict,
            other.trailing,
            other.text.len(),
            whole.end,
            whole.conflict,
            whole.trailing,
            whole.text.len(),
            &bytes[..bytes.len().min(200)],
        );
    };
    same(&mut input, &mut bytes.chunks(1), 4096, true, "bytewise");
    same(&mut input, &mut bytes.chunks(1), 4096, false, "stored");
    same(&mut input, &mut bytes.chunks(7), 4096, true, "sevens");
    if bytes.len() <= 100 {
        for cut in 0..bytes.len() {
            let mut pieces = [&bytes[..cut], &bytes[cut..]].into_iter();
            same(&mut input, &mut pieces, 4096, true, "two");
        }
    }
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ bytes.len() as u64);
    for size in [3, 20, 300, 5000] {
        let mut rest = bytes;
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let (piece, later) = rest.split_at(random.below(size).min(rest.len()));
            pieces.push(piece);
            rest = later;
        }
        let eager = random.below(3) > 0;
        same(&mut input, &mut pieces.into_iter(), 5000, eager, "random");
    }
    whole
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A member with every header field, of level `level`.
fn member(flags: u8, bytes: &[u8], level: u32) -> Vec<u8> {
    let mut out = vec![0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 255];
    if flags & 4 != 0 {
        out.extend([0x2C, 0x01]);
        out.extend([b'x'; 300]);
    }
    if flags & 8 != 0 {
        out.extend(b"a name\0");
    }
    if flags & 16 != 0 {
        out.extend(b"a comment\0");
    }
    if flags & 2 != 0 {
        let mut crc = Crc::new();
        crc.update(&out);
        out.extend((crc.sum() as u16).to_le_bytes());
    }
    let mut encoder = DeflateEncoder::new(out, Compression::new(level));
    encoder.write_all(bytes).unwrap();
    let mut out = encoder.finish().unwrap();
    let mut crc = Crc::new();
    crc.update(bytes);
    out.extend(crc.sum().to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

fn sitemap(entries: usize) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset>\n");
    let mut random = Random(88_172_645_463_325_252);
    for _ in 0..entries {
        let number = random.below(1_000_000);
        text += &format!("<url><loc>https://example.com/é/{number}</loc></url>\n");
    }
    text + "</urlset>\n"
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| {
            if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        })
        .collect()
}

fn text(bytes: &[u8]) -> String {
    let outcome = check(bytes, u64::MAX);
    assert_eq!(outcome.end, Ok(()));
    assert_eq!(outcome.conflict, None);
    assert_eq!(outcome.trailing, None);
    outcome.text
}

fn end(bytes: &[u8]) -> Result<(), String> {
    check(bytes, u64::MAX).end
}

#[test]
fn plain() {
    assert_eq!(text(b""), "");
    assert_eq!(text(b"\x1F"), "\x1F");
    assert_eq!(text(b"a"), "a");
    for entries in [0, 1, 30, 2000] {
        let xml = sitemap(entries);
        assert_eq!(text(xml.as_bytes()), xml);
    }
}

#[test]
fn malformed_utf8() {
    assert_eq!(
        text(b"a\xFFb\xE2\x82c\xF0\x9F\x98"),
        "a\u{FFFF}b\u{FFFF}c\u{FFFF}"
    );
    assert_eq!(text(b"\xED\xA0\x80"), "\u{FFFF}\u{FFFF}\u{FFFF}");
    assert_eq!(text("\u{FEFF}\u{FEFF}x".as_bytes()), "\u{FEFF}x");
    let mut random = Random(7);
    for _ in 0..300 {
        let len = random.below(90);
        let pool = [
            b'a', 0x80, 0xBF, 0xC3, 0xE2, 0x82, 0xED, 0xA0, 0xF0, 0x9F, 0xF4, 0xFF, 0xC0,
        ];
        let bytes: Vec<u8> = std::iter::once(b'a')
            .chain((0..len).map(|_| pool[random.below(pool.len())]))
            .collect();
        let expected = String::from_utf8_lossy(&bytes).replace('\u{FFFD}', "\u{FFFF}");
        assert_eq!(text(&bytes), expected);
    }
}

#[test]
fn members_and_headers() {
    let xml = sitemap(3);
    for flags in 0..32 {
        assert_eq!(text(&member(flags, xml.as_bytes(), 6)), xml);
    }
    let mut several = member(8, b"one ", 6);
    several.extend(member(0, b"", 6));
    several.extend(member(4, b"two ", 0));
    several.extend(member(16, "thrée".as_bytes(), 9));
    assert_eq!(text(&several), "one two thrée");
    assert_eq!(text(&gzip(b"")), "");
    // The cut between members falls inside a character.
    let mut split = gzip(b"\xC3");
    split.extend(gzip(b"\xA9"));
    assert_eq!(text(&split), "é");
}

#[test]
fn layers() {
    let xml = sitemap(500);
    let once = gzip(xml.as_bytes());
    let twice = gzip(&once);
    let thrice = gzip(&twice);
    assert_eq!(text(&once), xml);
    assert_eq!(text(&twice), xml);
    assert_eq!(text(&thrice), xml);
    let fault = "more than three layers of gzip".to_owned();
    assert_eq!(end(&gzip(&thrice)), Err(fault));
}

#[test]
fn trailing() {
    let cases: [&[u8]; 7] = [
        b"\n",
        b"\0\0\0",
        b"\x1F",
        b"\x1Fx",
        b"rubbish",
        &[b'x'; 500],
        b"\xFF",
    ];
    for rest in cases {
        let mut bytes = gzip(b"http://a/");
        bytes.extend(rest);
        let outcome = check(&bytes, u64::MAX);
        assert_eq!(outcome.text, "http://a/");
        assert_eq!(outcome.end, Ok(()));
        let quoted = String::from_utf8_lossy(&rest[..rest.len().min(324)]);
        assert_eq!(outcome.trailing.unwrap(), quoted);
        let twice = check(&gzip(&bytes), u64::MAX);
        assert_eq!(twice.trailing.unwrap(), quoted);
    }
    let mut bytes = gzip(b"http://a/");
    bytes.extend([0x1F, 0x8B]);
    assert_eq!(end(&bytes), Err(CUT.to_owned()));
    bytes.extend([7, 0]);
    let outcome = check(&bytes, u64::MAX);
    assert_eq!(outcome.end, damaged("unknown compression method"));
    assert_eq!(outcome.text, "http://a/");
    assert_eq!(outcome.trailing, None);
}

#[test]
fn broken_members() {
    assert_eq!(end(b"\x1F\x8B"), Err(CUT.to_owned()));
    let nonsense = damaged("unknown compression method");
    assert_eq!(end(b"\x1F\x8Bnonsense"), nonsense);
    let reserved = damaged("reserved flags are set");
    assert_eq!(end(b"\x1F\x8B\x08\x20"), reserved);
    let mut header = member(2, b"http://a/", 6);
    header[4] ^= 1;
    assert_eq!(end(&header), damaged("checksum does not match"));
    let good = gzip(b"http://a/");
    for (back, why) in [(8, "checksum does not match"), (4, "length does not match")] {
        let mut bytes = good.clone();
        let at = bytes.len() - back;
        bytes[at] ^= 1;
        let outcome = check(&bytes, u64::MAX);
        assert_eq!(outcome.end, damaged(why));
        assert_eq!(outcome.text, "http://a/");
    }
}

#[test]
fn truncated_everywhere() {
    let xml = sitemap(20);
    let good = gzip(xml.as_bytes());
    let mut longest = 0;
    for cut in 2..good.len() {
        let outcome = check(&good[..cut], u64::MAX);
        assert_eq!(outcome.end, Err(CUT.to_owned()), "at {cut}");
        assert!(xml.starts_with(&outcome.text));
        assert!(outcome.text.len() >= longest);
        longest = outcome.text.len();
    }
    assert_eq!(longest, xml.len());
    let twice = gzip(&good);
    for cut in (2..twice.len()).step_by(3) {
        let outcome = check(&twice[..cut], u64::MAX);
        assert_eq!(outcome.end, Err(CUT.to_owned()), "at {cut}");
        assert!(xml.starts_with(&outcome.text));
    }
}

#[test]
fn corrupt_anywhere() {
    let xml = sitemap(2500);
    let mut random = Random(99);
    let large: Vec<u8> = [1, 6, 9]
        .iter()
        .flat_map(|&level| member(0, xml.as_bytes(), level))
        .collect();
    let small = gzip(sitemap(12).as_bytes());
    let twice = gzip(&small);
    let rounds = if cfg!(debug_assertions) { 40 } else { 1500 };
    for round in 0..rounds {
        for (good, every) in [(&large, 20), (&small, 1), (&twice, 1)] {
            if round % every != 0 {
                continue;
            }
            let mut bytes = good.clone();
            for _ in 0..=random.below(3) {
                let at = 10 + random.below(bytes.len() - 10);
                bytes[at] = random.below(256) as u8;
            }
            check(&bytes, u64::MAX);
        }
    }
}

#[test]
fn random_deflate() {
    let mut random = Random(4242);
    for _ in 0..if cfg!(debug_assertions) { 300 } else { 20_000 } {
        let mut bytes = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0];
        let kind = random.below(3) as u8 * 2 + 1;
        bytes.push((random.below(256) as u8 & !7) | kind);
        for _ in 0..random.below(90) {
            bytes.push(random.below(256) as u8);
        }
        check(&bytes, u64::MAX);
    }
}

#[test]
fn bounds() {
    let xml = sitemap(4);
    let once = gzip(xml.as_bytes());
    let mut several = gzip(&xml.as_bytes()[..50]);
    several.extend(gzip(&xml.as_bytes()[50..]));
    for max in 0..=xml.len() + 2 {
        for bytes in [xml.as_bytes(), &once, &several] {
            let outcome = check(bytes, max as u64);
            let over = max < xml.len();
            assert_eq!(outcome.end, if over { too_long() } else { Ok(()) });
            let mut len = max.min(xml.len());
            while !xml.is_char_boundary(len) {
                len -= 1;
            }
            assert_eq!(outcome.text, xml[..len]);
        }
    }
    // A layer under another may be twice as long as the text, and 64 KiB more.
    let twice = gzip(&gzip(b"http://a/"));
    assert_eq!(check(&twice, 9).end, Ok(()));
    assert_eq!(check(&twice, 8).end, too_long());
    let empty = gzip(b"");
    for (max, members) in [(9, 3_300), (1_000, 3_300)] {
        let mut layer = gzip(b"http://a/");
        for _ in 0..members {
            layer.extend(&empty);
        }
        let twice = gzip(&layer);
        let over = layer.len() as u64 > 2 * max + (64 << 10);
        assert_eq!(over, max == 9, "{}", layer.len());
        let outcome = check(&twice, max);
        assert_eq!(outcome.end, if over { too_long() } else { Ok(()) });
    }
    // The output can be larger than the input.
    let outcome = check(b"ab\xFF\xFF", 6);
    assert_eq!(
        (outcome.text.as_str(), outcome.end),
        ("ab\u{FFFF}", too_long())
    );
    let legacy = check(b"<?xml encoding='latin1'?>\xE9\xE9", 28);
    assert_eq!(legacy.text, "<?xml encoding='latin1'?>é");
    assert_eq!(legacy.end, too_long());
    // The mark is not part of the text.
    assert_eq!(check("\u{FEFF}".as_bytes(), 0).end, Ok(()));
    let wide = "aé€😀x";
    for max in 0..=wide.len() + 1 {
        for bytes in [
            utf16(&format!("\u{FEFF}{wide}"), false),
            gzip(&utf16(&format!("\u{FEFF}{wide}"), true)),
        ] {
            let outcome = check(&bytes, max as u64);
            let over = max < wide.len();
            assert_eq!(outcome.end, if over { too_long() } else { Ok(()) });
            assert_eq!(outcome.text, wide[..wide.floor_char_boundary(max)]);
        }
    }
}

#[test]
fn utf16_texts() {
    let body = "<?xml version='1.0' encoding='utf-16'?><urlset>é€😀\u{FEFF}</urlset>";
    for big in [false, true] {
        assert_eq!(text(&utf16(body, big)), body);
        let marked = format!("\u{FEFF}{body}");
        assert_eq!(text(&utf16(&marked, big)), body);
        assert_eq!(text(&utf16(&format!("\u{FEFF}{marked}"), big)), marked);
        assert_eq!(text(&utf16("<", big)), "<");
        assert_eq!(text(&utf16("<é", big)), "<é");
        assert_eq!(text(&utf16("http://a/", big)), "http://a/");
        assert_eq!(text(&utf16("\u{FEFF}", big)), "");
        let mut odd = utf16(body, big);
        odd.push(b'x');
        assert_eq!(text(&odd), format!("{body}\u{FFFF}"));
        let mut lone = utf16(body, big);
        let unit = if big { [0xD8, 0x3D] } else { [0x3D, 0xD8] };
        lone.extend(unit);
        lone.extend(utf16("x", big));
        lone.extend(unit);
        lone.extend(unit);
        lone.extend(utf16("y", big));
        lone.extend(if big { [0xDE, 0] } else { [0, 0xDE] });
        lone.extend(unit);
        assert_eq!(
            text(&lone),
            format!("{body}\u{FFFF}x\u{FFFF}\u{FFFF}y\u{FFFF}\u{FFFF}")
        );
        let long = sitemap(300).replace("UTF-8", "UTF-16");
        assert_eq!(text(&utf16(&long, big)), long);
        assert_eq!(text(&gzip(&utf16(&long, big))), long);
    }
}

#[test]
fn declared_encodings() {
    let cases = [
        ("Shift_JIS", "日本語ｶﾅ"),
        ("EUC-JP", "日本語"),
        ("ISO-2022-JP", "日本語abc日本"),
        ("GBK", "中文"),
        ("gb18030", "中文\u{1F600}ë"),
        ("Big5", "中文"),
        ("EUC-KR", "한국어"),
        ("windows-1251", "русский"),
        ("windows-1252", "é€"),
        ("ISO-8859-1", "é"),
        ("koi8-r", "русский"),
    ];
    let mut random = Random(31337);
    for (label, sample) in cases {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let mut body = format!("<?xml version=\"1.0\" encoding=\"{label}\" ?>\n<urlset>");
        for _ in 0..400 {
            body += sample;
            body += "<a/>";
        }
        let bytes = encoding.encode(&body).0.into_owned();
        assert_eq!(text(&bytes), body, "{label}");
        for round in 0..if cfg!(debug_assertions) { 60 } else { 1000 } {
            let mut broken = format!("<?xml encoding='{label}'?>").into_bytes();
            let start = broken.len();
            broken.extend_from_slice(&bytes[bytes.len() - 60 - round % 7..]);
            for _ in 0..random.below(25) {
                let at = start + random.below(broken.len() - start);
                broken[at] = match random.below(5) {
                    0 => 0x1B,
                    1 => b"$B(J@A\\~"[random.below(8)],
                    2 => b"0123456789"[random.below(10)],
                    _ => 128 + random.below(128) as u8,
                };
            }
            let outcome = check(&broken, u64::MAX);
            let lossy = encoding.decode_without_bom_handling(&broken).0;
            assert_eq!(
                outcome.text.replace('\u{FFFF}', "\u{FFFD}"),
                lossy,
                "{label}"
            );
            let packed = gzip(&broken);
            check(&packed[..packed.len().min(30 + round % 50)], u64::MAX);
            check(&broken, 60 + round as u64 % 60);
        }
    }
}

#[test]
fn conflicts() {
    let mut surrogate = utf16("<?xml encoding='x?'?>", false);
    surrogate[34..36].copy_from_slice(&[0, 0xD8]);
    let cases: [(Vec<u8>, Option<&str>); 15] = [
        (surrogate, Some("x\u{FFFD}")),
        (b"<?xml encoding='klingon'?>".to_vec(), Some("klingon")),
        (b"<?xml encoding=''?>".to_vec(), Some("")),
        (
            b"<?xml encoding='hz-gb-2312'?>".to_vec(),
            Some("hz-gb-2312"),
        ),
        (b"<?xml encoding='UTF-16'?>".to_vec(), Some("UTF-16")),
        (b"<?xml encoding='utf-16be'?>".to_vec(), Some("utf-16be")),
        ("\u{FEFF}<?xml encoding='latin1'?>".into(), Some("latin1")),
        ("\u{FEFF}<?xml encoding='utf8'?>".into(), None),
        (utf16("<?xml encoding='utf-8'?>", true), Some("utf-8")),
        (utf16("<?xml encoding='utf-16le'?>", true), Some("utf-16le")),
        (utf16("<?xml encoding='utf-16le'?>", false), None),
        (utf16("<?xml encoding='utf-16BE'?>", true), None),
        (utf16("<?xml encoding='UCS-2'?>", true), None),
        (
            utf16("<?xml encoding='wrong\u{e9}'?>", true),
            Some("wrongé"),
        ),
        (
            b"<?xml-stylesheet encoding='x'?> <?xml\tencoding = 'y'".to_vec(),
            Some("y"),
        ),
    ];
    for (bytes, conflict) in cases {
        let outcome = check(&bytes, u64::MAX);
        assert_eq!(outcome.conflict.as_deref(), conflict, "{}", outcome.text);
        assert_eq!(outcome.end, Ok(()));
        assert_eq!(
            outcome.text.contains('\u{FFFF}'),
            conflict == Some("x\u{FFFD}")
        );
    }
}

#[test]
fn declaration_at_the_window_s_end() {
    for junk in 960..1030 {
        let mut bytes = vec![b' '; junk];
        bytes.extend(b"<?xml version='1.0' encoding='latin1'?>\xE9");
        let outcome = check(&bytes, u64::MAX);
        let within = junk + b"<?xml version='1.0' encoding='latin1'".len() <= sniff::WINDOW;
        assert_eq!(outcome.text.ends_with('é'), within, "{junk}");
        assert_eq!(outcome.text.ends_with('\u{FFFF}'), !within);
        assert_eq!(outcome.conflict, None);
    }
}

#[test]
fn not_sitemaps() {
    let cases: [(&[u8], &str); 11] = [
        (b"PK\x03\x04", "the bytes are a ZIP archive"),
        (b"%PDF-1.4 and so on", "the bytes are a PDF document"),
        (b"\x28\xB5\x2F\xFD", "the bytes are zstd-compressed"),
        (b"\xFD7zXZ\0", "the bytes are xz-compressed"),
        (b"BZh91AY&SY", "the bytes are bzip2-compressed"),
        (b"\xCE\xB2\xCF\x81\xFF", "the bytes are brotli-compressed"),
        (b"\xFF\xFE\0\0<\0\0\0", "UTF-32 is not supported"),
        (b"\0\0\xFE\xFF", "UTF-32 is not supported"),
        (b"<\0\0\0?\0\0\0", "UTF-32 is not supported"),
        (b"\0\0\0<\0\0\0?", "UTF-32 is not supported"),
        (b"PK\x05\x06", "the bytes are a ZIP archive"),
    ];
    for (bytes, hint) in cases {
        for bytes in [bytes, &gzip(bytes)] {
            assert_eq!(end(bytes), Err(format!("not a sitemap: {hint}")));
        }
    }
    assert_eq!(
        text("βρ http://example.com/é".as_bytes()),
        "βρ http://example.com/é"
    );
}

/// A decision is never changed by later bytes.
#[test]
fn sniffing_is_stable() {
    let decl = "<?xml version='1.0' encoding='latin1'?><urlset>";
    let heads = [
        decl.as_bytes().to_vec(),
        utf16(decl, true),
        format!("\u{FEFF}{decl}").into_bytes(),
        b"<?xml\n\n>'' encoding='latin1'?> <?xml encoding='utf-8'?>".to_vec(),
        "βρ é€😀😀😀😀😀 http://example.com/".into(),
    ];
    for head in heads {
        let sniff = |head: &[u8], step, complete| {
            let mut sniffer = Sniffer::new(None);
            let early = head.chunks(step).find_map(|piece| {
                sniffer.head.extend_from_slice(piece);
                sniffer.sniff(false)
            });
            let sniffed = early.or_else(|| sniffer.sniff(complete).filter(|_| complete));
            sniffed.map(|sniffed| sniffed.map_err(|kind| kind.to_string()))
        };
        let whole = sniff(&head, head.len(), true);
        assert!(whole.is_some());
        for len in 0..=head.len() {
            for step in [1, 2, 3, 1000] {
                let early = sniff(&head[..len], step, false);
                assert!(early.is_none() || early == whole, "{len}");
            }
        }
    }
}

#[test]
fn a_bomb_goes_off_by_and_by() {
    let bomb = gzip(&vec![b' '; 20_000_000]);
    let bomb = gzip(&bomb);
    let mut input = Input::new(u64::MAX, None);
    let mut text = String::new();
    let mut total = 0;
    input.push(&bomb, &mut text, 4096);
    input.finish(None);
    loop {
        text.clear();
        let fill = input.fill(&mut text, 4096);
        assert!(text.len() <= 4096 + STEP);
        total += text.len();
        if fill != Fill::More {
            assert_eq!(fill, Fill::End);
            break;
        }
    }
    assert_eq!(total, 20_000_000);
}

/// Random combinations of members, layers, marks, rubbish, cuts and bounds.
#[test]
fn thrown_together() {
    let seed = std::env::var("INPUT_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(1_234_567));
    let rounds = if cfg!(debug_assertions) { 300 } else { 10_000 };
    for _ in 0..rounds {
        let xml = sitemap(random.below(40));
        let mut bytes = match random.below(6) {
            0 => utf16(&xml, random.below(2) == 0),
            1 => utf16(&format!("\u{FEFF}{xml}"), random.below(2) == 0),
            2 => format!("\u{FEFF}{xml}").into_bytes(),
            3 => xml
                .replace(
                    "UTF-8",
                    ["GBK", "Big5", "iso-2022-jp", "x-user-defined"][random.below(4)],
                )
                .into_bytes(),
            _ => xml.into_bytes(),
        };
        for _ in 0..random.below(6) {
            match random.below(6) {
                0 | 1 => {
                    let (first, second) = bytes.split_at(random.below(bytes.len() + 1));
                    let level = [0, 1, 6][random.below(3)];
                    let mut members = member(random.below(32) as u8, first, level);
                    members.extend(member(random.below(32) as u8, second, level));
                    bytes = members;
                }
                2 => {
                    let rubbish: [&[u8]; 5] =
                        [b"\0", b"\x1F", b"\x1F\x8B", b"\x1F\x8B\x08\0", b"\xE2\x82"];
                    bytes.extend(rubbish[random.below(5)]);
                }
                3 => bytes.truncate(random.below(bytes.len() + 1)),
                4 if !bytes.is_empty() => {
                    let at = random.below(bytes.len());
                    bytes[at] = random.below(256) as u8;
                }
                _ => bytes = gzip(&bytes),
            }
        }
        let max = [u64::MAX, random.below(4000) as u64][random.below(2)];
        check(&bytes, max);
    }
}
