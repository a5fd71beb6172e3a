//! Whatever the bytes are, reading ends and does not panic.

use crate::msgpack::{Packed, flushes, gekkofs, proxy};
use iotempo_formats::{Input, Limits, ReadOptions, read_trace};

/// xorshift64*: the same mutations in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit.max(1)
    }
}

const JSON: &str = r#"{"write_sync":{"total_bytes": 5.24e+06,"max_transfersize_over_ranks": 1.2,"total_io_phases": 2,"total_io_ops": 2,"number_of_ranks": 4,"bandwidth": {"b_rank_avr": [ 1278342773.4, NaN],"t_rank_s": [ 0.01124, 1],"t_rank_e": [ 0.01206, 2.5]}}}
{"read":{"bandwidth":{"b_overlap_avr":[1,-2,3e9],"t_overlap":[3,2,1]}},"io_time":{"delta_t_rank0": 2.61e+00}}
{"metrics":{"metrics":{"a":[[0,1],[2,null]],"deriv__a":[[0,1],[1,2]]}},"b":[1,2],"t":[0,1]}
{"start_t_micro":[1,2],"end_t_micro":[3,4],"req_size":[5,6],"io_type":"r","total_iops":2}"#;

const TEXT: &str = "avg_thruput_mib: [1.0,2.0]\nstart_t_micro: [0500,3000]\nend_t_micro: [1500,4000]\nhostname: \"node1\"\ntotal_bytes: 15000\n";

/// Bytes that mean much in one of the formats.
const TELLING: &[u8] =
    b"{}[]\",:0-.eNI \n\\\x80\x90\xa1\xc0\xc1\xc4\xca\xcb\xcf\xd9\xdc\xdd\xde\xdf\xff";

fn mutate(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 if at < bytes.len() => bytes[at] = TELLING[random.below(TELLING.len())],
            3 => bytes.insert(at, TELLING[random.below(TELLING.len())]),
            4 => {
                let end = (at + random.below(40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

/// `IOTEMPO_MUTATIONS` sets how many.
#[test]
fn mutated_inputs_give_a_result_or_an_error() {
    let count = std::env::var("IOTEMPO_MUTATIONS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_000);
    let gekkofs = gekkofs(Packed::default(), "w", 4608).0;
    let seeds = [
        JSON.as_bytes().to_vec(),
        TEXT.as_bytes().to_vec(),
        flushes(),
        proxy(),
        gekkofs,
    ];
    let options = ReadOptions {
        limits: Limits {
            spooled: 1 << 20,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let mut random = Random(0x1905_2026);
    let (mut whole, mut damaged, mut errors) = (0, 0, 0);
    for round in 0..count {
        let bytes = mutate(&seeds[round % seeds.len()], &mut random);
        match read_trace(Input::bytes(bytes), &options) {
            Ok((reading, trace)) => {
                let sections = reading
                    .sections
                    .iter()
                    .flat_map(|s| [s.bytes_read, s.bytes_written]);
                let sum: f64 = sections.flatten().sum();
                let volume = trace.volume().get();
                assert!((sum - volume).abs() <= 1e-9 * volume, "{sum} {volume}");
                if reading.damaged {
                    damaged += 1
                } else {
                    whole += 1
                }
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                errors += 1;
            }
        }
    }
    assert!(
        whole > count / 20 && damaged > count / 50 && errors > count / 20,
        "{whole} {damaged} {errors}"
    );
}
