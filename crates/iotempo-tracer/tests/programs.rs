//! Real programs under the tracer: their bytes are all there, and they notice nothing.
#![allow(clippy::unwrap_used)]

mod common;

use common::Bench;
use iotempo_model::wire::op;

#[test]
fn dd_reads_and_writes_what_the_log_says() {
    let bench = Bench::new();
    bench.shell(
        "dd if=/dev/zero of=out bs=1000 count=123 status=none; dd if=out of=copy bs=4k status=none",
    );
    assert_eq!(bench.bytes("out"), (123_000, 123_000));
    assert_eq!(bench.bytes("copy"), (0, 123_000));
    let logs = bench.read();
    let out = bench.path("out");
    let count = |wanted| {
        let name = out.to_str().unwrap();
        logs.iter()
            .flat_map(|log| log.of(name))
            .filter(|seen| seen.op == wanted)
            .count()
    };
    assert_eq!((count(op::WRITE), count(op::OPEN)), (123, 2));
}
