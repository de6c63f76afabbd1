//! Inflating the typical sitemap by one backend of flate2, which the features choose; processor time.
#![allow(dead_code)]

#[path = "../../../input/generated.rs"]
mod generated;

use std::hint::black_box;
use std::io::{Read, Write};
use std::time::Duration;

use cpu_time::ThreadTime;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

const ROUNDS: usize = 15;

fn main() {
    let xml = generated::typical();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let start = ThreadTime::now();
    encoder
        .write_all(xml.as_bytes())
        .expect("a Vec takes anything");
    let gz = encoder.finish().expect("a Vec takes anything");
    let deflate = start.elapsed();

    let mut inflate = Duration::MAX;
    let mut buffer = vec![0; 64 << 10];
    for _ in 0..ROUNDS {
        let start = ThreadTime::now();
        let mut decoder = MultiGzDecoder::new(&*gz);
        let mut bytes = 0;
        loop {
            match decoder.read(black_box(&mut buffer)).expect("well packed") {
                0 => break,
                n => bytes += n,
            }
        }
        assert_eq!(bytes, xml.len());
        inflate = inflate.min(start.elapsed());
    }
    println!(
        "inflate {:.1} ms, deflate {:.1} ms (once), {} bytes packed to {}",
        inflate.as_secs_f64() * 1e3,
        deflate.as_secs_f64() * 1e3,
        xml.len(),
        gz.len()
    );
}
