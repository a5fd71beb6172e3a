//! Times the full decode of Darshan logs against the bare inflation of the same regions with the
//! same zlib: `decode_vs_inflate ROUNDS LOG…` prints one line per log, and the sums, in
//! milliseconds (best of the rounds, taken in turns).
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use flate2::{Decompress, FlushDecompress, Status};
use iotempo_formats::{Limits, darshan::Log};
use std::hint::black_box;
use std::io::Cursor;
use std::time::Instant;

/// Where compressed regions lie, from the header alone. Little-endian zlib logs only.
fn regions(log: &[u8]) -> Option<Vec<(usize, usize)>> {
    let wide = log.starts_with(b"3.41");
    let (header, slots, names) = if wide { (1328, 64, 32) } else { (360, 16, 24) };
    let word = |at: usize| u64::from_le_bytes(log[at..at + 8].try_into().unwrap()) as usize;
    if word(8) != 6_567_223 || log[16] != 0 {
        return None;
    }
    let extents = (0..=slots).map(|i| (word(names + 16 * i), word(names + 16 * i + 8)));
    let mut extents: Vec<_> = extents.filter(|&(_, len)| len > 0).collect();
    let job_end = extents.first()?.0;
    extents.insert(0, (header, job_end - header));
    Some(extents)
}

/// Inflates every stream of every region into one buffer that is used again.
fn inflate(log: &[u8], regions: &[(usize, usize)], out: &mut [u8]) -> usize {
    let mut inflater = Decompress::new(true);
    let mut total = 0;
    for &(offset, len) in regions {
        let mut input = &log[offset..offset + len];
        while !input.is_empty() {
            inflater.reset(true);
            loop {
                let before = inflater.total_in();
                let status = inflater
                    .decompress(input, out, FlushDecompress::None)
                    .unwrap();
                input = &input[(inflater.total_in() - before) as usize..];
                if status == Status::StreamEnd {
                    break;
                }
            }
            total += inflater.total_out() as usize;
        }
    }
    black_box(total)
}

fn main() {
    let mut args = std::env::args().skip(1);
    let rounds: usize = args
        .next()
        .and_then(|n| n.parse().ok())
        .expect("ROUNDS LOG…");
    let mut buffer = vec![0; 128 << 10];
    let (mut all_inflate, mut all_decode) = (0.0, 0.0);
    println!("inflate_ms decode_ms ratio inflated_bytes log");
    for path in args {
        let bytes = std::fs::read(&path).unwrap();
        let Some(regions) = regions(&bytes) else {
            continue;
        };
        let (mut inflating, mut decoding, mut size) = (f64::MAX, f64::MAX, 0);
        for _ in 0..rounds {
            let start = Instant::now();
            size = inflate(&bytes, &regions, &mut buffer);
            inflating = inflating.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            black_box(Log::read(Cursor::new(&bytes), &Limits::default()).unwrap());
            decoding = decoding.min(start.elapsed().as_secs_f64());
        }
        all_inflate += inflating;
        all_decode += decoding;
        let (i, d) = (inflating * 1e3, decoding * 1e3);
        let name = path.rsplit('/').next().unwrap_or_default();
        println!("{i:.3} {d:.3} {:.2} {size} {name}", d / i);
    }
    let ratio = all_decode / all_inflate;
    println!(
        "{:.3} {:.3} {ratio:.2} - all",
        all_inflate * 1e3,
        all_decode * 1e3
    );
}
