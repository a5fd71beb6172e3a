//! What several tests need.

use iotempo_model::Trace;

/// FNV-1a over the exact bits of all requests.
pub(crate) fn checksum(trace: &Trace) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bits: u64| {
        for byte in bits.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for request in trace.iter() {
        take(request.rank.0 as u64);
        take(u64::from(request.file.0));
        take(request.when.start().get().to_bits());
        take(request.when.end().get().to_bits());
        take(request.bytes.get().to_bits());
    }
    hash
}
